// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import static dev.muster.core.json.DocumentException.DocumentErrorCode.DUPLICATE_KEY;
import static dev.muster.core.json.DocumentException.DocumentErrorCode.WRONG_VALUE;

import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonBoolean;
import dev.muster.core.json.JsonValue.JsonNull;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Turns texts into trees and back. The reader's limit of depth bounds the recursion.
final class JsonTree {
    private JsonTree() {}

    static JsonValue read(JsonReader json) {
        JsonValue value = readValue(json);
        json.requireEnd();
        return value;
    }

    private static JsonValue readValue(JsonReader json) {
        if (json.isObject()) {
            return readObject(json);
        }
        if (json.isArray()) {
            return new JsonArray(json.nextList(() -> readValue(json)));
        }
        if (json.isString()) {
            return new JsonString(json.nextString());
        }
        if (json.isBoolean()) {
            return new JsonBoolean(json.nextBoolean());
        }
        return json.nextNull() ? new JsonNull() : readNumber(json);
    }

    private static JsonValue readNumber(JsonReader json) {
        JsonNumber number = new JsonNumber(json.nextNumberText());
        if (!number.isWhole()) {
            try {
                number.toDecimal();
            } catch (NumberFormatException _) {
                throw json.error(WRONG_VALUE, "the exponent of a number is out of range");
            }
        }
        return number;
    }

    private static JsonValue readObject(JsonReader json) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        json.beginObject();
        while (json.nextKey(JsonKeys.NO_KEYS, 0) != JsonReader.END) {
            String name = json.lastKey();
            if (members.put(name, readValue(json)) != null) {
                throw json.error(DUPLICATE_KEY, "the key '" + JsonText.shorten(name) + "' is there twice");
            }
        }
        return new JsonObject(members);
    }

    static String write(JsonValue value, boolean indented) {
        JsonWriter json = new JsonWriter(indented);
        writeValue(value, json);
        return json.toString();
    }

    private static void writeValue(JsonValue value, JsonWriter json) {
        switch (value) {
            case JsonObject(Map<String, JsonValue> members) -> {
                json.beginObject();
                members.forEach((name, member) -> writeValue(member, json.key(name)));
                json.endObject();
            }
            case JsonArray(List<JsonValue> items) -> {
                json.beginArray();
                items.forEach(item -> writeValue(item, json));
                json.endArray();
            }
            case JsonString(String text) -> json.string(text);
            case JsonNumber(String text) -> json.numberText(text);
            case JsonBoolean(boolean truth) -> json.bool(truth);
            case JsonNull _ -> json.nullValue();
        }
    }
}
