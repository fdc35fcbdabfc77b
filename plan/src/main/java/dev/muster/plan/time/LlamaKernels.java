// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

import dev.muster.plan.cost.DeviceFigures;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The products of llama.cpp on Hopper, whose kernels depend on the weight format: there unpacking, not memory, is the
/// limit of most. One row, or a few of quantized weights, are multiplied by vector kernels (MMVQ), each further row at
/// a cost of its own; more rows by kernels that fill tiles (MMQ, or those of a library with weights of 16 bits), which
/// unpack all weights once and then multiply.
///
/// Measured with random weights on one H200 (`h200_llama_cpp_measured.csv`). Rates are shares of the device's 16-bit
/// peak, in weights per operation.
///
/// @param base kernel of most weights
/// @param better kernel of the weights that a mix keeps in more bits
/// @param share share of the bandwidth that reads of weights reach
record LlamaKernels(Kernel base, Kernel better, double share, DeviceFigures device, Coefficients c) {
    private static final String NAME = "llama.cpp/hopper/";
    private static final double OWN_INSTRUCTIONS = 9;
    private static final double NEXT_GENERATION = 10;
    /// The most rows of vector kernels with quantized weights.
    private static final double VECTOR_ROWS = 8;

    private static final double BITS = 8;
    private static final double USUAL_WIDTH = 128;

    /// The kernels of a format.
    ///
    /// @param bits bits of a weight, scales included
    private record Kernel(String name, double bits) {
        boolean isWhole() {
            return name.endsWith("f16");
        }
    }

    private static final Kernel Q8_0 = new Kernel("q8_0", 8.5);
    private static final Kernel Q6_K = new Kernel("q6_k", 6.5625);
    /// Measured kernels; others are taken for the next with more bits.
    private static final List<Kernel> MEASURED = List.of(
            new Kernel("iq4_xs", 4.25),
            new Kernel("mxfp4", 4.25),
            new Kernel("q4_0", 4.5),
            new Kernel("q4_k", 4.5),
            new Kernel("q5_k", 5.5),
            Q6_K,
            Q8_0,
            new Kernel("bf16", 16),
            new Kernel("f16", 16));

    private static final Map<String, String> ALIKE = Map.of(
            "fp16", "f16", "iq4_nl", "iq4_xs", "q4_1", "q4_0", "q5_0", "q5_k", "q5_1", "q5_k", "q2_k", "q4_k", "q3_k",
            "q4_k");

    /// Returns the kernels for weights on a device; empty if the device has others.
    ///
    /// @param format the name of their format, if it is known
    /// @param bits mean bits of a weight
    static Optional<LlamaKernels> of(
            DeviceFigures device, LlamaBuild build, Optional<String> format, double bits, Coefficients c) {
        double capability = device.computeCapability().find().orElse(0.0);
        if (capability < OWN_INSTRUCTIONS || capability >= NEXT_GENERATION || !build.isFlash()) {
            return Optional.empty();
        }
        Kernel base = find(format.orElse(""), bits);
        Kernel better = base.name.equals("mxfp4") ? Q8_0 : base.bits < Q6_K.bits ? Q6_K : base;
        return Optional.of(new LlamaKernels(base, better, c.get(NAME + "memory-share"), device, c));
    }

