// SPDX-License-Identifier: Apache-2.0
package dev.muster.model;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bytes;

/// What a planner has to know of a model, wherever it is from: a size, a catalogue, a file. Immutable.
///
/// @param name what it is called
/// @param source what an engine is given to load: a repository of the Hub, a folder or a file; the name where nothing
///     more is known
/// @param parameters how many parameters it has
/// @param activeParameters how many of them take part in one token
/// @param weightBytes what its weights take as they are stored; unknown where no file was read
/// @param architecture how it is built
/// @since 0.1
public record ModelSummary(
        String name,
        String source,
        Reading<Long> parameters,
        Reading<Long> activeParameters,
        Reading<Bytes> weightBytes,
        ModelArchitecture architecture) {
    /// A model of which only the size is known: dense, as far as anybody can tell.
    public static ModelSummary ofSize(String name, ModelSize size) {
        return new ModelSummary(
                name,
                name,
                Reading.known(size.parameters(), Provenance.GIVEN),
                Reading.known(size.parameters(), Provenance.GIVEN),
                Reading.unknown(UnknownReason.NOT_STATED, "only the size was given"),
                ModelArchitecture.UNKNOWN);
    }
}
