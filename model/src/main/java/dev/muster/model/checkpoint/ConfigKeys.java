// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import dev.muster.model.ModelDimension;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// The keys that families of models use for the same dimensions; the first that a configuration has counts.
final class ConfigKeys {
    private static final Map<ModelDimension, List<String>> KEYS = new EnumMap<>(ModelDimension.class);

    static {
        keys(
                ModelDimension.LAYERS,
                "decoder_layers",
                "num_hidden_layers",
                "n_layer",
                "num_layers",
                "n_layers",
                "num_decoder_layers",
                "layers");
        keys(ModelDimension.HIDDEN_SIZE, "hidden_size", "n_embd", "d_model", "model_dim", "embed_dim", "emb_dim");
        keys(
                ModelDimension.HEADS,
                "decoder_attention_heads",
                "num_attention_heads",
                "n_head",
                "n_heads",
                "num_heads",
                "num_decoder_attention_heads",
                "attention_heads");
        keys(
                ModelDimension.KV_HEADS,
                "num_key_value_heads",
                "num_kv_heads",
                "n_head_kv",
                "kv_n_heads",
                "multi_query_group_num");
        keys(ModelDimension.HEAD_SIZE, "head_dim", "kv_channels", "attention_head_dim", "d_head", "dim_head");
        keys(
                ModelDimension.FEED_FORWARD_SIZE,
                "decoder_ffn_dim",
                "intermediate_size_mlp",
                "intermediate_size",
                "n_inner",
                "ffn_dim",
                "ffn_hidden_size",
                "inner_dim",
                "d_inner",
                "dim_ff");
        keys(ModelDimension.VOCABULARY, "vocab_size", "padded_vocab_size");
        keys(ModelDimension.CONTEXT, "max_position_embeddings", "n_positions", "max_seq_len", "seq_length", "n_ctx");
        keys(
                ModelDimension.SLIDING_WINDOW,
                "sliding_window",
                "sliding_window_size",
                "local_window_size",
                "attention_chunk_size",
                "window_size",
                "attention_window_size");
        keys(ModelDimension.EXPERTS, "n_routed_experts", "num_local_experts", "num_experts", "moe_num_experts");
        keys(
                ModelDimension.ACTIVE_EXPERTS,
                "num_experts_per_tok",
                "num_experts_per_token",
                "experts_per_token",
                "moe_top_k",
                "moe_topk",
                "moe_k");
        keys(ModelDimension.SHARED_EXPERTS, "n_shared_experts", "num_shared_experts", "moe_num_shared_experts");
        keys(ModelDimension.EXPERT_FEED_FORWARD_SIZE, "moe_intermediate_size", "expert_hidden_size");
        keys(ModelDimension.EXPERT_LATENT_SIZE, "moe_latent_size", "routed_expert_hidden_size");
        keys(
                ModelDimension.SHARED_FEED_FORWARD_SIZE,
                "shared_expert_intermediate_size",
                "moe_shared_expert_intermediate_size",
                "share_expert_dim");
        keys(ModelDimension.DENSE_LAYERS, "first_k_dense_replace", "moe_layer_start_index", "num_dense_layers");
        keys(
                ModelDimension.EXPERT_LAYER_STEP,
                "interleave_moe_layer_step",
                "decoder_sparse_step",
                "moe_layer_freq",
                "moe_every_n_layers");
        keys(ModelDimension.SHARED_KV_LAYERS, "num_kv_shared_layers");
        keys(ModelDimension.KV_RANK, "kv_lora_rank");
        keys(ModelDimension.QUERY_RANK, "q_lora_rank");
        keys(ModelDimension.ROPE_HEAD_SIZE, "qk_rope_head_dim");
        keys(ModelDimension.PLAIN_HEAD_SIZE, "qk_nope_head_dim");
        keys(ModelDimension.VALUE_HEAD_SIZE, "v_head_dim");
        keys(ModelDimension.INDEXER_HEADS, "index_n_heads");
        keys(ModelDimension.INDEXER_HEAD_SIZE, "index_head_dim");
        keys(ModelDimension.INDEXER_TOKENS, "index_topk");
        keys(ModelDimension.OUTPUT_RANK, "o_lora_rank");
        keys(ModelDimension.OUTPUT_GROUPS, "o_groups");
        keys(ModelDimension.STATE_HEADS, "linear_num_value_heads", "mamba_num_heads", "mamba_n_heads");
        keys(ModelDimension.STATE_GROUPS, "linear_num_key_heads", "n_groups", "mamba_n_groups");
        keys(ModelDimension.STATE_KEY_SIZE, "linear_key_head_dim", "ssm_state_size", "mamba_d_state");
        keys(ModelDimension.STATE_VALUE_SIZE, "linear_value_head_dim", "mamba_head_dim", "mamba_d_head");
        keys(ModelDimension.STATE_CONVOLUTION, "linear_conv_kernel_dim", "conv_kernel", "mamba_d_conv");
    }

    private ConfigKeys() {}

    private static void keys(ModelDimension dimension, String... names) {
        KEYS.put(dimension, List.of(names));
    }

    static Map<ModelDimension, List<String>> all() {
        return KEYS;
    }

    static List<String> of(ModelDimension dimension) {
        return KEYS.getOrDefault(dimension, List.of());
    }
}
