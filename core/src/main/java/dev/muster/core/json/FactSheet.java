// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/// Writes the readings of one object. A known value stands under its own key, so that people and tools find it
/// there; behind the values, `provenance` says by number where each came from, and `unknown` says why one is missing.
/// A fact that was not asked for is not mentioned.
final class FactSheet {
    private final JsonWriter json;
    private final Map<Provenance, Integer> sources;
    private final Map<String, Provenance> known = new LinkedHashMap<>();
    private final Map<String, Reading.Unknown<?>> unknown = new LinkedHashMap<>();

    /// @param sources the document's, each with its number
    FactSheet(JsonWriter json, Map<Provenance, Integer> sources) {
        this.json = json;
        this.sources = sources;
    }

    <T> FactSheet put(String key, Reading<T> reading, Consumer<T> writeValue) {
        switch (reading) {
            case Reading.Known<T>(T value, Provenance provenance) -> {
                json.key(key);
                writeValue.accept(value);
                known.put(key, provenance);
            }
            case Reading.Unknown<T> why -> {
                if (why.reason() != UnknownReason.NOT_PROBED || !why.detail().isEmpty()) {
                    unknown.put(key, why);
                }
            }
        }
        return this;
    }

    /// Writes what stands behind the values.
    void end() {
        if (!known.isEmpty()) {
            json.key("provenance").beginObject();
            for (Map.Entry<String, Provenance> fact : known.entrySet()) {
                json.key(fact.getKey()).unsigned(sources.computeIfAbsent(fact.getValue(), _ -> sources.size()));
            }
            json.endObject();
        }
        if (!unknown.isEmpty()) {
            json.key("unknown").beginObject();
            for (Map.Entry<String, Reading.Unknown<?>> fact : unknown.entrySet()) {
                json.key(fact.getKey()).beginObject();
                json.key("reason").string(fact.getValue().reason().text());
                if (!fact.getValue().detail().isEmpty()) {
                    json.key("detail").string(fact.getValue().detail());
                }
                json.endObject();
            }
            json.endObject();
        }
    }

    /// Writes what stands behind the values, and ends the object.
    void endObject() {
        end();
        json.endObject();
    }
}
