// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

/// A build of llama.cpp, and how it is started, as far as its speed depends on that.
///
/// @param isFlash whether it attends without writing scores to memory, as all since 2025 do
/// @param backend the backend where it is not the vendor's own, such as `vulkan`; blank for CUDA, Metal and ROCm
/// @param microBatch tokens of a prompt that go through a device at once
public record LlamaBuild(boolean isFlash, String backend, double microBatch) {
    /// Tokens of a prompt that go through a device at once (its default).
    static final double MICRO_BATCH = 512;

    /// A build of now with the vendor's own backend.
    public static final LlamaBuild USUAL = new LlamaBuild(true, "", MICRO_BATCH);

    /// How it attends, in names of coefficients.
    String era() {
        return isFlash ? "flash" : "plain";
    }
}
