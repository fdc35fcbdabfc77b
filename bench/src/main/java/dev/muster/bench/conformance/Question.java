// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench.conformance;

import dev.muster.core.json.JsonValue;
import java.util.function.BiPredicate;
import java.util.function.UnaryOperator;

/// Answers one kind of recorded question with Muster.
@FunctionalInterface
interface Question {
    /// A question whose answers are the same by a rule of its own.
    static Question of(UnaryOperator<JsonValue> answer, BiPredicate<JsonValue, JsonValue> isRight) {
        return new Question() {
            @Override
            public JsonValue answer(JsonValue input) {
                return answer.apply(input);
            }

            @Override
            public boolean isRight(JsonValue expected, JsonValue actual) {
                return isRight.test(expected, actual);
            }
        };
    }

    /// Muster's answer.
    JsonValue answer(JsonValue input);

    default boolean isRight(JsonValue expected, JsonValue actual) {
        return Json.isSame(expected, actual);
    }

    /// Describes the error in a wrong answer.
    default String explain(JsonValue input, JsonValue expected, JsonValue actual) {
        return "input " + input.toText() + "\n  expected " + expected.toText() + "\n  actual   " + actual.toText();
    }
}
