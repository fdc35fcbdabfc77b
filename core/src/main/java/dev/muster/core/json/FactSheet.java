package dev.muster.core.json;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Writes the readings of one object. A known value stands under its own key, so that people and tools find it
/// there; behind the values, `provenance` says by number where each came from, and `unknown` says why one is missing.
/// A fact that nobody asked for is not mentioned.
final class FactSheet {
    private final JsonWriter json;
    private final SourceTable sources;
    private final List<String> knownKeys = new ArrayList<>();
    private final List<Provenance> provenances = new ArrayList<>();
    private final List<String> unknownKeys = new ArrayList<>();
    private final List<Reading.Unknown<?>> unknowns = new ArrayList<>();

    FactSheet(JsonWriter json, SourceTable sources) {
        this.json = json;
        this.sources = sources;
    }

    <T> FactSheet put(String key, Reading<T> reading, Consumer<T> writeValue) {
        // Not a switch: one over types makes classes at start-up (docs/decisions/0004).
        if (reading instanceof Reading.Known<T>(var value, var provenance)) {
            json.key(key);
            writeValue.accept(value);
            knownKeys.add(key);
            provenances.add(provenance);
        } else if (reading instanceof Reading.Unknown<T> unknown && isWorthSaying(unknown)) {
            unknownKeys.add(key);
            unknowns.add(unknown);
        }
        return this;
    }

    private static boolean isWorthSaying(Reading.Unknown<?> unknown) {
        return unknown.reason() != UnknownReason.NOT_PROBED || !unknown.detail().isEmpty();
    }

    void end() {
        if (!knownKeys.isEmpty()) {
            json.key("provenance").beginObject();
            for (int i = 0; i < knownKeys.size(); i++) {
                json.key(knownKeys.get(i)).unsigned(sources.numberOf(provenances.get(i)));
            }
            json.endObject();
        }
        if (!unknownKeys.isEmpty()) {
            json.key("unknown").beginObject();
            for (int i = 0; i < unknownKeys.size(); i++) {
                json.key(unknownKeys.get(i)).beginObject();
                json.key("reason").string(unknowns.get(i).reason().text());
                if (!unknowns.get(i).detail().isEmpty()) {
                    json.key("detail").string(unknowns.get(i).detail());
                }
                json.endObject();
            }
            json.endObject();
        }
    }
}
