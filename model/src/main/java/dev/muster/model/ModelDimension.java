// SPDX-License-Identifier: Apache-2.0
package dev.muster.model;

/// One number of a model's architecture. Documents and tables follow this list: a new number is a new row.
///
/// @since 0.1
public enum ModelDimension {
    /// Transformer blocks.
    LAYERS("layers", "layers", "layers"),
    /// Width of the residual stream.
    HIDDEN_SIZE("hiddenSize", "hidden size", "hidden"),
    /// Query heads of a layer.
    HEADS("heads", "heads", "heads"),
    /// Key and value heads of a layer.
    KV_HEADS("kvHeads", "KV heads", "kv_heads"),
    /// Width of a head's keys, and of its values unless they have a width of their own.
    HEAD_SIZE("headSize", "head size", "head_dim"),
    /// Query heads of a layer of local attention, if their number differs.
    LOCAL_HEADS("localHeads", "local heads", "local_heads"),
    /// KV heads of a layer that attends to all tokens, if the others have more.
    FULL_KV_HEADS("fullKvHeads", "full-attention KV heads", "full_kv_heads"),
    /// Width of a head of a layer that attends to all tokens, if the others are narrower.
    FULL_HEAD_SIZE("fullHeadSize", "full-attention head size", "full_head_dim"),
    /// Trailing layers that use the KV cache of an earlier one; such a layer has 0 of its own.
    SHARED_KV_LAYERS("sharedKvLayers", "layers that share a KV cache", "shared_kv_layers"),
    /// Width of each layer's own embedding (per-layer embeddings).
    LAYER_INPUT_SIZE("layerInputSize", "per-layer embedding size", "layer_input_dim"),
    /// Inner width of a dense feed-forward block.
    FEED_FORWARD_SIZE("feedForwardSize", "feed-forward size", "ffn"),
    /// Rows of the embedding: tokens of the vocabulary.
    VOCABULARY("vocabularySize", "vocabulary", "vocab"),
    /// Tokens of the context that the model was made for.
    CONTEXT("contextTokens", "context", "context"),
    /// Tokens that a layer of local attention looks back.
    SLIDING_WINDOW("slidingWindowTokens", "sliding window", "sliding_window"),
    /// Interval of layers that attend to all tokens; the others attend to their window.
    FULL_ATTENTION_STEP("fullAttentionStep", "full attention every", "full_attention_every"),
    /// Routed experts of a layer.
    EXPERTS("experts", "experts", "experts"),
    /// Routed experts that each token uses.
    ACTIVE_EXPERTS("activeExperts", "active experts", "experts_per_tok"),
    /// Shared experts, which every token uses.
    SHARED_EXPERTS("sharedExperts", "shared experts"),
    /// Inner width of one expert.
    EXPERT_FEED_FORWARD_SIZE("expertFeedForwardSize", "expert size", "moe_ffn"),
    /// Width that experts work in, if narrower than the model (latent experts).
    EXPERT_LATENT_SIZE("expertLatentSize", "expert latent size", "moe_latent"),
    /// Inner width of all shared experts together.
    SHARED_FEED_FORWARD_SIZE("sharedFeedForwardSize", "shared expert size", "shared_ffn"),
    /// Leading layers that have no experts.
    DENSE_LAYERS("denseLayers", "dense layers", "dense_layers"),
    /// Interval of layers with experts.
    EXPERT_LAYER_STEP("expertLayerStep", "experts every", "moe_every"),
    /// Rank of the compressed KV cache (multi-head latent attention).
    KV_RANK("kvRank", "KV rank", "kv_lora_rank"),
    /// Tokens of the KV cache for each entry that is kept (DeepSeek 4).
    KV_COMPRESSION("kvCompression", "KV compression", "kv_compression"),
    /// Heads of the indexer that chooses tokens for sparse attention.
    INDEXER_HEADS("indexerHeads", "indexer heads", "index_heads"),
    /// Width of a head of the indexer, and of the one key that it keeps for each token.
    INDEXER_HEAD_SIZE("indexerHeadSize", "indexer head size", "index_head_dim"),
    /// Tokens that the indexer chooses.
    INDEXER_TOKENS("indexerTokens", "indexer tokens", "index_topk"),
    /// Rank of each group of the attention's output (DeepSeek 4).
    OUTPUT_RANK("outputRank", "output rank", "o_lora_rank"),
    /// Groups of heads whose output is compressed together (DeepSeek 4).
    OUTPUT_GROUPS("outputGroups", "output groups", "o_groups"),
    /// Rank of the compressed queries (latent attention).
    QUERY_RANK("queryRank", "query rank", "q_lora_rank"),
    /// Width of a head's rotated part (multi-head latent attention).
    ROPE_HEAD_SIZE("ropeHeadSize", "rotated head size", "qk_rope_dim"),
    /// Width of a head's unrotated part (multi-head latent attention).
    PLAIN_HEAD_SIZE("plainHeadSize", "unrotated head size", "qk_nope_dim"),
    /// Width of a head's values, if it differs from that of its keys.
    VALUE_HEAD_SIZE("valueHeadSize", "value head size", "v_head_dim"),
    /// Heads of a layer that keeps a state (Mamba, linear attention); each keeps a matrix of keys by values.
    STATE_HEADS("stateHeads", "state heads", "state_heads"),
    /// Groups of those heads that share keys and queries.
    STATE_GROUPS("stateGroups", "state groups", "state_groups"),
    /// Width of a state's keys.
    STATE_KEY_SIZE("stateKeySize", "state key size", "state_key_dim"),
    /// Width of a state's values.
    STATE_VALUE_SIZE("stateValueSize", "state value size", "state_value_dim"),
    /// Tokens that the convolution before a state covers.
    STATE_CONVOLUTION("stateConvolutionTokens", "state convolution", "state_conv");

    private final String key;
    private final String label;
    private final String column;

    ModelDimension(String key, String label) {
        this(key, label, "");
    }

    ModelDimension(String key, String label, String column) {
        this.key = key;
        this.label = label;
        this.column = column;
    }

    /// Returns the key in documents.
    public String key() {
        return key;
    }

    /// Returns the name in tables.
    public String label() {
        return label;
    }

    /// Returns the column of the model catalogue; blank if it has none.
    public String column() {
        return column;
    }
}
