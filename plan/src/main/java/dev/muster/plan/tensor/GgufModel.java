package dev.muster.plan.tensor;

import dev.muster.plan.model.ModelArchitecture;
import dev.muster.plan.model.ModelDimension;
import java.util.Locale;
import java.util.Set;

/// What llama.cpp's quantizer asks of a model before it chooses types.
///
/// @param layers its layers
/// @param queriesPerKey query heads that share a key and value head
/// @param experts experts of a layer; 0 where there are none
/// @param isTied whether the embedding is the output too
/// @param isFalcon whether it is a Falcon, which has rules of its own
/// @param isFused whether queries, keys and values are one tensor in GGUF
/// @param is70b whether llama.cpp takes it for a model of 70 billion parameters with shared keys
record GgufModel(
        int layers,
        long queriesPerKey,
        long experts,
        boolean isTied,
        boolean isFalcon,
        boolean isFused,
        boolean is70b) {
    /// From the tensor lists of llama.cpp's converter (2026). Baichuan's and InternLM's fused tensors are taken apart.
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

    private static final int LAYERS_OF_70B = 80;

    static GgufModel of(ModelArchitecture architecture) {
        String name = architecture.family().find().orElse("").toLowerCase(Locale.ROOT);
        ModelFamily family = ModelFamily.of(name);
        int layers = (int) Math.min(
                Integer.MAX_VALUE, architecture.find(ModelDimension.LAYERS).orElse(0));
        long heads = architecture.find(ModelDimension.HEADS).orElse(1);
        long keys = Math.max(1, architecture.find(ModelDimension.KV_HEADS).orElse(heads));
        boolean known70b = family == ModelFamily.LLAMA || family == ModelFamily.QWEN2;
        return new GgufModel(
                layers,
                heads / keys,
                architecture.find(ModelDimension.EXPERTS).orElse(0),
                architecture.tiedEmbeddings().find().orElse(false),
                family == ModelFamily.FALCON,
                FUSED.contains(name),
                known70b && layers == LAYERS_OF_70B && heads > keys);
    }

    /// Whether values are so few that more bits for them cost little.
    boolean sharesKeys() {
        return queriesPerKey >= 4;
    }

    /// As Mixtral is built.
    boolean hasEightExperts() {
        return experts == 8;
    }
}
