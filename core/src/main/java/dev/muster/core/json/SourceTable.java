package dev.muster.core.json;

import dev.muster.core.Provenance;
import java.util.LinkedHashMap;
import java.util.Map;

/// The sources of a document's facts, each written once; facts refer to them by number.
final class SourceTable {
    private final Map<Provenance, Integer> numbers = new LinkedHashMap<>();

    int numberOf(Provenance provenance) {
        return numbers.computeIfAbsent(provenance, _ -> numbers.size());
    }

    void write(JsonWriter json) {
        json.beginArray();
        for (Provenance provenance : numbers.keySet()) {
            json.beginObject();
            json.key("source").string(provenance.source());
            json.key("method").string(provenance.method().text());
            json.key("confidence").string(provenance.confidence().text());
            provenance.observedAt().ifPresent(time -> json.key("observedAt").string(TimeText.of(time)));
            json.endObject();
        }
        json.endArray();
    }
}
