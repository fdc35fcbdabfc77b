// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.tensor;

import static dev.muster.model.tensor.GgufType.F16;
import static dev.muster.model.tensor.GgufType.F32;
import static dev.muster.model.tensor.GgufType.IQ2_S;
import static dev.muster.model.tensor.GgufType.IQ2_XXS;
import static dev.muster.model.tensor.GgufType.IQ3_S;
import static dev.muster.model.tensor.GgufType.IQ3_XXS;
import static dev.muster.model.tensor.GgufType.IQ4_NL;
import static dev.muster.model.tensor.GgufType.MXFP4;
import static dev.muster.model.tensor.GgufType.Q2_K;
import static dev.muster.model.tensor.GgufType.Q3_K;
import static dev.muster.model.tensor.GgufType.Q4_0;
import static dev.muster.model.tensor.GgufType.Q4_1;
import static dev.muster.model.tensor.GgufType.Q4_K;
import static dev.muster.model.tensor.GgufType.Q5_0;
import static dev.muster.model.tensor.GgufType.Q5_1;
import static dev.muster.model.tensor.GgufType.Q5_K;
import static dev.muster.model.tensor.GgufType.Q6_K;
import static dev.muster.model.tensor.GgufType.Q8_0;

import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelDimension;
import dev.muster.model.memory.GgufFormat;
import java.util.Locale;
import java.util.Set;

/// The types that llama.cpp's quantizer gives to tensors: facts of its source (src/llama-quant.cpp, 2024 to 2026),
/// role by role. In these tables a file type that is not named gets its base type.
///
/// @param file the file type
/// @param base type of most of its weights
/// @param hasImportance true if an importance matrix guides it even for types that do not require one
record GgufRecipe(GgufFormat file, GgufType base, boolean hasImportance) {
    GgufType typeOf(Place at) {
        return switch (at.role()) {
            case VECTOR, ROUTER, POSITIONS -> F32;
            case VISION, AUDIO, PART -> F16;
            default -> file.isQuantized() ? fitting(quantized(at), at.tensor().columns()) : base;
        };
    }

    private GgufType quantized(Place at) {
        if (at.isHead()) {
            return head(at);
        }
        if (file == GgufFormat.MXFP4_MOE) {
            return at.isExpert() ? MXFP4 : Q8_0;
        }
        return switch (at.role()) {
            case EMBEDDING, LAYER_EMBEDDING -> embedding();
            case QUERY -> at.model().isFused() ? fused() : query();
            case KEY -> at.model().isFused() ? fused() : key(at);
            case VALUE -> at.model().isFused() ? fused() : value(at);
            case ATTENTION_OUTPUT -> attentionOutput(at);
            case GATE, UP -> intoBlock(at);
            case DOWN -> at.model().isFalcon() ? falconDown(at) : down(at);
            case OUTPUT, LATENT_DOWN, LATENT_UP, STATE_IN, STATE_OUT, VECTOR, ROUTER, POSITIONS, VISION, AUDIO, PART ->
                base;
        };
    }

    private GgufType head(Place at) {
        if (at.model().isFalcon() || at.tensor().columns() % base.blockElements() != 0) {
            return Q8_0;
        }
        return switch (file) {
            case Q8_0, MXFP4_MOE -> Q8_0;
            case IQ1_S, IQ1_M, IQ2_XXS, IQ2_XS, IQ2_S, IQ2_M, IQ3_XXS -> Q5_K;
            default -> Q6_K;
        };
    }

    private GgufType embedding() {
        return switch (file) {
            case IQ1_S, IQ1_M, IQ2_XXS, IQ2_XS -> Q2_K;
            case IQ2_S, IQ2_M, IQ3_XXS -> IQ3_S;
            case TQ1_0, TQ2_0 -> Q4_K;
            default -> base;
        };
    }

    /// Since 2026 the quantizer takes fused tensors for values; files published before, which are most, follow
    /// this.
    private GgufType fused() {
        return switch (file) {
            case Q3_K_M, Q3_K_L, IQ3_M -> Q4_K;
            case Q4_K_M -> Q5_K;
            case Q5_K_M -> Q6_K;
            default -> base;
        };
    }

    private GgufType query() {
        return switch (file) {
            case IQ3_XXS -> IQ2_S;
            case IQ3_XS -> IQ3_XXS;
            default -> base;
        };
    }

    private GgufType key(Place at) {
        if (at.model().hasEightExperts()) {
            return isTiny() ? Q4_K : Q8_0;
        }
        return query();
    }

