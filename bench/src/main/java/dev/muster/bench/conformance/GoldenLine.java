package dev.muster.bench.conformance;

import dev.muster.core.json.JsonValue;
import java.util.Optional;

/// One recorded question and answer.
///
/// @param place file and line, for people
/// @param kind what is asked
/// @param input the question
/// @param expected the answer of ai-hwaccel
/// @param defect whether the answer is known to be wrong, and so need not be given
record GoldenLine(String place, String kind, JsonValue input, JsonValue expected, boolean defect) {
    static GoldenLine parse(String place, String text) {
        JsonValue line = JsonValue.parse(text);
        return new GoldenLine(
                place,
                Json.text(Json.require(line, "kind")),
                Json.require(line, "input"),
                Json.require(line, "expected"),
                Optional.of(line).flatMap(value -> value.find("defect")).isPresent());
    }
}
