package dev.muster.plan.launch;

import dev.muster.core.json.JsonValue.JsonString;
import java.util.Map;

/// Settings as YAML that every reader takes alike: blocks, plain words, texts quoted as in JSON, scripts
/// as literal blocks, and a comment beside each value that has a reason.
final class YamlText {
    private static final String PLAIN = "[A-Za-z][A-Za-z0-9_./-]*";
    /// What readers of YAML 1.1 take for a truth or for nothing.
    private static final String RESERVED = "(?i)true|false|yes|no|on|off|null|y|n";

    private YamlText() {}

    static String of(ConfigFile.Node root) {
        StringBuilder out = new StringBuilder();
        writeMembers(root, 0, out);
        return out.toString();
    }

    private static void writeMembers(ConfigFile.Node node, int depth, StringBuilder out) {
        for (Map.Entry<String, ConfigFile.Node> entry : node.children.entrySet()) {
            out.repeat("  ", depth).append(scalar(entry.getKey())).append(':');
            writeValue(entry.getValue(), depth, out);
        }
    }

    private static void writeValue(ConfigFile.Node node, int depth, StringBuilder out) {
        if (node.isList()) {
            out.append('\n');
            for (ConfigFile.Node item : node.children.values()) {
                out.repeat("  ", depth + 1).append('-');
                writeItem(item, depth + 1, out);
            }
        } else if (!node.children.isEmpty()) {
            out.append('\n');
            writeMembers(node, depth + 1, out);
        } else {
            writeScalar(node, depth + 1, out);
        }
    }

    /// The first member of an item stands behind its dash.
    private static void writeItem(ConfigFile.Node item, int depth, StringBuilder out) {
        if (item.children.isEmpty()) {
            writeScalar(item, depth + 1, out);
            return;
        }
        StringBuilder members = new StringBuilder();
        writeMembers(item, depth + 1, members);
        out.append(' ').append(members.substring(2 * (depth + 1)));
    }

    private static void writeScalar(ConfigFile.Node node, int depth, StringBuilder out) {
        String comment = node.reason.isEmpty() ? "" : " # " + node.reason;
        if (node.value.contains("\n")) {
            out.append(" |").append(comment).append('\n');
            node.value.lines().forEach(line -> {
                out.repeat("  ", line.isEmpty() ? 0 : depth).append(line).append('\n');
            });
            return;
        }
        String text = node.toJson() instanceof JsonString(String string) ? scalar(string) : node.value;
        out.append(' ').append(text).append(comment).append('\n');
    }

    private static String scalar(String text) {
        return text.matches(PLAIN) && !text.matches(RESERVED) ? text : new JsonString(text).toText();
    }
}
