package dev.muster.core.json;

import static dev.muster.core.json.DocumentException.Code.WRONG_VALUE;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads the readings of one object, as [FactSheet] writes them. Values are handed in as they come; where they came
/// from stands behind them.
final class FactReader {
    /// People who write a document by hand need not say where each fact is from.
    private static final Provenance HAND_WRITTEN =
            Provenance.of("document", Provenance.Method.DOCUMENT, Provenance.Confidence.STATED);

    private static final JsonKeys UNKNOWN_KEYS = JsonKeys.of("reason", "detail");
    private static final JsonKeys NO_KEYS = JsonKeys.of();

    private final JsonReader json;
    private final List<Provenance> sources;
    private final Map<String, Provenance> provenances = new HashMap<>();
    private final Map<String, Reading.Unknown<?>> unknowns = new HashMap<>();

    FactReader(JsonReader json, List<Provenance> sources) {
        this.json = json;
        this.sources = sources;
    }

    void readProvenance() {
        json.beginObject();
        while (json.nextKey(NO_KEYS, 0) != JsonReader.END) {
            String key = json.lastKey();
            long number = json.nextUnsigned(Integer.MAX_VALUE);
            if (number >= sources.size()) {
                throw json.error(
                        WRONG_VALUE, "'" + key + "' names source " + number + ", but there are " + sources.size());
            }
            provenances.put(key, sources.get((int) number));
        }
    }

    void readUnknown() {
        json.beginObject();
        while (json.nextKey(NO_KEYS, 0) != JsonReader.END) {
            String key = json.lastKey();
            JsonStruct struct = JsonStruct.lenient(json, UNKNOWN_KEYS);
            UnknownReason reason = UnknownReason.NOT_PROBED;
            String detail = "";
            for (int field = struct.next(); field >= 0; field = struct.next()) {
                if (field == 0) {
                    reason = Names.REASONS.read(json);
                } else {
                    detail = json.nextString();
                }
            }
            struct.require(0b1);
            unknowns.put(key, new Reading.Unknown<>(reason, detail));
        }
    }

    /// The reading of a fact, once the whole object is read.
    ///
    /// @param value the value that stood under the key; null when there was none
    <T> Reading<T> reading(String key, @Nullable T value) {
        if (value == null) {
            Reading.Unknown<?> unknown = unknowns.get(key);
            return unknown == null ? Reading.notProbed() : Reading.unknown(unknown.reason(), unknown.detail());
        }
        return Reading.known(value, provenances.getOrDefault(key, HAND_WRITTEN));
    }
}
