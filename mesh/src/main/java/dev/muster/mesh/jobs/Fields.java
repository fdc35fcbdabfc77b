// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.jobs;

import dev.muster.core.json.DocumentException;
import dev.muster.core.json.DocumentException.DocumentErrorCode;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonString;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/// Fields of documents of others. Unlike those of Muster's own, they may be missing.
final class Fields {
    private static final BigDecimal LARGEST = BigDecimal.valueOf(Long.MAX_VALUE);

    private Fields() {}

    static List<JsonValue> list(JsonValue object, String name) {
        return object.find(name).orElse(null) instanceof JsonArray(List<JsonValue> values) ? values : List.of();
    }

    static Optional<String> findText(JsonValue object, String name) {
        return object.find(name).orElse(null) instanceof JsonString(String text) ? Optional.of(text) : Optional.empty();
    }

    static String text(JsonValue object, String name) {
        return findText(object, name).orElseThrow(() -> missing(name));
    }

    static Optional<Long> findNumber(JsonValue object, String name) {
        if (object.find(name).orElse(null) instanceof JsonNumber number && number.isWhole()) {
            BigDecimal value = number.toDecimal();
            return value.abs().compareTo(LARGEST) <= 0 ? Optional.of(value.longValueExact()) : Optional.empty();
        }
        return Optional.empty();
    }

    static long number(JsonValue object, String name) {
        return findNumber(object, name).orElseThrow(() -> missing(name));
    }

    static Optional<Double> findDecimal(JsonValue object, String name) {
        return object.find(name).orElse(null) instanceof JsonNumber number
                ? Optional.of(number.toDouble())
                : Optional.empty();
    }

    static DocumentException missing(String name) {
        return DocumentException.of(
                DocumentErrorCode.MISSING_KEY, "'" + name + "' is missing, or is not what such a file has there");
    }
}
