package dev.muster.plan.checkpoint;

import static dev.muster.plan.checkpoint.CheckpointException.Code.MALFORMED;

import dev.muster.core.Provenance;
import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonBoolean;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.plan.model.LayerKinds;
import dev.muster.plan.model.ModelArchitecture;
import dev.muster.plan.model.ModelDimension;
import dev.muster.plan.model.ModelQuantization;
import dev.muster.plan.tensor.ModelFamily;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// The `config.json` of Hugging Face's Transformers: an architecture under the names that some two hundred kinds of
/// models gave to the same things.
final class HuggingFaceConfig {
    static final String FILE = "config.json";

    /// Where models that also see or hear keep what concerns the text.
    private static final List<String> TEXT_PARTS =
            List.of("text_config", "llm_config", "language_config", "thinker_config");

    private static final Map<ModelDimension, List<String>> KEYS = new EnumMap<>(ModelDimension.class);

    static {
        keys(ModelDimension.LAYERS, "num_hidden_layers", "n_layer", "num_layers", "n_layers");
        keys(ModelDimension.HIDDEN_SIZE, "hidden_size", "n_embd", "d_model", "model_dim");
        keys(ModelDimension.HEADS, "num_attention_heads", "n_head", "n_heads", "num_heads");
        keys(
                ModelDimension.KV_HEADS,
                "num_key_value_heads",
                "num_kv_heads",
                "n_head_kv",
                "kv_n_heads",
                "multi_query_group_num");
        keys(ModelDimension.HEAD_SIZE, "head_dim", "kv_channels", "attention_head_dim");
        keys(
                ModelDimension.FEED_FORWARD_SIZE,
                "intermediate_size",
                "n_inner",
                "ffn_dim",
                "ffn_hidden_size",
                "inner_dim");
        keys(ModelDimension.VOCABULARY, "vocab_size", "padded_vocab_size");
        keys(ModelDimension.CONTEXT, "max_position_embeddings", "n_positions", "max_seq_len", "seq_length", "n_ctx");
        keys(ModelDimension.SLIDING_WINDOW, "sliding_window", "sliding_window_size", "local_window_size");
        keys(ModelDimension.EXPERTS, "n_routed_experts", "num_local_experts", "num_experts", "moe_num_experts");
        keys(
                ModelDimension.ACTIVE_EXPERTS,
                "num_experts_per_tok",
                "num_experts_per_token",
                "experts_per_token",
                "moe_top_k",
                "moe_k");
        keys(ModelDimension.SHARED_EXPERTS, "n_shared_experts", "num_shared_experts", "moe_num_shared_experts");
        keys(ModelDimension.EXPERT_FEED_FORWARD_SIZE, "moe_intermediate_size", "expert_hidden_size");
        keys(
                ModelDimension.SHARED_FEED_FORWARD_SIZE,
                "shared_expert_intermediate_size",
                "moe_shared_expert_intermediate_size");
        keys(ModelDimension.DENSE_LAYERS, "first_k_dense_replace", "moe_layer_start_index");
        keys(
                ModelDimension.EXPERT_LAYER_STEP,
                "interleave_moe_layer_step",
                "decoder_sparse_step",
                "moe_layer_freq",
                "moe_every_n_layers");
        keys(ModelDimension.KV_RANK, "kv_lora_rank");
        keys(ModelDimension.QUERY_RANK, "q_lora_rank");
        keys(ModelDimension.ROPE_HEAD_SIZE, "qk_rope_head_dim");
        keys(ModelDimension.PLAIN_HEAD_SIZE, "qk_nope_head_dim");
        keys(ModelDimension.VALUE_HEAD_SIZE, "v_head_dim");
        keys(ModelDimension.STATE_HEADS, "linear_num_value_heads", "mamba_num_heads");
        keys(ModelDimension.STATE_GROUPS, "linear_num_key_heads", "n_groups", "mamba_n_groups");
        keys(ModelDimension.STATE_KEY_SIZE, "linear_key_head_dim", "ssm_state_size");
        keys(ModelDimension.STATE_VALUE_SIZE, "linear_value_head_dim", "mamba_head_dim");
        keys(ModelDimension.STATE_CONVOLUTION, "linear_conv_kernel_dim", "conv_kernel");
    }

    private static final List<ModelDimension> NEVER_NONE =
            List.of(ModelDimension.LAYERS, ModelDimension.HIDDEN_SIZE, ModelDimension.HEADS, ModelDimension.VOCABULARY);
    private static final int MAX_BITS = 64;
    private static final Provenance STATED = Provenance.of(FILE, Provenance.Method.FILE, Provenance.Confidence.STATED);
    private static final Provenance DERIVED =
            Provenance.of(FILE, Provenance.Method.DERIVED, Provenance.Confidence.STATED);
    /// A default of the model's own code, which the file leaves out.
    private static final Provenance DEFAULT =
            Provenance.of("default of the model family", Provenance.Method.CATALOGUE, Provenance.Confidence.ASSUMED);

    private final JsonObject whole;
    private final JsonObject text;
    private final ModelArchitecture.Builder builder = ModelArchitecture.builder();

