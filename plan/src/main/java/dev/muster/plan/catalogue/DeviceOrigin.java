package dev.muster.plan.catalogue;

import dev.muster.core.Provenance;

/// Where the figures of a catalogue row are from.
///
/// @param confidence how sure they are
/// @param source the document
/// @param note what else a reader should know; blank when nothing
/// @param checked what was compared with another source, in words; blank when unknown
/// @since 0.1
public record DeviceOrigin(DeviceConfidence confidence, String source, String note, String checked) {
    /// The provenance of a fact that is taken from the row of a device.
    Provenance provenance(String id) {
        return Provenance.of(
                "device catalogue, " + id + ": " + source, Provenance.Method.CATALOGUE, confidence.meaning());
    }
}
