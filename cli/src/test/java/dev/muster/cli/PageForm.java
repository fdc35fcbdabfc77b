// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.plan.ask.QuestionKind;
import java.util.Arrays;
import java.util.Map;
import java.util.regex.Pattern;

/// The form of the page for a kind of question: makes the body that `page/question.js` makes.
///
/// @param schema schema of the body, as the server describes it
record PageForm(JsonValue schema) {
    /// As in the script.
    private static final Pattern BETWEEN_ITEMS = Pattern.compile(",(?![^\\[]*\\])");

    static PageForm of(JsonValue description, QuestionKind kind) {
        return new PageForm(description
                .require("paths")
                .require("/api/v1/" + kind.label())
                .require("post")
                .require("requestBody")
                .require("content")
                .require("application/json")
                .require("schema"));
    }

    JsonObject properties() {
        return (JsonObject) schema.require("properties");
    }

    /// Returns the body for texts of a form.
    JsonObject body(Map<String, Object> texts) {
        JsonObject.ObjectBuilder body = JsonObject.builder();
        properties().members().forEach((key, property) -> {
            Object given = texts.getOrDefault(key, "");
            if (given.equals(true)) {
                body.put(key, true);
            } else if (given instanceof String text && !text.isBlank()) {
                body.put(key, value(property.requireText("type"), text.strip()));
            }
        });
        return body.build();
    }

    private static JsonValue value(String type, String text) {
        return switch (type) {
            case "array" ->
                new JsonArray(Arrays.stream(BETWEEN_ITEMS.split(text))
                        .<JsonValue>map(item -> new JsonString(item.strip()))
                        .toList());
            case "integer", "number" -> JsonValue.parse(text);
            default -> new JsonString(text);
        };
    }
}
