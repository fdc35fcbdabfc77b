// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

import dev.muster.plan.cost.DeviceFigures;
import java.util.List;
import java.util.Optional;

/// How fast llama.cpp multiplies on a processor: a share of its rate of fused multiplications and additions of floats,
/// which depends on the weight format. Few formats are multiplied as they are; the others are unpacked first, and
/// whether that or the memory is the limit differs from format to format.
///
/// The shares were measured with llama.cpp 11669 on two cores of Zen 4 (scripts/check-cpu; 2026-11).
///
/// @param rate operations per second with floats
/// @param kernel the format whose kernels the weights go through
/// @param instructions what of the shares is left without the instructions they were measured with
/// @param coefficients the shares
record CpuKernels(double rate, String kernel, double instructions, Coefficients coefficients) {
    private static final String NAME = "llama.cpp/cpu/";
    private static final String BF16 = "bf16";
    private static final String F16 = "f16";
    /// Formats by the beginnings of their names, as `q4_k_m` begins with `q4_k`.
    private static final List<String> MEASURED =
            List.of(F16, BF16, "q8_0", "q6_k", "q5_k", "q5_0", "q4_k", "q4_0", "iq4_nl", "iq4_xs", "q3_k", "q2_k");
    /// For other formats, and for models of which only the size is known: the most bits, and what is taken for them.
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
    /// From so many rows on, products go through kernels that keep unpacked weights.
    private static final double FEWEST_TILE_ROWS = 4;

    private record Likeness(double bits, String kernel) {}

    /// The kernels for weights on a processor.
    ///
    /// @param format the name of their format, if it is known
    /// @param bits of each number, on average
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

    /// Operations per second of products with so many rows.
    double products(double rows) {
        String how = rows < FEWEST_TILE_ROWS ? "vector/" : "product/";
        return rate * instructions * coefficients.get(NAME + how + kernel);
    }

    /// Operations per second of queries and keys, of scores and values.
    ///
    /// @param rows tokens whose queries are there at once
    double attention(double rows) {
        return rate * coefficients.get(NAME + (rows < FEWEST_TILE_ROWS ? "attention/decode" : "attention/prefill"));
    }

    /// Of the bandwidth, what reads of weights reach.
    double memoryShare() {
        return coefficients.get(NAME + "memory-share");
    }

    /// Seconds in which the threads wait for each other in a layer.
    double layer() {
        return coefficients.get(NAME + "layer");
    }

    /// Seconds of each step beside that.
    double step() {
        return coefficients.get(NAME + "step");
    }
}
