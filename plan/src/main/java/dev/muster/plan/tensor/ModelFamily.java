package dev.muster.plan.tensor;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// Kinds of models whose small tensors are known: which layers have biases, how many norms there are. With them a
/// parameter count from a configuration is exact. Sources: the published checkpoints' tensor lists.
///
/// @since 0.1
public enum ModelFamily {
    /// Llama and what is built like it.
    LLAMA(List.of(
            "llama", "mistral", "mixtral", "baichuan", "internlm2", "phi3", "smollm3", "ministral", "ministral3")),
    /// Llama 4, text part.
    LLAMA4(List.of("llama4", "llama4_text")),
    /// Qwen 1.5, 2 and 2.5, and ChatGLM: biases at queries, keys and values.
    QWEN2(List.of("qwen2", "chatglm", "qwen2_vl", "qwen2_5_vl", "qwen2_5_vl_text"), Trait.QKV_BIAS),
    /// Qwen 1.5 and 2 with experts.
    QWEN2_MOE(List.of("qwen2_moe", "qwen2moe"), Trait.QKV_BIAS, Trait.SHARED_GATE),
    /// Qwen 3, with and without experts: norms at queries and keys.
    QWEN3(List.of("qwen3", "qwen3_moe", "qwen3moe"), Trait.QK_NORM),
    /// Qwen 3.5 and Qwen3-Next: every fourth layer attends, behind a gate; the others are gated delta nets.
    QWEN3_5(
            List.of("qwen3_5", "qwen3_5_text", "qwen3_5_moe", "qwen3_5_moe_text", "qwen3_next"),
            Trait.QK_NORM,
            Trait.ATTENTION_GATE,
            Trait.SHARED_GATE),
    /// Nemotron-H and Nemotron 3: layers of Mamba-2, attention or a feed-forward block, each with one norm.
    NEMOTRON_H(List.of("nemotron_h"), Trait.ONE_NORM, Trait.UNGATED, Trait.MAMBA, Trait.ROUTER_BIAS),
    /// The first Gemma.
    GEMMA(List.of("gemma"), Trait.TIED),
    /// Gemma 2: four norms a layer.
    GEMMA2(List.of("gemma2"), Trait.TIED, Trait.FOUR_NORMS),
    /// Gemma 3: four norms a layer, and norms at queries and keys.
    GEMMA3(List.of("gemma3", "gemma3_text"), Trait.TIED, Trait.FOUR_NORMS, Trait.QK_NORM),
    /// Gemma 3n: as Gemma 3, and an embedding for each layer; its smallest tensors (AltUp, LAuReL) are not counted.
    GEMMA3N(List.of("gemma3n", "gemma3n_text"), Trait.TIED, Trait.FOUR_NORMS, Trait.QK_NORM, Trait.MORE),
    /// Gemma 4: layers that attend to all tokens have wider heads, and use keys as values.
    GEMMA4(List.of("gemma4", "gemma4_text"), Trait.TIED, Trait.FOUR_NORMS, Trait.QK_NORM, Trait.KEYS_ARE_VALUES),
    /// Phi 1.5 and 2.
    PHI(List.of("phi", "phi-msft", "phi2"), Trait.BIASED, Trait.ONE_NORM, Trait.HEAD_BIAS),
    /// GPT-2 and 3, OPT, the first StarCoder.
    GPT2(List.of("gpt2", "gpt3", "opt", "gpt_bigcode", "starcoder"), Trait.BIASED, Trait.POSITIONS, Trait.TIED),
    /// StarCoder 2.
    STARCODER2(List.of("starcoder2"), Trait.BIASED, Trait.TIED),
    /// GPT-J.
    GPTJ(List.of("gptj"), Trait.MLP_BIAS, Trait.NORM_BIAS, Trait.ONE_NORM, Trait.HEAD_BIAS, Trait.UNGATED),
    /// GPT-NeoX and Pythia.
    GPT_NEOX(List.of("gpt_neox", "gptneox"), Trait.BIASED),
    /// BLOOM.
    BLOOM(List.of("bloom"), Trait.BIASED, Trait.EMBEDDING_NORM, Trait.TIED),
    /// MPT.
    MPT(List.of("mpt"), Trait.UNGATED, Trait.TIED),
    /// Falcon; its smallest has one norm a layer, like its only key and value head.
    FALCON(
            List.of("falcon", "refinedweb", "refinedwebmodel"),
            Trait.NORM_BIAS,
            Trait.UNGATED,
            Trait.TIED,
            Trait.ONE_NORM_FOR_ONE_KV_HEAD),
    /// Command R.
    COHERE(List.of("cohere", "command-r"), Trait.ONE_NORM, Trait.TIED),
    /// DeepSeek 2 and 3, Kimi K2.
    DEEPSEEK(List.of("deepseek_v2", "deepseek_v3", "deepseek2", "kimi_k2"), Trait.LATENT_NORMS),
    /// DeepSeek 4: one KV head, whose keys are values; compressors and the indexer, a few percent of the attention,
    /// are not counted.
    DEEPSEEK4(List.of("deepseek_v4"), Trait.KEYS_ARE_VALUES, Trait.QK_NORM, Trait.SINKS, Trait.MORE),
    /// gpt-oss: biases nearly everywhere, and a sink for each head.
    GPT_OSS(
            List.of("gpt_oss", "gpt-oss"),
            Trait.QKV_BIAS,
            Trait.OUTPUT_BIAS,
            Trait.ROUTER_BIAS,
            Trait.EXPERT_BIAS,
            Trait.SINKS),
    /// A family whose small tensors are not known: counted like Llama, and off by less than a percent.
    OTHER(List.of());

