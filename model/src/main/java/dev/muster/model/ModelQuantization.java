// SPDX-License-Identifier: Apache-2.0
package dev.muster.model;

import java.util.OptionalInt;

/// The quantization of a checkpoint's weights, as the checkpoint states it.
///
/// @param method the method's own name, such as `gptq`, `awq`, `fp8`, `mxfp4` or `Q4_K_M`
/// @param bits bits per weight, if stated
/// @param groupSize weights that share a scale, if stated
/// @since 0.1
public record ModelQuantization(String method, OptionalInt bits, OptionalInt groupSize) {
    /// Returns the quantization of a method without further facts.
    public static ModelQuantization of(String method) {
        return new ModelQuantization(method, OptionalInt.empty(), OptionalInt.empty());
    }
}