    private static Kernel find(String format, double bits) {
        String name = ALIKE.entrySet().stream()
                .filter(alike -> format.startsWith(alike.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(format);
        return MEASURED.stream()
                .filter(kernel -> name.startsWith(kernel.name))
                .findFirst()
                .orElseGet(() -> MEASURED.stream()
                        .filter(kernel -> kernel.name.startsWith("q") && bits <= kernel.bits)
                        .findFirst()
                        .orElse(MEASURED.getLast()));
    }

    private double rate(String what, Kernel kernel) {
        return device.half() * c.get(NAME + what + "/" + kernel.name);
    }

    /// Returns the share of a part's weights that are in more bits.
    private double betterShare(WeightParts.Part part) {
        return base.equals(better) || part.elements() == 0
                ? 0
                : Math.clamp((BITS * part.bytes() / part.elements() - base.bits) / (better.bits - base.bits), 0.0, 1.0);
    }

    /// Returns the seconds of the product of a part with some rows.
    double seconds(WeightParts.Part part, double rows) {
        double share = betterShare(part);
        return part.elements() * ((1 - share) * perWeight(base, rows, rows) + share * perWeight(better, rows, rows));
    }

    private boolean isVector(Kernel kernel, double rows) {
        return rows <= (kernel.isWhole() ? 1 : VECTOR_ROWS);
    }

    private double perWeight(Kernel kernel, double rows, double padded) {
        if (isVector(kernel, rows)) {
            double reading = kernel.bits / BITS / (device.bandwidth() * share);
            double unpacking = kernel.isWhole() ? 0 : 1 / rate("vector", kernel) + (rows - 1) / rate("row", kernel);
            return Smooth.max(reading, unpacking);
        }
        return 1 / rate("tile", kernel) + 2 * padded / rate("multiply", kernel);
    }

    /// Returns the seconds of routed experts. Vector kernels multiply each row with its experts apart; tiles are as
    /// many as experts that rows use, and not full.
    ///
    /// @param rows rows of the step
    /// @param chosen share of the experts that a row uses
    /// @param touched share of the experts that all rows use
    /// @param matrices expert matrices of all layers
    double experts(WeightParts.Part part, double rows, double chosen, double touched, double matrices) {
        double better = betterShare(part);
        boolean isVector = isVector(base, rows);
        double padded = isVector ? 1 : rows * chosen / touched + c.get(NAME + "expert-padding");
        double kernelRows = isVector ? 1 : VECTOR_ROWS + 1;
        double each = (1 - better) * perWeight(base, kernelRows, padded)
                + better * perWeight(this.better, kernelRows, padded);
        // Vector kernels of several rows run side by side.
        double beside = isVector && rows > 1 ? c.get(NAME + "expert-batch") : 1;
        double used = isVector ? rows * chosen * beside : touched;
        return used * (part.elements() * each + matrices * c.get(NAME + (isVector ? "expert-vector" : "expert-tile")));
    }

    /// Returns the seconds of a layer for its launches and all else but products.
    ///
    /// @param rows rows of the step
    /// @param matrices share of the usual matrices that the layer has outside of experts
    double layer(double rows, double matrices) {
        return c.get(NAME + "layer")
                + (rows > 1 ? c.get(NAME + "batch-layer") : 0)
                + (isVector(base, rows) ? 0 : matrices * c.get(NAME + "tile-layer"));
    }

    /// Returns the rate at which weights are read at most.
    double weightRate() {
        return device.bandwidth() * share;
    }

    /// Returns the rate at which the KV cache is read in decode.
    double keys() {
        return device.bandwidth() * c.get(NAME + "kv-share");
    }

    double expertLayer() {
        return c.get(NAME + "expert-layer");
    }

    /// Returns the seconds in which logits go to the host.
    double logits(double rows, double vocabulary) {
        return rows * vocabulary * c.get(NAME + "logit");
    }

    /// Returns the seconds of a step outside of layers.
    double step() {
        return c.get(NAME + "step");
    }

    /// Returns the seconds of a micro-batch outside of layers.
    double promptStep() {
        return c.get(NAME + "prompt-step");
    }

    /// Returns the operations per second of attention in prefill: narrow heads fill fewer of the units.
    ///
    /// @param width mean width of a key and a value
    double attention(double width) {
        double narrow = Math.min(1, width / USUAL_WIDTH);
        return device.half() * c.get(NAME + "attention-share") * Math.pow(narrow, c.get(NAME + "attention-width"));
    }

    /// Returns the seconds of a micro-batch and layer that grow with its tokens: norms, rotations, activations.
    double traffic(double tokens, double hidden) {
        return tokens * hidden * c.get(NAME + "traffic-bytes") / device.bandwidth();
    }
}
