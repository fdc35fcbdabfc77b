// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.text;

import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import java.util.List;
import java.util.Optional;

/// Looks into JSON of tools, which write numbers as numbers, or as texts with blanks around them.
public final class JsonFields {
    private JsonFields() {}

    /// Reads JSON, perhaps behind a byte order mark; nothing where the text is none.
    public static Optional<JsonValue> parse(String text) {
        try {
            return Optional.of(JsonValue.parse(text.startsWith("\ufeff") ? text.substring(1) : text));
        } catch (DocumentException _) {
            return Optional.empty();
        }
    }

    /// The document in a text. Tools print warnings before it, such as that the user is in no group of theirs.
    public static String documentIn(String text) {
        int start = 0;
        for (String line : text.split("\n", -1)) {
            String item = line.strip();
            if (item.startsWith("{") || item.startsWith("[")) {
                int end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1;
                return end > start ? text.substring(start, end) : text;
            }
            start += line.length() + 1;
        }
        return text;
    }

    /// The text or number of a member, without blanks around it; nothing where it is empty, missing or of another type.
    public static Optional<String> text(JsonValue object, String... path) {
        JsonValue here = object;
        for (String name : path) {
            Optional<JsonValue> next = here.find(name);
            if (next.isEmpty()) {
                return Optional.empty();
            }
            here = next.get();
        }
        String text = "";
        if (here instanceof JsonValue.JsonString(String value)) {
            text = value.strip();
        } else if (here instanceof JsonValue.JsonNumber number) {
            text = number.text();
        }
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }

    /// A whole number from 0 on.
    ///
    /// @param max the largest that makes sense
    public static Optional<Long> count(JsonValue object, String name, long max) {
        return text(object, name).flatMap(digits -> Amount.count(digits, max));
    }

    /// The items of a member that is an array; none where it is not.
    public static List<JsonValue> items(JsonValue object, String name) {
        return object.find(name).map(JsonFields::items).orElse(List.of());
    }

    /// The items of an array; none of anything else.
    public static List<JsonValue> items(JsonValue value) {
        return value instanceof JsonValue.JsonArray(List<JsonValue> items) ? items : List.of();
    }
}