    private HuggingFaceConfig(JsonObject whole) {
        this.whole = whole;
        this.text = textPart(whole);
    }

    private static void keys(ModelDimension dimension, String... names) {
        KEYS.put(dimension, List.of(names));
    }

    /// Reads the file's content.
    ///
    /// @throws CheckpointException if it is not JSON, or no object
    static HuggingFaceConfig parse(byte[] json) {
        try {
            if (JsonValue.parse(json) instanceof JsonObject object) {
                return new HuggingFaceConfig(object);
            }
            throw CheckpointException.of(MALFORMED, FILE, "is no JSON object");
        } catch (DocumentException e) {
            throw CheckpointException.of(MALFORMED, FILE, "cannot be read: " + e.getMessage());
        }
    }

    private static JsonObject textPart(JsonObject whole) {
        for (String key : TEXT_PARTS) {
            if (whole.members().get(key) instanceof JsonObject part) {
                return textPart(part);
            }
        }
        return whole;
    }

    /// How the model is built.
    ModelArchitecture architecture() {
        Optional<String> name = string(text, "model_type").or(() -> string(whole, "model_type"));
        name.ifPresent(known -> builder.family(known, STATED));
        ModelFamily family = ModelFamily.of(string(text, "model_type").orElse(""));
        KEYS.forEach((dimension, keys) -> number(keys).ifPresent(value -> builder.dimension(dimension, value, STATED)));
        refuseImpossible();
        OptionalLong hidden = builder.find(ModelDimension.HIDDEN_SIZE);
        // GPT-2 and models like it leave the inner width out: it is four times the hidden size.
        if (ModelFamily.of(name.orElse("")).quadruplesHidden()
                && !builder.has(ModelDimension.EXPERTS)
                && hidden.isPresent()) {
            fill(ModelDimension.FEED_FORWARD_SIZE, OptionalLong.of(4 * hidden.getAsLong()), DEFAULT);
        }
        heads(hidden);
        window();
        pattern();
        if (builder.find(ModelDimension.EXPERTS).orElse(0) > 0) {
            experts(family);
        }
        tied(family);
        quantization(whole)
                .or(() -> quantization(text))
                .ifPresent(quantization -> builder.quantization(quantization, STATED));
        return builder.build();
    }

    /// Says at once what no model has: counting with it would end elsewhere.
    private void refuseImpossible() {
        for (ModelDimension dimension : NEVER_NONE) {
            if (builder.find(dimension).orElse(1) == 0) {
                throw CheckpointException.of(
                        MALFORMED,
                        FILE,
                        "says that the model has 0 as "
                                + KEYS.getOrDefault(dimension, List.of()).getFirst() + "; there is at least 1");
            }
        }
        long experts = builder.find(ModelDimension.EXPERTS).orElse(0);
        long active = builder.find(ModelDimension.ACTIVE_EXPERTS).orElse(0);
        if (experts > 0 && active > experts) {
            throw CheckpointException.of(
                    MALFORMED, FILE, "sends each token to " + active + " experts, and has " + experts);
        }
    }

    /// Takes a number over that the file leaves out.
    private void fill(ModelDimension dimension, OptionalLong value, Provenance source) {
        if (!builder.has(dimension) && value.isPresent()) {
            builder.dimension(dimension, value.getAsLong(), source);
        }
    }

    /// Where nothing is said of key and value heads there are as many as query heads; Falcon says it with a flag.
    private void heads(OptionalLong hidden) {
        OptionalLong heads = builder.find(ModelDimension.HEADS);
        if (flag(text, "multi_query").orElse(false)
                && !flag(text, "new_decoder_architecture").orElse(false)) {
            builder.dimension(ModelDimension.KV_HEADS, 1, STATED);
        }
        fill(ModelDimension.KV_HEADS, heads, DERIVED);
        if (!builder.has(ModelDimension.KV_RANK)
                && hidden.isPresent()
                && heads.orElse(0) > 0
                && hidden.getAsLong() % heads.getAsLong() == 0) {
            fill(ModelDimension.HEAD_SIZE, OptionalLong.of(hidden.getAsLong() / heads.getAsLong()), DERIVED);
        }
    }

    /// A window that is switched off is none; one layer in so many may look further.
    private void window() {
        if (!flag(text, "use_sliding_window").orElse(true)) {
            builder.without(ModelDimension.SLIDING_WINDOW);
        }
        if (text.members().get("layer_types") instanceof JsonArray(List<JsonValue> kinds)) {
            long full = kinds.stream()
                    .filter(new JsonString("full_attention")::equals)
                    .count();
            if (full == kinds.size()) {
                builder.without(ModelDimension.SLIDING_WINDOW);
            } else if (full > 0 && kinds.size() % full == 0) {
                builder.dimension(ModelDimension.FULL_ATTENTION_STEP, kinds.size() / full, DERIVED);
            }
        } else {
            number(List.of("sliding_window_pattern", "full_attention_interval"))
                    .ifPresent(step -> builder.dimension(ModelDimension.FULL_ATTENTION_STEP, step, STATED));
        }
    }

