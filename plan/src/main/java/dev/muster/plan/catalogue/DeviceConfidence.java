package dev.muster.plan.catalogue;

import dev.muster.core.Provenance;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// How sure the figures of a catalogue row are.
///
/// @since 0.1
public enum DeviceConfidence {
    /// From the vendor's data sheet.
    HIGH(Provenance.Confidence.STATED),
    /// From the vendor's data sheet, which leaves something open.
    MEDIUM(Provenance.Confidence.STATED),
    /// Second-hand.
    LOW(Provenance.Confidence.ASSUMED);

    private final Provenance.Confidence meaning;
    private final String text = name().toLowerCase(Locale.ROOT);

    DeviceConfidence(Provenance.Confidence meaning) {
        this.meaning = meaning;
    }

    /// The confidence as the catalogue writes it.
    public String text() {
        return text;
    }

    /// What it means for a fact that is taken from the row.
    public Provenance.Confidence meaning() {
        return meaning;
    }

    static Optional<DeviceConfidence> find(String text) {
        for (DeviceConfidence value : values()) {
            if (value.text.equals(text)) {
                return Optional.of(value);
            }
        }
        return Optional.empty();
    }

    static List<String> texts() {
        return Arrays.stream(values()).map(DeviceConfidence::text).toList();
    }
}
