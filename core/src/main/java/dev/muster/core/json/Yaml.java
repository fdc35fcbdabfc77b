// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/// Writes JSON values in block style of YAML 1.2. Texts stand bare only where no reader could take them for anything
/// else.
final class Yaml {
    private static final String PLAIN = "[A-Za-z][A-Za-z0-9_./ ()-]*[A-Za-z0-9_)]|[A-Za-z]";
    /// Words that readers of YAML 1.1 take for a boolean or null.
    private static final String RESERVED = "(?i)true|false|yes|no|on|off|null|y|n";

    private final StringBuilder out = new StringBuilder();
    private final Map<JsonValue, String> comments;
    private final boolean scripts;

    private Yaml(Map<JsonValue, String> comments, boolean scripts) {
        this.comments = comments;
        this.scripts = scripts;
    }

    static String of(JsonValue value) {
        return new Yaml(Map.of(), false).document(value);
    }

    static String of(JsonValue value, IdentityHashMap<JsonValue, String> comments) {
        return new Yaml(comments, true).document(value);
    }

    private String document(JsonValue value) {
        if (!write(value, 0)) {
            writeScalar(value, 0);
        }
        return out.toString();
    }

    /// Writes the lines of a block; false where the value stands on the line instead.
    private boolean write(JsonValue value, int depth) {
        if (value instanceof JsonObject(Map<String, JsonValue> members) && !members.isEmpty()) {
            members.forEach((name, member) -> {
                indent(depth).append(scalar(name)).append(':');
                int end = out.length();
                if (write(member, depth + 1)) {
                    out.insert(end, '\n');
                } else {
                    out.append(' ');
                    writeScalar(member, depth + 1);
                }
            });
            return true;
        }
        if (value instanceof JsonArray(List<JsonValue> items) && !items.isEmpty()) {
            for (JsonValue item : items) {
                int dash = indent(depth).length();
                // The first line of a block stands behind the dash, in place of its indent.
                if (write(item, depth + 1)) {
                    out.replace(dash, dash + 2 * (depth + 1), "- ");
                } else {
                    out.append("- ");
                    writeScalar(item, depth + 1);
                }
            }
            return true;
        }
        return false;
    }

    private void writeScalar(JsonValue value, int depth) {
        String reason = printable(comments.getOrDefault(value, ""));
        String comment = reason.isEmpty() ? "" : " # " + reason;
        if (scripts && value instanceof JsonString(String text) && isBlock(text)) {
            out.append('|').append(comment).append('\n');
            for (String line : text.stripTrailing().split("\n", -1)) {
                indent(line.isEmpty() ? 0 : depth).append(line).append('\n');
            }
        } else {
            String shown = value instanceof JsonString(String text) ? scalar(text) : value.toText();
            out.append(shown).append(comment).append('\n');
        }
    }

    /// Reports whether a text can stand as it is, line by line: a block knows no escapes, and takes blanks before the
    /// first line for its indent.
    private static boolean isBlock(String text) {
        return text.contains("\n")
                && !Character.isWhitespace(text.charAt(0))
                && text.codePoints().allMatch(point -> point == '\n' || !JsonWriter.isSteering(point));
    }

    /// A comment is one line, and has no escapes either.
    private static String printable(String reason) {
        StringBuilder line = new StringBuilder();
        reason.codePoints().forEach(point -> line.appendCodePoint(JsonWriter.isSteering(point) ? '?' : point));
        return line.toString();
    }

    private static String scalar(String text) {
        boolean plain = text.matches(PLAIN) && !text.matches(RESERVED);
        return plain ? text : new JsonString(text).toText();
    }

    private StringBuilder indent(int depth) {
        return out.repeat("  ", depth);
    }
}