    /// Hybrids whose layers are no pairs name each by a letter.
    private void pattern() {
        OptionalLong layers = builder.find(ModelDimension.LAYERS);
        if (text.members().get("hybrid_override_pattern") instanceof JsonString(String letters)
                && letters.length() == layers.orElse(0)
                && LayerKinds.isPattern(letters)) {
            builder.layerPattern(letters, STATED);
        }
    }

    /// Mixtral, gpt-oss and others give an expert the width of a dense layer; Qwen's shared expert has no number.
    private void experts(ModelFamily family) {
        OptionalLong inner = builder.find(ModelDimension.FEED_FORWARD_SIZE);
        fill(ModelDimension.EXPERT_FEED_FORWARD_SIZE, inner, DERIVED);
        OptionalLong shared = builder.find(ModelDimension.SHARED_EXPERTS);
        OptionalLong expert = builder.find(ModelDimension.EXPERT_FEED_FORWARD_SIZE);
        if (shared.isPresent() && expert.isPresent()) {
            OptionalLong together = OptionalLong.of(shared.getAsLong() * expert.getAsLong());
            fill(ModelDimension.SHARED_FEED_FORWARD_SIZE, together, DERIVED);
        }
        if (family == ModelFamily.LLAMA4) {
            fill(ModelDimension.SHARED_FEED_FORWARD_SIZE, inner, DEFAULT);
        }
    }

    private void tied(ModelFamily family) {
        Optional<Boolean> said = flag(text, "tie_word_embeddings").or(() -> flag(whole, "tie_word_embeddings"));
        if (said.isPresent()) {
            builder.tiedEmbeddings(said.get(), STATED);
        } else {
            family.tiesEmbeddings().ifPresent(tied -> builder.tiedEmbeddings(tied, DEFAULT));
        }
    }

    /// The first of some keys that has a whole number, also inside the parts that DBRX and MPT have.
    private OptionalLong number(List<String> keys) {
        for (String key : keys) {
            for (JsonObject part : List.of(text, part("attn_config"), part("ffn_config"))) {
                OptionalLong number = number(part, key);
                if (number.isPresent()) {
                    return number;
                }
            }
        }
        return OptionalLong.empty();
    }

    private JsonObject part(String key) {
        return text.members().get(key) instanceof JsonObject part ? part : new JsonObject(Map.of());
    }

    private static OptionalLong number(JsonObject object, String key) {
        if (object.members().get(key) instanceof JsonNumber number
                && number.isWhole()
                && number.text().length() <= 18) {
            long value = Long.parseLong(number.text());
            return value >= 0 ? OptionalLong.of(value) : OptionalLong.empty();
        }
        return OptionalLong.empty();
    }

    private static Optional<Boolean> flag(JsonObject object, String key) {
        return object.members().get(key) instanceof JsonBoolean(boolean value) ? Optional.of(value) : Optional.empty();
    }

    private static Optional<String> string(JsonObject object, String key) {
        return object.members().get(key) instanceof JsonString(String value)
                ? Optional.of(value.toLowerCase(Locale.ROOT))
                : Optional.empty();
    }

    /// The `quantization_config`, in the words of GPTQ, AWQ, bitsandbytes, compressed-tensors and others.
    private static Optional<ModelQuantization> quantization(JsonObject config) {
        if (!(config.members().get("quantization_config") instanceof JsonObject said)) {
            return Optional.empty();
        }
        String method = string(said, "quant_method").orElse("unnamed");
        JsonObject weights = weights(said);
        OptionalInt bits = small(said, "bits");
        if (bits.isEmpty()) {
            bits = small(said, "w_bit");
        }
        if (bits.isEmpty()) {
            bits = small(weights, "num_bits");
        }
        if (bits.isEmpty()) {
            bits = byMethod(said, method);
        }
        OptionalInt group = small(said, "group_size");
        return Optional.of(
                new ModelQuantization(method, bits, group.isPresent() ? group : small(weights, "group_size")));
    }

    private static OptionalInt byMethod(JsonObject said, String method) {
        if (flag(said, "load_in_4bit").orElse(false) || method.equals("mxfp4") || method.equals("nvfp4")) {
            return OptionalInt.of(4);
        }
        if (flag(said, "load_in_8bit").orElse(false) || method.contains("fp8")) {
            return OptionalInt.of(8);
        }
        return OptionalInt.empty();
    }

    /// What compressed-tensors says of the weights of its first group.
    private static JsonObject weights(JsonObject said) {
        if (said.members().get("config_groups") instanceof JsonObject groups) {
            for (JsonValue group : groups.members().values()) {
                if (group.find("weights").orElse(null) instanceof JsonObject weights) {
                    return weights;
                }
            }
        }
        return JsonObject.builder().build();
    }

    private static OptionalInt small(JsonObject object, String key) {
        OptionalLong number = number(object, key);
        boolean plausible = number.isPresent() && number.getAsLong() > 0 && number.getAsLong() <= MAX_BITS * 1024L;
        return plausible ? OptionalInt.of((int) number.getAsLong()) : OptionalInt.empty();
    }
}
