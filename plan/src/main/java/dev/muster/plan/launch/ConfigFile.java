// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonBoolean;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A file of settings: values at the end of paths such as `zero_optimization/stage`, in which a number is an index of
/// a list, and `*` every index: one for each item of a value with commas, and a single value for each existing index.
/// `~1` is a slash within a name, as in JSON pointers; a value in quotation marks is a text even if it looks like a
/// number.
///
/// @param name file name, whose extension says whether it is JSON, a unit of systemd or YAML; a `Modelfile` is Ollama's
/// @param root content
/// @param reasons explanations of the settings
record ConfigFile(String name, Node root, List<String> reasons) {
    private static final String NUMBER = "-?\\d+(\\.\\d+)?";
    private static final String PLACE = "\\d+";
    private static final String EACH = "*";
    private static final String EMPTY = "{}";
    private static final String SLASH = "~1";
    private static final String UNIT = ".service";
    private static final String MODELFILE = "Modelfile";

    /// A value, or the settings below a name. Confined to one thread until the file is built.
    static final class Node {
        final Map<String, Node> children = new LinkedHashMap<>();
        String value = "";
        String reason = "";
        boolean isText;

        boolean isList() {
            return !children.isEmpty() && children.keySet().stream().allMatch(key -> key.matches(PLACE));
        }

        /// Returns the value as it is typed in files.
        ///
        /// @param reasons receives the reasons of values
        JsonValue toJson(Map<JsonValue, String> reasons) {
            if (isList()) {
                return new JsonArray(children.values().stream()
                        .map(child -> child.toJson(reasons))
                        .toList());
            }
            if (!children.isEmpty()) {
                JsonObject.ObjectBuilder object = JsonObject.builder();
                children.forEach((key, child) -> object.put(key, child.toJson(reasons)));
                return object.build();
            }
            if (isText) {
                JsonValue text = new JsonString(value);
                reasons.put(text, reason);
                return text;
            }
            if (value.equals(EMPTY)) {
                return JsonObject.builder().build();
            }
            JsonValue typed = value.equals("true") || value.equals("false")
                    ? new JsonBoolean(Boolean.parseBoolean(value))
                    : value.matches(NUMBER) ? new JsonNumber(value) : new JsonString(value);
            reasons.put(typed, reason);
            return typed;
        }
    }

    /// @param rows rows whose name, value and condition hold
    static ConfigFile of(String name, List<TemplateRow> rows, LaunchFacts facts) {
        Node root = new Node();
        List<String> reasons = new ArrayList<>();
        for (TemplateRow row : rows) {
            String reason = row.reason(facts).orElse("");
            place(root, List.of(row.name().text().split("/", -1)), row, facts, reason);
            if (!reason.isEmpty()) {
                reasons.add(row.name().fill(facts).orElseThrow() + " in " + name + ": " + reason);
            }
        }
        return new ConfigFile(name, root, List.copyOf(reasons));
    }

    /// Places a value; facts are filled in after the path is split, since a name such as nvidia.com/gpu has a slash
    /// of its own.
    private static void place(Node root, List<String> way, TemplateRow row, LaunchFacts facts, String reason) {
        String value = row.value().fill(facts).orElseThrow();
        int each = way.indexOf(EACH);
        if (each < 0) {
            Node node = descend(root, way, facts);
            node.isText = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
            node.value = node.isText ? value.substring(1, value.length() - 1) : value;
            node.reason = reason;
            return;
        }
        Node list = descend(root, way.subList(0, each), facts);
        List<String> items = List.of(value.split(",", -1));
        int places = Math.max(items.size(), list.children.size());
        for (int i = 0; i < places; i++) {
            Node item = list.children.computeIfAbsent(Integer.toString(i), _ -> new Node());
            Node node = descend(item, way.subList(each + 1, way.size()), facts);
            node.value = items.get(Math.min(i, items.size() - 1));
            node.isText = true;
            node.reason = i == 0 ? reason : "";
        }
    }

    private static Node descend(Node from, List<String> way, LaunchFacts facts) {
        Node node = from;
        for (String step : way) {
            String key = new TemplateText(step).fill(facts).orElseThrow().replace(SLASH, "/");
            node = node.children.computeIfAbsent(key, _ -> new Node());
        }
        return node;
    }

    boolean isJson() {
        return name.endsWith(".json");
    }

    Artifact toArtifact(String comment) {
        if (name.endsWith(UNIT)) {
            StringBuilder unit = new StringBuilder(comment);
            root.children.forEach((section, settings) ->
                    unit.append('[').append(section).append("]\n").append(lines(settings, "", "=")));
            return new Artifact(name, Artifact.PLAIN, unit.toString());
        }
        if (name.equals(MODELFILE)) {
            return new Artifact(name, Artifact.PLAIN, comment + lines(root, "", " "));
        }
        IdentityHashMap<JsonValue, String> explained = new IdentityHashMap<>();
        JsonValue settings = root.toJson(explained);
        return isJson()
                ? new Artifact(name, "application/json", settings.toIndentedText() + "\n")
                : new Artifact(name, "application/yaml", comment + settings.toYaml(explained));
    }

    /// Returns a line for each value, with its reason in a line above: its name, and the names above it before.
    private static String lines(Node node, String above, String separator) {
        StringBuilder text = new StringBuilder();
        node.children.forEach((key, child) -> {
            String name = key.matches(PLACE) ? above : (above + " " + key).strip();
            if (child.children.isEmpty()) {
                text.append(child.reason.isEmpty() ? "" : "# " + child.reason + "\n")
                        .append(name)
                        .append(separator)
                        .append(child.value)
                        .append('\n');
            } else {
                text.append(lines(child, name, separator));
            }
        });
        return text.toString();
    }
}
