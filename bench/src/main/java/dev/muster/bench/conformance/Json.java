// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench.conformance;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonBoolean;
import dev.muster.core.json.JsonValue.JsonNull;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.core.unit.Bytes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Short words for taking JSON trees apart and putting them together.
final class Json {
    private Json() {}

    /// A member as a document of its own.
    static String document(JsonValue object, String name) {
        return object.require(name).toText();
    }

    static long number(JsonValue object, String name) {
        return number(object.require(name));
    }

    static String text(JsonValue value) {
        if (value instanceof JsonString(String text)) {
            return text;
        }
        throw new IllegalArgumentException("not a text: " + value.toText());
    }

    static long number(JsonValue value) {
        if (value instanceof JsonNumber number) {
            return number.toDecimal().longValueExact();
        }
        throw new IllegalArgumentException("not a number: " + value.toText());
    }

    static List<JsonValue> items(JsonValue value) {
        if (value instanceof JsonArray(List<JsonValue> items)) {
            return items;
        }
        throw new IllegalArgumentException("not an array: " + value.toText());
    }

    /// An object of alternating names and values: trees, texts, numbers, truths, and lists of these; null for what is
    /// not there.
    static JsonValue object(Object... namesAndValues) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            members.put((String) namesAndValues[i], value(namesAndValues[i + 1]));
        }
        return new JsonObject(members);
    }

    static JsonValue value(Object value) {
        return switch (value) {
            case JsonValue tree -> tree;
            case String text -> new JsonString(text);
            case Boolean truth -> new JsonBoolean(truth);
            case Double number -> JsonNumber.of(number);
            case Long number -> JsonNumber.of(number);
            case Integer number -> JsonNumber.of(number.longValue());
            case Bytes bytes -> new JsonNumber(bytes.toString());
            case Optional<?> optional -> optional.map(Json::value).orElseGet(JsonNull::new);
            case List<?> list -> new JsonArray(list.stream().map(Json::value).toList());
            default -> throw new IllegalArgumentException("no JSON for " + value.getClass());
        };
    }

    /// Reports whether two trees mean the same: numbers by value, members in any order.
    static boolean isSame(JsonValue expected, JsonValue actual) {
        return switch (expected) {
            case JsonObject(Map<String, JsonValue> members) ->
                actual instanceof JsonObject(Map<String, JsonValue> others)
                        && members.keySet().equals(others.keySet())
                        && members.entrySet().stream()
                                .allMatch(member -> isSame(member.getValue(), actual.require(member.getKey())));
            case JsonArray(List<JsonValue> items) ->
                actual instanceof JsonArray(List<JsonValue> others)
                        && items.size() == others.size()
                        && isSameInOrder(items, others);
            case JsonNumber number -> actual instanceof JsonNumber other && isSameNumber(number, other);
            default -> expected.equals(actual);
        };
    }

    private static boolean isSameInOrder(List<JsonValue> items, List<JsonValue> others) {
        for (int i = 0; i < items.size(); i++) {
            if (!isSame(items.get(i), others.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isSameNumber(JsonNumber expected, JsonNumber actual) {
        boolean whole = expected.isWhole() && actual.isWhole();
        return whole
                ? expected.toDecimal().compareTo(actual.toDecimal()) == 0
                : expected.toDouble() == actual.toDouble();
    }
}
