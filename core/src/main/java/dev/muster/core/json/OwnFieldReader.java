// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import static dev.muster.core.json.DocumentException.DocumentErrorCode.WRONG_VALUE;

import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// An object of Muster's own form, with its readings as [FactSheet] writes them.
final class OwnFieldReader extends FieldReader {
    /// People who write a document by hand need not say where each fact is from.
    private static final Provenance HAND_WRITTEN =
            Provenance.of("document", Provenance.Method.DOCUMENT, Provenance.Confidence.STATED);

    private final List<Provenance> sources;
    private final Map<String, Provenance> provenances = new HashMap<>();
    private final Map<String, Reading.Unknown<?>> unknowns = new HashMap<>();
    private boolean factsRead;

    /// @param sources the document's; complete before the first reading is asked for
    OwnFieldReader(JsonReader json, List<Provenance> sources) {
        super(json);
        this.sources = sources;
    }

    <T> Reading<T> reading(String key, Supplier<T> read) {
        if (!factsRead) {
            readFacts();
        }
        if (has(key)) {
            return Reading.known(at(key, read), provenances.getOrDefault(key, HAND_WRITTEN));
        }
        Reading.Unknown<?> unknown = unknowns.get(key);
        return unknown == null ? Reading.notProbed() : Reading.unknown(unknown.reason(), unknown.detail());
    }

    Reading<String> textReading(String key) {
        return reading(key, json::nextString);
    }

    Reading<Bytes> bytesReading(String key) {
        return reading(key, () -> new Bytes(json.nextUnsigned()));
    }

    Reading<Bandwidth> bandwidthReading() {
        return reading("bandwidthBytesPerSecond", () -> BandwidthText.read(json));
    }

    Reading<PciAddress> addressReading() {
        return reading("pciAddress", () -> readPciAddress(json));
    }

    static PciAddress readPciAddress(JsonReader json) {
        return PciAddress.find(json.nextString())
                .orElseThrow(() -> json.error(WRONG_VALUE, "a PCI address is written as 0000:3b:00.0"));
    }

    private void readFacts() {
        factsRead = true;
        if (has("provenance")) {
            FieldReader numbers = at("provenance", () -> new FieldReader(json));
            numbers.keys().forEach(key -> provenances.put(key, source(key, numbers.count(key, Integer.MAX_VALUE))));
        }
        if (has("unknown")) {
            FieldReader reasons = at("unknown", () -> new FieldReader(json));
            reasons.keys().forEach(key -> unknowns.put(key, reasons.at(key, this::readUnknown)));
        }
    }

    private Provenance source(String key, long number) {
        if (number >= sources.size()) {
            throw json.error(WRONG_VALUE, "'" + key + "' names source " + number + ", but there are " + sources.size());
        }
        return sources.get((int) number);
    }

    private Reading.Unknown<?> readUnknown() {
        FieldReader unknown = new FieldReader(json);
        return new Reading.Unknown<>(unknown.name("reason", Names.REASONS), unknown.text("detail", ""));
    }
}
