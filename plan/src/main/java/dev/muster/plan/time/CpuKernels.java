// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

import dev.muster.plan.cost.DeviceFigures;
import java.util.List;
import java.util.Optional;

/// The speed of llama.cpp's matrix products on a processor: a share of its rate of fused multiply-adds of floats,
/// which depends on the weight format. Few formats are multiplied directly; the others are unpacked first, and
/// whether that or the memory is the limit differs from format to format.
///
/// The shares were measured with llama.cpp 11669 on two cores of Zen 4 (scripts/check-cpu; 2026-11).
///
/// @param rate operations per second with floats
/// @param kernel the format whose kernels multiply the weights
/// @param instructions share that is left without the instructions of the measurement
/// @param coefficients the shares
record CpuKernels(double rate, String kernel, double instructions, Coefficients coefficients) {
    private static final String NAME = "llama.cpp/cpu/";
    private static final String BF16 = "bf16";
    private static final String F16 = "f16";
    /// Formats by the beginnings of their names, as `q4_k_m` begins with `q4_k`.
    private static final List<String> MEASURED =
            List.of(F16, BF16, "q8_0", "q6_k", "q5_k", "q5_0", "q4_k", "q4_0", "iq4_nl", "iq4_xs", "q3_k", "q2_k");
    /// The kernels assumed for other formats, and for models of which only the size is known, by the most bits.
    private static final List<Likeness> BY_BITS = List.of(
            new Likeness(3, "q2_k"),
            new Likeness(4, "q3_k"),
            new Likeness(5.2, "q4_k"),
            new Likeness(6.2, "q5_k"),
            new Likeness(7.5, "q6_k"),
            new Likeness(12, "q8_0"));
    /// Products of 8-bit numbers, summed in 32 bits: x86 and ARM.
    private static final List<String> DOTS = List.of("avx512_vnni", "avx_vnni", "amx_int8", "asimddp", "i8mm");

    private static final List<String> BF16_DOTS = List.of("avx512_bf16", "amx_bf16", BF16);
    /// The least number of rows for which products use kernels that keep unpacked weights.
    private static final double FEWEST_TILE_ROWS = 4;

    private record Likeness(double bits, String kernel) {}

    /// Returns the kernels for weights on a processor.
    ///
    /// @param format the name of their format, if it is known
    /// @param bits mean bits of a weight
    static CpuKernels of(DeviceFigures device, Optional<String> format, double bits, Coefficients coefficients) {
        String kernel = kernel(format.orElse(""), bits);
        if (kernel.equals(BF16) && !hasOne(device, BF16_DOTS)) {
            // Both are then widened to floats.
            return new CpuKernels(device.half(), F16, 1, coefficients);
        }
        boolean isWhole = !kernel.equals(BF16) && !kernel.equals(F16);
        double instructions = isWhole && !hasOne(device, DOTS) ? coefficients.get(NAME + "without-dots") : 1;
        return new CpuKernels(device.half(), kernel, instructions, coefficients);
    }

    private static String kernel(String format, double bits) {
        String name = format.equals("fp16") ? F16 : format;
        return MEASURED.stream().filter(name::startsWith).findFirst().orElseGet(() -> likeness(bits));
    }

    private static String likeness(double bits) {
        return BY_BITS.stream()
                .filter(one -> bits <= one.bits)
                .map(Likeness::kernel)
                .findFirst()
                .orElse(BF16);
    }

    private static boolean hasOne(DeviceFigures device, List<String> instructions) {
        return instructions.stream().anyMatch(device.instructions()::contains);
    }

    /// Returns the operations per second of products with a number of rows.
    double products(double rows) {
        String how = rows < FEWEST_TILE_ROWS ? "vector/" : "product/";
        return rate * instructions * coefficients.get(NAME + how + kernel);
    }

    /// Returns the operations per second of queries and keys, of scores and values.
    ///
    /// @param rows tokens whose queries are processed together
    double attention(double rows) {
        return rate * coefficients.get(NAME + (rows < FEWEST_TILE_ROWS ? "attention/decode" : "attention/prefill"));
    }

    /// Returns the share of the bandwidth that reads of weights reach.
    double memoryShare() {
        return coefficients.get(NAME + "memory-share");
    }

    /// Returns the seconds that threads wait for each other in a layer.
    double layer() {
        return coefficients.get(NAME + "layer");
    }

    /// Returns the seconds of each step outside of layers.
    double step() {
        return coefficients.get(NAME + "step");
    }
}
