// SPDX-License-Identifier: Apache-2.0
package dev.muster.model;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bytes;

/// The facts about a model that planners need, from a size, a catalogue or a file. Immutable.
///
/// @param name the model's name
/// @param source the model for engines to load: a repository of the Hub, a folder or a file; the name if nothing more
/// is known
/// @param parameters number of parameters
/// @param activeParameters number of parameters that take part in one token
/// @param weightBytes bytes of the weights as stored; unknown if no file was read
/// @param architecture the architecture
/// @since 0.1
public record ModelSummary(
        String name,
        String source,
        Reading<Long> parameters,
        Reading<Long> activeParameters,
        Reading<Bytes> weightBytes,
        ModelArchitecture architecture) {
    private static final Provenance FINE_TUNE = Provenance.of(
            "the model that a fine-tune is named after", Provenance.Method.DERIVED, Provenance.Confidence.ASSUMED);

    /// Returns the summary of a model of which only the size is known; it is taken for a dense one.
    public static ModelSummary ofSize(String name, ModelSize size) {
        return new ModelSummary(
                name,
                name,
                Reading.known(size.parameters(), Provenance.GIVEN),
                Reading.known(size.parameters(), Provenance.GIVEN),
                Reading.unknown(UnknownReason.NOT_STATED, "only the size was given"),
                ModelArchitecture.UNKNOWN);
    }

    /// Returns a copy for a fine-tune of this model, of which only the name is known.
    ///
    /// @param name the repository or the name that engines load
    /// @since 0.3
    public ModelSummary asFineTune(String name) {
        Reading<Long> assumed =
                parameters.find().map(known -> Reading.known(known, FINE_TUNE)).orElse(parameters);
        return new ModelSummary(this.name, name, assumed, activeParameters, weightBytes, architecture);
    }

    /// Reports whether the figures are those of the model that a fine-tune is named after.
    ///
    /// @since 0.3
    public boolean isFineTune() {
        return parameters instanceof Reading.Known<Long>(Long _, Provenance from) && from.equals(FINE_TUNE);
    }
}
