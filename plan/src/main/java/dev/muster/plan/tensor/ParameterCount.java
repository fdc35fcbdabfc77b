package dev.muster.plan.tensor;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.plan.model.ModelArchitecture;
import java.util.List;

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
        try {
            return switch (ModelTensors.read(architecture)) {
                case Reading.Known<List<ModelTensor>>(List<ModelTensor> tensors, Provenance from) ->
                    Reading.known(count(tensors), from.confidence() == Provenance.Confidence.STATED ? EXACT : ABOUT);
                case Reading.Unknown<List<ModelTensor>>(UnknownReason reason, String detail) ->
                    Reading.unknown(reason, detail);
            };
        } catch (ArithmeticException _) {
            return Reading.unknown(UnknownReason.UNREADABLE, "the architecture has more than 2^63-1 parameters");
        }
    }

    private static ParameterCount count(List<ModelTensor> tensors) {
        long total = 0;
        long active = 0;
        for (ModelTensor tensor : tensors) {
            total = Math.addExact(total, tensor.elements());
            active = Math.addExact(active, tensor.activeElements());
        }
        return new ParameterCount(total, active);
    }
}
