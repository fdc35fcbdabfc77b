// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.tensor;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bytes;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelDimension;
import dev.muster.model.memory.GgufFormat;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/// A model as a GGUF file of a type, such as `Q4_K_M`: such files mix tensor types by role and layer, as llama.cpp's
/// quantizer does. Immutable.
///
/// @param file the type
/// @param hasImportance true if the file is made with an importance matrix even if the quantizer does not require one
public record GgufMix(GgufFormat file, boolean hasImportance) {
    /// Metadata and tokenizer for each token of the vocabulary. Published files: 23 bytes for Llama 2, 39 for Qwen
    /// 2.5, 61 for Llama 3 and 64 for gpt-oss (file size less tensors, 2025).
    private static final long HEADER_BYTES_PER_TOKEN = 50;

    private static final Provenance ABOUT = Provenance.of(
            "tensors of the architecture and a header as it is usual",
            Provenance.Method.DERIVED,
            Provenance.Confidence.ASSUMED);

    /// Returns the mix of a type, made with an importance matrix only if the quantizer requires one.
    public static GgufMix of(GgufFormat file) {
        return new GgufMix(file, false);
    }

    /// Returns the mix made with an importance matrix, as most publishers do: `IQ4_XS` and `IQ4_NL` are then a little
    /// smaller, `Q4_0` and `Q5_0` a little larger.
    public GgufMix withImportanceMatrix() {
        return new GgufMix(file, true);
    }

    /// Returns the bytes of all tensors of a model.
    public Reading<Bytes> size(ModelArchitecture architecture) {
        return weights(architecture).map(StoredWeights::total);
    }

    /// Returns the bytes of the file: its tensors, and about 50 bytes of metadata and tokenizer for each token of the
    /// vocabulary.
    public Reading<Bytes> fileSize(ModelArchitecture architecture) {
        Reading<Bytes> size = size(architecture);
        if (size.find().isEmpty()) {
            return size;
        }
        long tokens = architecture.find(ModelDimension.VOCABULARY).orElse(0);
        Bytes header = Bytes.of(tokens).saturatingTimes(HEADER_BYTES_PER_TOKEN);
        return Reading.known(size.find().get().saturatingPlus(header), ABOUT);
    }

    /// Returns every tensor with its type; unknown if the architecture lacks a number, or files of the type are no
    /// longer made.
    public Reading<StoredWeights> weights(ModelArchitecture architecture) {
        Optional<GgufType> base = base();
        if (base.isEmpty()) {
            return Reading.unknown(UnknownReason.NOT_SUPPORTED, "the mix of " + file.name() + " is not known");
        }
        GgufRecipe recipe = new GgufRecipe(file, base.get(), hasImportance);
        GgufRecipe.Model model = GgufRecipe.Model.of(architecture);
        AtomicInteger downs = new AtomicInteger();
        return StoredWeights.of(architecture, tensor -> {
            int before = tensor.role() == TensorRole.DOWN ? downs.getAndIncrement() : downs.get();
            return store(tensor, recipe.typeOf(new GgufRecipe.Place(tensor, model, before)));
        });
    }

    private static StoredTensor store(ModelTensor tensor, GgufType type) {
        long blocks = tensor.elements() / type.blockElements();
        return new StoredTensor(tensor, type.name(), Bytes.of(Math.multiplyExact(blocks, type.blockBytes())));
    }

    /// Returns the type of most weights of the file; empty if files of the type are no longer made.
    private Optional<GgufType> base() {
        return Optional.ofNullable(
                switch (file) {
                    case F32 -> GgufType.F32;
                    case F16 -> GgufType.F16;
                    case BF16 -> GgufType.BF16;
                    case Q4_0 -> GgufType.Q4_0;
                    case Q4_1 -> GgufType.Q4_1;
                    case Q5_0 -> GgufType.Q5_0;
                    case Q5_1 -> GgufType.Q5_1;
                    case Q8_0 -> GgufType.Q8_0;
                    case Q2_K, Q2_K_S -> GgufType.Q2_K;
                    case Q3_K_S, Q3_K_M, Q3_K_L -> GgufType.Q3_K;
                    case Q4_K_S, Q4_K_M -> GgufType.Q4_K;
                    case Q5_K_S, Q5_K_M -> GgufType.Q5_K;
                    case Q6_K -> GgufType.Q6_K;
                    case IQ1_S -> GgufType.IQ1_S;
                    case IQ1_M -> GgufType.IQ1_M;
                    case IQ2_XXS -> GgufType.IQ2_XXS;
                    case IQ2_XS, IQ2_S -> GgufType.IQ2_XS;
                    case IQ2_M -> GgufType.IQ2_S;
                    case IQ3_XXS -> GgufType.IQ3_XXS;
                    case IQ3_XS, IQ3_S, IQ3_M -> GgufType.IQ3_S;
                    case IQ4_NL -> GgufType.IQ4_NL;
                    case IQ4_XS -> GgufType.IQ4_XS;
                    case TQ1_0 -> GgufType.TQ1_0;
                    case TQ2_0 -> GgufType.TQ2_0;
                    case MXFP4_MOE -> GgufType.MXFP4;
                    case Q4_1_SOME_F16, Q4_2, Q4_3, Q4_0_4_4, Q4_0_4_8, Q4_0_8_8, NVFP4, Q1_0, Q2_0 -> null;
                });
    }
}
