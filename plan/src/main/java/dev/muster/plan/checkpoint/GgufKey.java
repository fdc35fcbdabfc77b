package dev.muster.plan.checkpoint;

import dev.muster.plan.model.ModelDimension;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The keys of a GGUF header whose values are kept.
final class GgufKey {
    static final String ARCHITECTURE = "general.architecture";
    static final String NAME = "general.name";
    static final String FILE_TYPE = "general.file_type";
    static final String ALIGNMENT = "general.alignment";
    static final String TOKENS = "tokenizer.ggml.tokens";
    static final String SPLIT_NUMBER = "split.no";
    static final String SPLIT_COUNT = "split.count";
    static final String SPLIT_TENSORS = "split.tensors.count";

    /// After the name of the architecture: widths of heads, which mean one thing with latent attention and another
    /// without.
    static final String KEY_LENGTH = ".attention.key_length";

    static final String VALUE_LENGTH = ".attention.value_length";
    static final String LATENT_KEY_LENGTH = ".attention.key_length_mla";
    static final String LATENT_VALUE_LENGTH = ".attention.value_length_mla";
    static final String ROPE_LENGTH = ".rope.dimension_count";

    /// Numbers that mean the same in every architecture, after its name.
    static final Map<ModelDimension, String> DIMENSIONS = dimensions();

    /// The longest key that is kept; the longest of llama.cpp has some 60 bytes.
    private static final int KEPT_BYTES = 128;

    private static final Set<String> WHOLE =
            Set.of(ARCHITECTURE, NAME, FILE_TYPE, ALIGNMENT, TOKENS, SPLIT_NUMBER, SPLIT_COUNT, SPLIT_TENSORS);

    private static final String[] ENDINGS = endings();

    private GgufKey() {}

    private static Map<ModelDimension, String> dimensions() {
        Map<ModelDimension, String> keys = new EnumMap<>(ModelDimension.class);
        keys.put(ModelDimension.LAYERS, ".block_count");
        keys.put(ModelDimension.HIDDEN_SIZE, ".embedding_length");
        keys.put(ModelDimension.HEADS, ".attention.head_count");
        keys.put(ModelDimension.KV_HEADS, ".attention.head_count_kv");
        keys.put(ModelDimension.FEED_FORWARD_SIZE, ".feed_forward_length");
        keys.put(ModelDimension.VOCABULARY, ".vocab_size");
        keys.put(ModelDimension.CONTEXT, ".context_length");
        keys.put(ModelDimension.SLIDING_WINDOW, ".attention.sliding_window");
        keys.put(ModelDimension.EXPERTS, ".expert_count");
        keys.put(ModelDimension.ACTIVE_EXPERTS, ".expert_used_count");
        keys.put(ModelDimension.SHARED_EXPERTS, ".expert_shared_count");
        keys.put(ModelDimension.EXPERT_FEED_FORWARD_SIZE, ".expert_feed_forward_length");
        keys.put(ModelDimension.SHARED_FEED_FORWARD_SIZE, ".expert_shared_feed_forward_length");
        keys.put(ModelDimension.DENSE_LAYERS, ".leading_dense_block_count");
        keys.put(ModelDimension.EXPERT_LAYER_STEP, ".interleave_moe_layer_step");
        keys.put(ModelDimension.KV_RANK, ".attention.kv_lora_rank");
        keys.put(ModelDimension.QUERY_RANK, ".attention.q_lora_rank");
        return keys;
    }

    private static String[] endings() {
        String[] heads = {KEY_LENGTH, VALUE_LENGTH, LATENT_KEY_LENGTH, LATENT_VALUE_LENGTH, ROPE_LENGTH};
        String[] all = Arrays.copyOf(heads, heads.length + DIMENSIONS.size());
        int at = heads.length;
        for (String ending : DIMENSIONS.values()) {
            all[at++] = ending;
        }
        return all;
    }

    /// The key as a text if its value is kept. Keys are told by their ends: the architecture that they begin with may
    /// be named after them.
    static @Nullable String kept(byte[] key) {
        if (key.length > KEPT_BYTES) {
            return null;
        }
        String text = new String(key, StandardCharsets.UTF_8);
        return WHOLE.contains(text) || Arrays.stream(ENDINGS).anyMatch(text::endsWith) ? text : null;
    }
}
