// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.ask;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import java.util.List;

/// The forms of a value: the text of an option, a JSON value, and the schema of the latter.
///
/// @param <T> the type of the value
interface Grammar<T> {
    /// Reads the text of an option.
    ///
    /// @throws IllegalArgumentException if the text does not have the form
    T parse(String text);

    /// Reads a JSON value, a text unless the grammar says otherwise.
    ///
    /// @throws IllegalArgumentException if the value does not have the form
    default T read(JsonValue value) {
        if (value instanceof JsonString(String text)) {
            return parse(text);
        }
        throw new IllegalArgumentException("");
    }

    /// Returns the text of an option that [#parse] reads as the value.
    String text(T value);

    /// Returns the JSON value that [#read] reads as the value.
    default JsonValue json(T value) {
        return new JsonString(text(value));
    }

    /// Describes the form, as in "an integer from 1 to 8".
    String form();

    /// Adds the members of the JSON Schema.
    void describe(JsonObject.ObjectBuilder schema);

    /// Returns the only texts allowed; empty where there are others.
    default List<String> choices() {
        return List.of();
    }

    /// Reports whether the value is the content of a file, whose path is what an option names.
    default boolean isFile() {
        return false;
    }
}