    private GgufType value(Place at) {
        if (at.model().hasEightExperts() && !isTiny()) {
            return Q8_0;
        }
        GgufType type = plainValue(at);
        return at.model().is70b() && !isTiny() && (type == Q3_K || type == Q4_K) ? Q5_K : type;
    }

    private GgufType plainValue(Place at) {
        boolean shared = at.model().sharesKeys();
        boolean cheap = shared || at.model().experts() >= 4;
        return switch (file) {
            case IQ1_S, IQ1_M, IQ2_XXS, IQ2_XS -> cheap ? Q4_K : Q2_K;
            case IQ2_S, IQ2_M -> cheap ? Q4_K : IQ3_S;
            case Q2_K -> shared ? Q4_K : Q3_K;
            case Q2_K_S, IQ3_XXS, IQ3_XS, IQ3_S -> shared ? Q4_K : base;
            case IQ3_M -> Q4_K;
            case Q3_K_M -> at.layer() < 2 ? Q5_K : Q4_K;
            case Q3_K_L -> Q5_K;
            case IQ4_NL, IQ4_XS -> shared ? Q5_K : base;
            case Q4_K_S -> at.layer() < 4 ? Q5_K : base;
            case Q4_K_M, Q5_K_M -> at.isInSensitiveLayer() ? Q6_K : base;
            default -> base;
        };
    }

    private GgufType attentionOutput(Place at) {
        if (at.model().isFalcon() && !isTiny()) {
            return file == GgufFormat.Q3_K_L ? Q4_K : base;
        }
        if (at.model().hasEightExperts()) {
            return switch (file) {
                case Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q2_K_S, Q3_K_L, Q5_K_S, Q5_K_M, Q6_K, TQ1_0, TQ2_0 -> base;
                default -> Q5_K;
            };
        }
        return switch (file) {
            case IQ1_S, IQ1_M -> IQ2_XXS;
            case IQ2_S, IQ2_M, IQ3_XXS -> IQ3_S;
            case Q2_K -> Q3_K;
            case Q3_K_M, IQ3_M -> Q4_K;
            case Q3_K_L -> Q5_K;
            default -> base;
        };
    }

    private GgufType intoBlock(Place at) {
        boolean between = !at.isInFirst8th() && !at.isInLast8th();
        return file == GgufFormat.IQ3_XS && between ? IQ3_XXS : base;
    }

    private GgufType down(Place at) {
        boolean early = at.isInFirst8th();
        boolean sensitive = at.isInSensitiveLayer();
        return switch (file) {
            case IQ1_S, IQ1_M, IQ2_XXS, IQ2_XS -> isAmongFirstDowns(at) ? Q2_K : base;
            case IQ2_S, IQ2_M -> isAmongFirstDowns(at) ? IQ3_S : base;
            case Q2_K -> Q3_K;
            case Q2_K_S -> early ? Q4_K : base;
            case IQ3_M -> early || (at.model().hasEightExperts() && sensitive) ? Q4_K : base;
            case Q3_K_M -> at.isInFirst16th() ? Q5_K : Q4_K;
            case Q3_K_L -> Q5_K;
            case IQ4_NL, IQ4_XS -> early && !hasImportance ? Q5_K : base;
            case Q4_K_S -> early ? Q5_K : base;
            case Q4_0 -> early && hasImportance ? Q4_1 : base;
            case Q5_0 -> early && hasImportance ? Q5_1 : base;
            case Q4_K_M, Q5_K_M -> sensitive ? Q6_K : base;
            default -> base;
        };
    }

    private GgufType falconDown(Place at) {
        boolean sensitive = at.isInSensitiveLayer();
        return switch (file) {
            case Q3_K_M -> at.isInFirst16th() ? Q5_K : sensitive ? Q4_K : base;
            case Q3_K_L -> Q4_K;
            case Q4_K_S -> base;
            case Q4_K_M -> at.isInFirst16th() ? Q6_K : sensitive ? Q5_K : base;
            default -> down(at);
        };
    }

    /// Reports whether a tensor is among the first down projections; the smallest recipes count tensors, the others
    /// layers.
    private static boolean isAmongFirstDowns(Place at) {
        return at.downs() < at.model().layers() / 8;
    }

    private boolean isTiny() {
        return switch (file) {
            case IQ1_S, IQ1_M, IQ2_XXS, IQ2_XS, IQ2_S, IQ2_M -> true;
            default -> false;
        };
    }

