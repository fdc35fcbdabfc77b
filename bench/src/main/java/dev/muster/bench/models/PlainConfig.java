// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench.models;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonBoolean;
import dev.muster.core.json.JsonValue.JsonNull;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// The facts of a `config.json` that tensors and caches follow from, without those about training, tokens and
/// positions.
final class PlainConfig {
    /// Words that say what a model is built of.
    private static final Set<String> WORDS = Set.of(
            "model_type",
            "quant_method",
            "quant_algo",
            "fmt",
            "format",
            "type",
            "weight_block_size",
            "hidden_act",
            "hybrid_override_pattern",
            "mlp_layer_types",
            "indexer_types",
            "layer_types",
            "layers_block_type",
            "block_types",
            "attn_type_list",
            "architectures");
    /// Parts of the names of numbers that change no tensor and no cache.
    private static final List<String> NEEDLESS = List.of(
            "token_id",
            "token_index",
            "rope_theta",
            "rope_scaling",
            "rope_parameters",
            "rotary",
            "dropout",
            "_pdrop",
            "epsilon",
            "_eps",
            "initializer",
            "init_std",
            "theta",
            "use_cache",
            "output_hidden",
            "output_attentions",
            "output_router",
            "aux_loss",
            "pretraining",
            "temperature",
            "softcap",
            "label2id",
            "id2label",
            "auto_map",
            "beams",
            "penalty",
            "chunk_size_feed",
            "return_dict",
            "torchscript",
            "sampling",
            "max_length",
            "min_length",
            "scaling_factor",
            "scoring",
            "norm_topk",
            "time_step",
            "task_specific",
            "generation");

    private PlainConfig() {}

    static JsonObject of(JsonObject config) {
        Map<String, JsonValue> kept = new TreeMap<>();
        config.members().forEach((name, value) -> {
            if (name.equals("quantization_config") && value instanceof JsonObject quantization) {
                kept.put(name, ofQuantization(quantization));
            } else if (NEEDLESS.stream().noneMatch(name::contains) && isKept(name, value)) {
                kept.put(name, value instanceof JsonObject part ? of(part) : value);
            }
        });
        kept.values()
                .removeIf(value ->
                        value instanceof JsonObject part && part.members().isEmpty());
        return new JsonObject(kept);
    }

    /// Leaves out the names of modules.
    private static JsonObject ofQuantization(JsonObject whole) {
        Map<String, JsonValue> kept = new TreeMap<>(whole.members());
        kept.keySet().removeAll(Set.of("ignore", "modules_to_not_convert", "exclude_modules", "kv_cache_scheme"));
        kept.values().removeIf(JsonNull.class::isInstance);
        return new JsonObject(kept);
    }

    private static boolean isKept(String name, JsonValue value) {
        return switch (value) {
            case JsonNumber _, JsonBoolean _, JsonObject _ -> true;
            // Some families have a rank unless it is said that there is none.
            case JsonNull _ -> name.endsWith("_rank");
            case JsonString _ -> WORDS.contains(name);
            case JsonArray(List<JsonValue> items) ->
                WORDS.contains(name)
                        || items.stream()
                                .allMatch(item -> item instanceof JsonNumber
                                        || item instanceof JsonBoolean
                                        || item instanceof JsonArray
                                        || item instanceof JsonObject);
        };
    }
}