    private final List<String> names;
    private final Set<Trait> traits;

    ModelFamily(List<String> names, Trait... traits) {
        this(names, Set.of(), traits);
    }

    ModelFamily(List<String> names, Set<Trait> some, Trait... more) {
        this.names = names;
        this.traits = EnumSet.noneOf(Trait.class);
        traits.addAll(some);
        traits.addAll(List.of(more));
    }

    /// The family that a configuration calls by this name.
    public static ModelFamily of(String name) {
        String wanted = name.toLowerCase(Locale.ROOT);
        for (ModelFamily family : values()) {
            if (family.names.contains(wanted)) {
                return family;
            }
        }
        return OTHER;
    }

    /// Whether the family's models share input and output embedding where their configuration says nothing; empty
    /// where the family is not known.
    public Optional<Boolean> tiesEmbeddings() {
        return this == OTHER ? Optional.empty() : Optional.of(has(Trait.TIED));
    }

    /// Whether the feed-forward block is four times as wide as the model where the configuration says nothing.
    public boolean quadruplesHidden() {
        return has(Trait.UNGATED);
    }

    boolean has(Trait trait) {
        return traits.contains(trait);
    }

    /// What a family's layers have beside the large matrices.
    enum Trait {
        /// Biases of queries, keys and values.
        QKV_BIAS,
        /// A bias of the attention's output.
        OUTPUT_BIAS,
        /// Biases of the feed-forward block.
        MLP_BIAS,
        /// Norms have a bias.
        NORM_BIAS,
        /// Queries and keys are normalised head by head.
        QK_NORM,
        /// One norm a layer instead of two.
        ONE_NORM,
        /// One norm a layer where there is one key and value head.
        ONE_NORM_FOR_ONE_KV_HEAD,
        /// Four norms a layer instead of two.
        FOUR_NORMS,
        /// Norms between the two steps of latent attention, and a bias that balances the router.
        LATENT_NORMS,
        /// Two matrices in a feed-forward block instead of three.
        UNGATED,
        /// Learned positions.
        POSITIONS,
        /// A bias of the output embedding.
        HEAD_BIAS,
        /// A norm behind the embedding.
        EMBEDDING_NORM,
        /// Input and output embedding are the same.
        TIED,
        /// Layers that attend to all tokens use their keys as values.
        KEYS_ARE_VALUES,
        /// There is more that is not counted, so that a count is near and not exact.
        MORE,
        /// The router has a bias.
        ROUTER_BIAS,
        /// Experts have biases.
        EXPERT_BIAS,
        /// A learned number for each head.
        SINKS,
        /// The shared expert has a gate.
        SHARED_GATE,
        /// Queries come with a gate of the same width.
        ATTENTION_GATE,
        /// Layers with a state are Mamba-2, not gated delta nets.
        MAMBA;

        /// As in GPT-2: biases everywhere, and two matrices in a feed-forward block.
        static final Set<Trait> BIASED = Set.of(QKV_BIAS, OUTPUT_BIAS, MLP_BIAS, NORM_BIAS, UNGATED);
    }
}