    /// Returns the type itself if rows are whole blocks of it, or the next larger one of smaller blocks.
    private static GgufType fitting(GgufType type, long columns) {
        if (columns % type.blockElements() == 0) {
            return type;
        }
        GgufType smaller = switch (type) {
            case IQ1_S, IQ1_M, IQ2_XXS, IQ2_XS, IQ2_S, IQ3_XXS, IQ3_S, IQ4_XS -> IQ4_NL;
            case Q2_K, Q3_K, TQ1_0, TQ2_0 -> Q4_0;
            case Q4_K -> Q5_0;
            case Q5_K -> Q5_1;
            case Q6_K -> Q8_0;
            default -> F16;
        };
        return columns % smaller.blockElements() == 0 ? smaller : F16;
    }

    /// The facts about a model that llama.cpp's quantizer uses to choose types.
    ///
    /// @param layers its layers
    /// @param queriesPerKey query heads that share a key and value head
    /// @param experts experts of a layer; 0 if there are none
    /// @param isTied true if the embedding is the output too
    /// @param isFalcon true if it is a Falcon, which has rules of its own
    /// @param isFused true if queries, keys and values are one tensor in GGUF
    /// @param is70b true if llama.cpp takes it for a model of 70 billion parameters with shared keys
    record Model(
            int layers,
            long queriesPerKey,
            long experts,
            boolean isTied,
            boolean isFalcon,
            boolean isFused,
            boolean is70b) {
        /// Families with fused tensors, from the tensor lists of llama.cpp's converter (2026). Baichuan's and
        /// InternLM's fused tensors are taken apart.
        private static final Set<String> FUSED = Set.of(
                "phi3",
                "gpt2",
                "gpt_bigcode",
                "starcoder",
                "gpt_neox",
                "gptneox",
                "bloom",
                "mpt",
                "falcon",
                "refinedweb",
                "refinedwebmodel",
                "chatglm");

        private static final Set<String> FALCON = Set.of("falcon", "refinedweb", "refinedwebmodel");

        /// Families to which the rule for 70 billion parameters applies.
        private static final Set<String> LIKE_70B = Set.of(
                "llama",
                "mistral",
                "mixtral",
                "baichuan",
                "internlm2",
                "phi3",
                "smollm3",
                "ministral",
                "ministral3",
                "qwen2",
                "chatglm",
                "qwen2_vl",
                "qwen2_5_vl",
                "qwen2_5_vl_text");

        private static final int LAYERS_OF_70B = 80;

        static Model of(ModelArchitecture architecture) {
            String name = architecture.family().find().orElse("").toLowerCase(Locale.ROOT);
            int layers = (int) Math.min(
                    Integer.MAX_VALUE, architecture.find(ModelDimension.LAYERS).orElse(0));
            long heads = architecture.find(ModelDimension.HEADS).orElse(1);
            long keys = Math.max(1, architecture.find(ModelDimension.KV_HEADS).orElse(heads));
            boolean known70b = LIKE_70B.contains(name);
            return new Model(
                    layers,
                    heads / keys,
                    architecture.find(ModelDimension.EXPERTS).orElse(0),
                    architecture.tiedEmbeddings().find().orElse(false),
                    FALCON.contains(name),
                    FUSED.contains(name),
                    known70b && layers == LAYERS_OF_70B && heads > keys);
        }

        /// Reports whether values are so few that more bits for them cost little.
        boolean sharesKeys() {
            return queriesPerKey >= 4;
        }

        /// Reports whether a model has eight experts, as Mixtral.
        boolean hasEightExperts() {
            return experts == 8;
        }
    }

    /// The place of a tensor in a model, as the recipes of llama.cpp's quantizer use it. Shares of layers are rounded
    /// down, as there.
    ///
    /// @param tensor the tensor
    /// @param model the model
    /// @param downs number of down projections before it; a shared expert's counts beside its layer's experts
    record Place(ModelTensor tensor, GgufRecipe.Model model, int downs) {
        TensorRole role() {
            return tensor.role();
        }

        int layer() {
            return tensor.layer();
        }

        /// Reports whether it is the output projection.
        boolean isHead() {
            return role() == TensorRole.OUTPUT || (role() == TensorRole.EMBEDDING && model.isTied());
        }

        boolean isExpert() {
            return tensor.count() > 1;
        }

        boolean isInFirst16th() {
            return layer() < model.layers() / 16;
        }

        boolean isInFirst8th() {
            return layer() < model.layers() / 8;
        }

        boolean isInLast8th() {
            return layer() >= 7 * model.layers() / 8;
        }

        /// Reports whether it is in one of the layers that the `M` recipes give more bits: both ends, and every third
        /// between.
        boolean isInSensitiveLayer() {
            return isInFirst8th() || isInLast8th() || (layer() - model.layers() / 8) % 3 == 2;
        }
    }
}
