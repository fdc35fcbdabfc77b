package dev.muster.plan.tensor;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.plan.model.ModelArchitecture;

/// How many parameters a model of an architecture has. Exact for the families of [ModelFamily].
///
/// @param total all parameters, those of parts that see or hear among them
/// @param active those that take part in one token
/// @since 0.1
public record ParameterCount(long total, long active) {
    private static final Provenance EXACT =
            Provenance.of("count over the architecture", Provenance.Method.DERIVED, Provenance.Confidence.STATED);
    private static final Provenance ABOUT = Provenance.of(
            "count over the architecture, small tensors as in Llama",
            Provenance.Method.DERIVED,
            Provenance.Confidence.ASSUMED);

    /// Counts; unknown, with the reason, where the architecture lacks a number or says what is not understood.
    public static Reading<ParameterCount> of(ModelArchitecture architecture) {
        return switch (ModelTensors.count(architecture)) {
            case Reading.Known<ParameterCount>(ParameterCount count, Provenance from) ->
                Reading.known(count, from.confidence() == Provenance.Confidence.STATED ? EXACT : ABOUT);
            case Reading.Unknown<ParameterCount> unknown -> unknown;
        };
    }
}
