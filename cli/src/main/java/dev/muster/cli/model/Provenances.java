package dev.muster.cli.model;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;

/// Facts of a JSON object: known ones under their key, with where they came from and why others are missing beside.
final class Provenances {
    private final JsonObject.Builder object;
    private final JsonObject.Builder sources = JsonObject.builder();
    private final JsonObject.Builder unknown = JsonObject.builder();
    private boolean anySource;
    private boolean anyUnknown;

    Provenances(JsonObject.Builder object) {
        this.object = object;
    }

    <T> void put(String key, Reading<T> fact, java.util.function.Function<T, JsonValue> json) {
        switch (fact) {
            case Reading.Known<T>(T value, Provenance from) -> {
                object.put(key, json.apply(value));
                sources.put(
                        key,
                        JsonObject.builder()
                                .put("source", from.source())
                                .put("method", from.method().text())
                                .put("confidence", from.confidence().text())
                                .build());
                anySource = true;
            }
            case Reading.Unknown<T>(var reason, String detail) -> {
                JsonObject.Builder why = JsonObject.builder().put("reason", reason.text());
                if (!detail.isEmpty()) {
                    why.put("detail", detail);
                }
                unknown.put(key, why.build());
                anyUnknown = true;
            }
        }
    }

    /// Adds what was collected.
    void finish() {
        if (anySource) {
            object.put("provenance", sources.build());
        }
        if (anyUnknown) {
            object.put("unknown", unknown.build());
        }
    }
}
