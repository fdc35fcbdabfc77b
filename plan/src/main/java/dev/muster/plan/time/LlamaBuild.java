// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

/// A build of llama.cpp and its start options, as far as its speed depends on them.
///
/// @param isFlash true if its attention does not write scores to memory, as all builds since 2025
/// @param backend the backend if it is not the vendor's own, such as `vulkan`; blank for CUDA, Metal and ROCm
/// @param microBatch tokens of a prompt that a device processes at once
/// @param isEven true if tokens are routed evenly to experts, as they are with random weights
public record LlamaBuild(boolean isFlash, String backend, double microBatch, boolean isEven) {
    /// The default number of tokens of a prompt that a device processes at once.
    static final double MICRO_BATCH = 512;

    /// A current build with the vendor's own backend.
    public static final LlamaBuild USUAL = new LlamaBuild(true, "", MICRO_BATCH, false);

    /// Returns the kind of attention, in names of coefficients.
    String era() {
        return isFlash ? "flash" : "plain";
    }
}
