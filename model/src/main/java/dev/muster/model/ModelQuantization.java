// SPDX-License-Identifier: Apache-2.0
package dev.muster.model;

import java.util.OptionalInt;

/// How a checkpoint says that its weights were quantized.
///
/// @param method the method's own name, such as `gptq`, `awq`, `fp8`, `mxfp4` or `Q4_K_M`
/// @param bits bits per weight, where the checkpoint says so
/// @param groupSize weights that share a scale, where the checkpoint says so
/// @since 0.1
public record ModelQuantization(String method, OptionalInt bits, OptionalInt groupSize) {
    /// A method that says nothing more.
    public static ModelQuantization of(String method) {
        return new ModelQuantization(method, OptionalInt.empty(), OptionalInt.empty());
    }
}
