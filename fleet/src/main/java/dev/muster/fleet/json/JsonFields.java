// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.json;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonBoolean;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Looks into objects of servers, in which almost everything may be missing.
public final class JsonFields {
    private JsonFields() {}

    public static Optional<JsonValue> find(JsonValue from, String... path) {
        JsonValue at = from;
        for (String name : path) {
            Optional<JsonValue> next = at.find(name);
            if (next.isEmpty()) {
                return Optional.empty();
            }
            at = next.get();
        }
        return Optional.of(at);
    }

    /// The text at a path; blank where there is none. Numbers count as texts, since YAML of people has them.
    public static String text(JsonValue from, String... path) {
        return find(from, path).map(JsonFields::plain).orElse("");
    }

    /// A plain value as text; blank for others.
    public static String plain(JsonValue value) {
        return switch (value) {
            case JsonString(String text) -> text;
            case JsonNumber(String text) -> text;
            case JsonBoolean(boolean truth) -> Boolean.toString(truth);
            default -> "";
        };
    }

    public static boolean isTrue(JsonValue from, String... path) {
        return find(from, path).filter(new JsonBoolean(true)::equals).isPresent();
    }

    /// The items of the list at a path; empty if the path has no list.
    public static List<JsonValue> items(JsonValue from, String... path) {
        return find(from, path).orElse(null) instanceof JsonArray(List<JsonValue> items) ? items : List.of();
    }

    /// The members of the object at a path; empty if the path has no object.
    public static Map<String, JsonValue> members(JsonValue from, String... path) {
        return find(from, path).orElse(null) instanceof JsonObject(Map<String, JsonValue> members) ? members : Map.of();
    }
}
