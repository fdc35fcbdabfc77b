// SPDX-License-Identifier: Apache-2.0
package dev.muster.monitor;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonNull;
import dev.muster.core.json.JsonValue.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The difference between two JSON documents, as JSON: of objects the members that changed, `null` for those that are
/// gone; of arrays of one length what changed in their items, by the member and then by the index, so that each member
/// is named once for all devices; of all else the new value. Items that are not objects stand under the empty name.
final class JsonDelta {
    private static final String ITEM = "";

    private JsonDelta() {}

    /// The difference from one document to the next; nothing where it cannot be told in this form.
    static Optional<JsonValue> between(JsonObject from, JsonObject to) {
        try {
            return Optional.of(members(from.members(), to.members()));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private static JsonObject members(Map<String, JsonValue> from, Map<String, JsonValue> to) {
        Map<String, JsonValue> changes = new LinkedHashMap<>();
        to.forEach((name, value) -> {
            JsonValue before = from.get(name);
            if (before == null) {
                requireValue(value);
                changes.put(name, value);
            } else if (!before.equals(value)) {
                changes.put(name, change(before, value));
            }
        });
        from.keySet().stream().filter(name -> !to.containsKey(name)).forEach(name -> changes.put(name, new JsonNull()));
        return new JsonObject(changes);
    }

    private static JsonValue change(JsonValue from, JsonValue to) {
        if (from instanceof JsonObject(var before) && to instanceof JsonObject(var now)) {
            return members(before, now);
        }
        if (from instanceof JsonArray(var before) && to instanceof JsonArray(var now) && before.size() == now.size()) {
            return items(before, now);
        }
        if (from instanceof JsonArray && to instanceof JsonObject) {
            throw new IllegalArgumentException("an object in the place of an array");
        }
        requireValue(to);
        return to;
    }

    private static void requireValue(JsonValue value) {
        if (value instanceof JsonNull) {
            throw new IllegalArgumentException("null stands for a member that is gone");
        }
    }

    private static JsonObject items(List<JsonValue> from, List<JsonValue> to) {
        Map<String, Map<String, JsonValue>> changes = new LinkedHashMap<>();
        for (int i = 0; i < from.size(); i++) {
            if (from.get(i).equals(to.get(i))) {
                continue;
            }
            String index = String.valueOf(i);
            JsonValue change = change(from.get(i), to.get(i));
            if (from.get(i) instanceof JsonObject && change instanceof JsonObject(var members)) {
                members.forEach((name, value) -> put(changes, name, index, value));
            } else {
                put(changes, ITEM, index, change);
            }
        }
        Map<String, JsonValue> columns = new LinkedHashMap<>();
        changes.forEach((name, column) -> columns.put(name, new JsonObject(column)));
        return new JsonObject(columns);
    }

    private static void put(Map<String, Map<String, JsonValue>> changes, String name, String index, JsonValue value) {
        changes.computeIfAbsent(name, _ -> new LinkedHashMap<>()).put(index, value);
    }

    /// The document after a difference.
    ///
    /// @throws IllegalArgumentException if the difference is not one from this document
    static JsonValue apply(JsonValue from, JsonValue delta) {
        if (!(delta instanceof JsonObject(var changes))) {
            return delta;
        }
        if (from instanceof JsonArray(var items)) {
            List<JsonValue> now = new ArrayList<>(items);
            changes.forEach((name, column) -> {
                if (!(column instanceof JsonObject(var byIndex))) {
                    throw new IllegalArgumentException("'" + name + "' has no items");
                }
                byIndex.forEach((index, change) -> {
                    int at = Integer.parseInt(index);
                    if (at < 0 || at >= now.size()) {
                        throw new IllegalArgumentException("no item " + index);
                    }
                    now.set(at, apply(now.get(at), name.equals(ITEM) ? change : new JsonObject(Map.of(name, change))));
                });
            });
            return new JsonArray(now);
        }
        if (!(from instanceof JsonObject(var members))) {
            return delta;
        }
        Map<String, JsonValue> now = new LinkedHashMap<>(members);
        changes.forEach((name, change) -> {
            JsonValue before = now.get(name);
            if (change instanceof JsonNull) {
                now.remove(name);
            } else {
                now.put(name, before == null ? change : apply(before, change));
            }
        });
        return new JsonObject(now);
    }
}
