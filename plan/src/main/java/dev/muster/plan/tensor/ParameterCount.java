package dev.muster.plan.tensor;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.plan.model.ModelArchitecture;
import java.util.List;
import java.util.Optional;

/// How many parameters a model of an architecture has. Exact for the families of [ModelFamily].
///
/// @param total all parameters
/// @param active those that take part in one token
/// @since 0.1
public record ParameterCount(long total, long active) {
    private static final Provenance EXACT =
            Provenance.of("count over the architecture", Provenance.Method.DERIVED, Provenance.Confidence.STATED);
    private static final Provenance ABOUT = Provenance.of(
            "count over the architecture, small tensors as in Llama",
            Provenance.Method.DERIVED,
            Provenance.Confidence.ASSUMED);

    /// Counts; unknown where the architecture lacks a number.
    public static Reading<ParameterCount> of(ModelArchitecture architecture) {
        try {
            return count(architecture);
        } catch (ArithmeticException _) {
            return Reading.unknown(UnknownReason.UNREADABLE, "the architecture has more than 2^63-1 parameters");
        }
    }

    private static Reading<ParameterCount> count(ModelArchitecture architecture) {
        Optional<List<ModelTensor>> tensors = ModelTensors.of(architecture);
        if (tensors.isEmpty()) {
            return Reading.unknown(UnknownReason.NOT_STATED, "the architecture is not complete");
        }
        long total = 0;
        long active = 0;
        for (ModelTensor tensor : tensors.get()) {
            total = Math.addExact(total, tensor.elements());
            active = Math.addExact(active, tensor.activeElements());
        }
        boolean known = architecture
                .family()
                .find()
                .map(ModelFamily::of)
                .filter(family -> family != ModelFamily.OTHER && !family.has(ModelFamily.Trait.MORE))
                .isPresent();
        return Reading.known(new ParameterCount(total, active), known ? EXACT : ABOUT);
    }
}
