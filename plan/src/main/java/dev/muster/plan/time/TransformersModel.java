// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

import dev.muster.plan.cost.DeviceFigures;

/// The time of generation by Hugging Face Transformers without a serving engine: the host launches kernel after
/// kernel of each layer, and a step is as slow as that until memory is slower. Its copies of the KV cache grow with
/// the query heads that share a key. Further devices hold layers and add no speed.
///
/// @param kernel kernel of the weights: `16-bit`, `8-bit`, `gptq` or `awq`
public record TransformersModel(
        ModelShape shape, WeightParts weights, DeviceFigures device, String kernel, Coefficients c) {
    private static final String NAME = "transformers";
    private static final double KV_BYTES = 2;
    private static final double ACTIVATION_BYTES = 2;
    /// Tensors as wide as the residual stream that are held beside those of a feed-forward block.
    private static final double HIDDEN_TENSORS = 4;

    /// Returns the seconds of a decode step.
    ///
    /// @param before context tokens of each
    public double step(double sequences, double before) {
        double read = weights.attention().bytes()
                + weights.dense().bytes()
                + weights.head().bytes()
                + weights.experts().bytes() * shape.touchedExperts(sequences);
        double group = shape.isLatent() ? 1 : shape.heads() / shape.kvHeads();
        double copied = sequences * shape.keptNumbers(before) * KV_BYTES * group * c.get(NAME + "/kv-passes");
        double memory = read / (device.bandwidth() * c.get(NAME + "/memory-share")) + copied / device.bandwidth();
        double host = shape.pairs() * c.get(NAME + "/layer/" + kernel);
        return Smooth.max(memory, host);
    }

    /// Returns the seconds of a prompt.
    public double prompt(double sequences, double tokens) {
        double rows = sequences * tokens;
        double elements = weights.attention().elements()
                + weights.dense().elements()
                + weights.experts().elements() * (shape.experts() > 0 ? shape.activeExperts() / shape.experts() : 0);
        double pairs = sequences * shape.attentionPairs(0, tokens);
        double operations = 2 * rows * elements + 2 * pairs * shape.heads() * (shape.keySize() + shape.valueSize());
        double host = shape.pairs() * c.get(NAME + "/layer/" + kernel);
        return Smooth.max(operations / (device.half() * c.get(NAME + "/prefill-share")), host);
    }

    /// Returns the bytes at the peak: at the end of the answer, or while a feed-forward block of the prompt is
    /// computed.
    ///
    /// @param prompt tokens of the prompt
    /// @param all tokens of prompt and answer
    public static double peakBytes(ModelShape shape, double weightBytes, double prompt, double all) {
        double wide = shape.matrices() * Math.max(shape.feedForward(), shape.activeExperts() * shape.expertSize());
        double held = prompt * ACTIVATION_BYTES * (wide + HIDDEN_TENSORS * shape.hidden());
        double reading = shape.sequenceBytes(prompt, KV_BYTES) + held;
        return weightBytes + Math.max(reading, shape.sequenceBytes(all, KV_BYTES));
    }
}
