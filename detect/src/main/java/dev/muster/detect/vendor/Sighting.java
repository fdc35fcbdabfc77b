package dev.muster.detect.vendor;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import java.util.Optional;

/// One device as a tool describes it, fact by fact; what the tool does not know is left out. Confined to one thread.
final class Sighting {
    /// More devices than any host has.
    static final int MAX_DEVICES = 1024;

    private static final int MAX_TEXT = 256;

    private final AcceleratorProfile.Builder profile;
    private final Provenance source;

    Sighting(AcceleratorKind kind, long number, Provenance source) {
        this.profile = AcceleratorProfile.builder(AcceleratorType.of(kind, number));
        this.source = source;
    }

    <T> Sighting with(DeviceFact<T> fact, Optional<T> value) {
        value.ifPresent(known -> profile.with(fact, Reading.known(known, source)));
        return this;
    }

    /// A text; `N/A`, `-` and the like say nothing.
    Sighting text(DeviceFact<String> fact, String value) {
        String text = value.strip();
        boolean nothing = text.isEmpty() || text.equals("-") || text.equals("NA") || text.startsWith("N/A");
        return nothing || text.length() > MAX_TEXT ? this : with(fact, Optional.of(text));
    }

    /// Health, where one word of the vendor's means that all is well.
    Sighting health(String value, String well) {
        return text(DeviceFact.HEALTH, value.equalsIgnoreCase(well) ? "ok" : value);
    }

    AcceleratorProfile build() {
        return profile.build();
    }

    /// The JSON object in a text. Some tools print warnings around it.
    static Optional<JsonValue> json(String text) {
        int start = text.indexOf('{');
        int end = text.lastIndexOf('}');
        if (start < 0 || end < start) {
            return Optional.empty();
        }
        try {
            return Optional.of(JsonValue.parse(text.substring(start, end + 1)));
        } catch (DocumentException _) {
            return Optional.empty();
        }
    }
}
