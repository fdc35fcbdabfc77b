package dev.muster.cli.render;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonBoolean;
import dev.muster.core.json.JsonValue.JsonNull;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import java.util.List;
import java.util.Map;

/// JSON values in block style of YAML 1.2. Texts stand bare only where no reader could take them for anything else.
public final class Yaml {
    private Yaml() {}

    /// The value as a YAML document.
    public static String of(JsonValue value) {
        StringBuilder out = new StringBuilder();
        write(value, 0, out);
        return out.toString();
    }

    private static void write(JsonValue value, int depth, StringBuilder out) {
        switch (value) {
            case JsonObject(Map<String, JsonValue> members)
            when !members.isEmpty() ->
                members.forEach((name, member) -> {
                    indent(depth, out);
                    out.append(scalar(name)).append(':');
                    writeMember(member, depth, out);
                });
            case JsonArray(List<JsonValue> items)
            when !items.isEmpty() ->
                items.forEach(item -> {
                    indent(depth, out);
                    out.append('-');
                    writeItem(item, depth, out);
                });
            default -> {
                indent(depth, out);
                out.append(inline(value)).append('\n');
            }
        }
    }

    private static void writeMember(JsonValue member, int depth, StringBuilder out) {
        if (isBlock(member)) {
            out.append('\n');
            write(member, depth + 1, out);
        } else {
            out.append(' ').append(inline(member)).append('\n');
        }
    }

    /// The first line of a block item stands behind its dash.
    private static void writeItem(JsonValue item, int depth, StringBuilder out) {
        if (isBlock(item)) {
            StringBuilder block = new StringBuilder();
            write(item, depth + 1, block);
            out.append(' ').append(block.substring(2 * (depth + 1)));
        } else {
            out.append(' ').append(inline(item)).append('\n');
        }
    }

    private static boolean isBlock(JsonValue value) {
        return switch (value) {
            case JsonObject(Map<String, JsonValue> members) -> !members.isEmpty();
            case JsonArray(List<JsonValue> items) -> !items.isEmpty();
            default -> false;
        };
    }

    private static String inline(JsonValue value) {
        return switch (value) {
            case JsonObject _ -> "{}";
            case JsonArray _ -> "[]";
            case JsonString(String text) -> scalar(text);
            case JsonNumber(String text) -> text;
            case JsonBoolean(boolean truth) -> Boolean.toString(truth);
            case JsonNull _ -> "null";
        };
    }

    private static String scalar(String text) {
        return isPlain(text) ? text : Printable.escapeControls(new JsonString(text).toText());
    }

    /// A letter first, then letters, digits and a few signs; and no word that YAML 1.1 readers take for a truth.
    private static boolean isPlain(String text) {
        boolean word = text.matches("[A-Za-z][A-Za-z0-9_./ ()-]*[A-Za-z0-9_)]|[A-Za-z]");
        return word && !text.matches("(?i)true|false|yes|no|on|off|null|y|n");
    }

    private static void indent(int depth, StringBuilder out) {
        out.repeat("  ", depth);
    }
}
