package dev.muster.plan.tensor;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bytes;
import dev.muster.plan.memory.GgufFormat;
import dev.muster.plan.memory.StandardFormat;
import dev.muster.plan.memory.WeightFormat;
import dev.muster.plan.model.ModelArchitecture;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// What the weights of a model take in a format, tensor by tensor. Without the file's header: names, metadata and
/// tokenizer are a few MB beside gigabytes. Immutable.
///
/// @param tensors all tensors
/// @since 0.1
public record StoredWeights(List<StoredTensor> tensors) {
    private static final Provenance EXACT =
            Provenance.of("tensors of the architecture", Provenance.Method.DERIVED, Provenance.Confidence.STATED);
    private static final Provenance ABOUT = Provenance.of(
            "tensors of the architecture, small ones as in Llama",
            Provenance.Method.DERIVED,
            Provenance.Confidence.ASSUMED);

    /// Copies the tensors.
    public StoredWeights {
        tensors = List.copyOf(tensors);
    }

    /// What the weights of an architecture take in a format; unknown where the architecture lacks a number. Models
    /// with latent attention scale their 8-bit numbers block by block.
    public static Reading<StoredWeights> of(ModelArchitecture architecture, WeightFormat format) {
        return switch (format) {
            case StandardFormat standard -> {
                StandardFormat stored = standard == StandardFormat.FP8 && architecture.hasLatentAttention()
                        ? StandardFormat.FP8_BLOCK
                        : standard;
                yield of(architecture, tensor -> StandardStorage.store(tensor, stored));
            }
            case GgufFormat gguf -> GgufMix.of(gguf).weights(architecture);
        };
    }

    /// Stores every tensor of an architecture, in the order of files; unknown where the architecture lacks a
    /// number.
    static Reading<StoredWeights> of(ModelArchitecture architecture, Function<ModelTensor, StoredTensor> store) {
        Optional<List<ModelTensor>> tensors = ModelTensors.of(architecture);
        if (tensors.isEmpty()) {
            return Reading.unknown(UnknownReason.NOT_STATED, "the architecture is not complete");
        }
        List<StoredTensor> stored = new ArrayList<>();
        try {
            for (ModelTensor tensor : tensors.get()) {
                stored.add(store.apply(tensor));
            }
            return Reading.known(new StoredWeights(stored), provenance(architecture));
        } catch (ArithmeticException _) {
            return Reading.unknown(UnknownReason.UNREADABLE, "the architecture has more than 2^63-1 bits");
        }
    }

    private static Provenance provenance(ModelArchitecture architecture) {
        ModelFamily family = architecture.family().find().map(ModelFamily::of).orElse(ModelFamily.OTHER);
        return family == ModelFamily.OTHER ? ABOUT : EXACT;
    }

    /// All weights.
    public Bytes total() {
        Bytes sum = Bytes.ZERO;
        for (StoredTensor tensor : tensors) {
            sum = sum.saturatingPlus(tensor.bytes());
        }
        return sum;
    }
}
