package dev.muster.bench.conformance;

import dev.muster.core.json.JsonValue;

/// Answers one kind of recorded question with Muster.
@FunctionalInterface
interface Question {
    /// Muster's answer.
    JsonValue answer(JsonValue input);

    /// Whether an answer is the expected one.
    default boolean isRight(JsonValue expected, JsonValue actual) {
        return Json.isSame(expected, actual);
    }
}
