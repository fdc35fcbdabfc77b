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

/// A file of settings: values at the end of ways such as `zero_optimization/stage`, in which a number is
/// a place in a list.
///
/// @param name the file's name, whose end says whether it is JSON or YAML
/// @param root what it holds
/// @param reasons what people should know of the settings
record ConfigFile(String name, Node root, List<String> reasons) {
    private static final String NUMBER = "-?\\d+(\\.\\d+)?";
    private static final String PLACE = "\\d+";

    /// A value, or what lies below a name. Confined to one thread until the file is made.
    static final class Node {
        final Map<String, Node> children = new LinkedHashMap<>();
        String value = "";
        String reason = "";

        boolean isList() {
            return !children.isEmpty() && children.keySet().stream().allMatch(key -> key.matches(PLACE));
        }

        /// The value as it is typed in files.
        ///
        /// @param reasons gets the reasons of values
        JsonValue toJson(Map<JsonValue, String> reasons) {
            if (isList()) {
                return new JsonArray(children.values().stream()
                        .map(child -> child.toJson(reasons))
                        .toList());
            }
            if (!children.isEmpty()) {
                JsonObject.Builder object = JsonObject.builder();
                children.forEach((key, child) -> object.put(key, child.toJson(reasons)));
                return object.build();
            }
            JsonValue typed = value.equals("true") || value.equals("false")
                    ? new JsonBoolean(Boolean.parseBoolean(value))
                    : value.matches(NUMBER) ? new JsonNumber(value) : new JsonString(value);
            reasons.put(typed, reason);
            return typed;
        }
    }

    /// @param rows rows of which name, value and condition hold
    static ConfigFile of(String name, List<TemplateRow> rows, LaunchFacts facts) {
        Node root = new Node();
        List<String> reasons = new ArrayList<>();
        for (TemplateRow row : rows) {
            Node node = root;
            // Facts go in after the way is cut, since a name such as nvidia.com/gpu has a slash of its own.
            for (String step : row.name().text().split("/", -1)) {
                String key = new TemplateText(step).fill(facts).orElseThrow();
                node = node.children.computeIfAbsent(key, _ -> new Node());
            }
            node.value = row.value().fill(facts).orElseThrow();
            node.reason = row.reason(facts).orElse("");
            if (!node.reason.isEmpty()) {
                reasons.add(row.name().fill(facts).orElseThrow() + " in " + name + ": " + node.reason);
            }
        }
        return new ConfigFile(name, root, List.copyOf(reasons));
    }

    boolean isJson() {
        return name.endsWith(".json");
    }

    Artifact toArtifact(String comment) {
        IdentityHashMap<JsonValue, String> explained = new IdentityHashMap<>();
        JsonValue settings = root.toJson(explained);
        return isJson()
                ? new Artifact(name, "application/json", settings.toIndentedText() + "\n")
                : new Artifact(name, "application/yaml", comment + settings.toYaml(explained));
    }
}
