// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.model.ModelQuantization;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// The quantization that a configuration states.
final class ConfigQuantization {
    private static final int MAX_BITS = 64;

    private ConfigQuantization() {}

    /// Returns the `quantization_config`, in the words of GPTQ, AWQ, bitsandbytes, compressed-tensors and others.
    static Optional<ModelQuantization> find(JsonObject config) {
        if (!(config.members().get("quantization_config") instanceof JsonObject said)) {
            return Optional.empty();
        }
        String method = HuggingFaceConfig.string(said, "quant_method").orElse("unnamed");
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
        if (HuggingFaceConfig.flag(said, "load_in_4bit").orElse(false)
                || method.equals("mxfp4")
                || method.equals("nvfp4")) {
            return OptionalInt.of(4);
        }
        if (HuggingFaceConfig.flag(said, "load_in_8bit").orElse(false) || method.contains("fp8")) {
            return OptionalInt.of(8);
        }
        return OptionalInt.empty();
    }

    /// Returns the weights of the first group of compressed-tensors.
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
        OptionalLong number = HuggingFaceConfig.number(object, key);
        boolean plausible = number.isPresent() && number.getAsLong() > 0 && number.getAsLong() <= MAX_BITS * 1024L;
        return plausible ? OptionalInt.of((int) number.getAsLong()) : OptionalInt.empty();
    }
}
