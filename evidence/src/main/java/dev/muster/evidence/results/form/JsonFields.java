// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results.form;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonBoolean;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/// Reads JSON whose keys may be missing and whose values may have another type: missing values are empty.
public final class JsonFields {
    private JsonFields() {}

    /// Returns the value behind some keys.
    public static Optional<JsonValue> at(JsonValue value, String... path) {
        JsonValue here = value;
        for (String key : path) {
            Optional<JsonValue> next = here.find(key);
            if (next.isEmpty()) {
                return Optional.empty();
            }
            here = next.get();
        }
        return Optional.of(here);
    }

    /// Reports whether an object has all of some keys.
    public static boolean has(JsonValue value, String... keys) {
        for (String key : keys) {
            if (value.find(key).isEmpty()) {
                return false;
            }
        }
        return keys.length > 0;
    }

    /// Returns a finite number, also from a text.
    public static OptionalDouble number(JsonValue value, String... path) {
        Optional<JsonValue> found = at(value, path);
        if (found.isPresent() && found.get() instanceof JsonNumber number) {
            double known = number.toDouble();
            return Double.isFinite(known) ? OptionalDouble.of(known) : OptionalDouble.empty();
        }
        return found.isPresent() && found.get() instanceof JsonString(String text)
                ? Numbers.find(text)
                : OptionalDouble.empty();
    }

    /// Returns the first of some keys that holds a number.
    public static OptionalDouble firstNumber(JsonValue value, String... keys) {
        for (String key : keys) {
            OptionalDouble found = number(value, key);
            if (found.isPresent()) {
                return found;
            }
        }
        return OptionalDouble.empty();
    }

    /// Returns a text that is not blank.
    public static Optional<String> text(JsonValue value, String... path) {
        return at(value, path)
                .flatMap(found -> found instanceof JsonString(String text) && !text.isBlank()
                        ? Optional.of(text.strip())
                        : Optional.empty());
    }

    /// Returns the first of some keys that holds a text.
    public static Optional<String> firstText(JsonValue value, String... keys) {
        for (String key : keys) {
            Optional<String> found = text(value, key);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    /// Reports whether a value is the word `true`.
    public static boolean isTrue(JsonValue value, String... path) {
        return at(value, path)
                .filter(found -> found instanceof JsonBoolean(boolean truth) && truth)
                .isPresent();
    }

    /// Returns the items of a list; none without a list.
    public static List<JsonValue> items(JsonValue value, String... path) {
        return at(value, path)
                .map(found -> found instanceof JsonArray(List<JsonValue> items) ? items : List.<JsonValue>of())
                .orElse(List.of());
    }

    /// Returns the members of an object; none without an object.
    public static Map<String, JsonValue> members(JsonValue value, String... path) {
        return at(value, path)
                .map(found -> found instanceof JsonObject(Map<String, JsonValue> members)
                        ? members
                        : Map.<String, JsonValue>of())
                .orElse(Map.of());
    }
}
