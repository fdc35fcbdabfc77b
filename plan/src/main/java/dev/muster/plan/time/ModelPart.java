// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

/// Some layers of a model, its head, or all of it.
///
/// @param shape the model's measures, with the numbers of these layers
/// @param weights the weights of these layers
public record ModelPart(ModelShape shape, WeightParts weights) {
    /// The same without routed experts; which of them a token goes to is still chosen here.
    public ModelPart withoutExperts() {
        return new ModelPart(shape, weights.withoutExperts());
    }

    /// Bytes of attention, norms and blocks that every token passes.
    public double denseBytes() {
        return weights.attention().bytes() + weights.dense().bytes();
    }

    /// Bytes of routed experts.
    public double expertBytes() {
        return weights.experts().bytes();
    }

    /// Whether it has routed experts.
    public boolean hasExperts() {
        return shape.expertLayers() > 0;
    }
}
