// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

/// Some layers of a model, its head, or all of it.
///
/// @param shape the model's dimensions, with those of these layers
/// @param weights the weights of these layers
public record ModelPart(ModelShape shape, WeightParts weights) {
    /// Returns the part without routed experts; the router stays.
    public ModelPart withoutExperts() {
        return new ModelPart(shape, weights.withoutExperts());
    }

    /// Returns the bytes of attention, norms and blocks that every token passes.
    public double denseBytes() {
        return weights.attention().bytes() + weights.dense().bytes();
    }

    /// Returns the bytes of routed experts.
    public double expertBytes() {
        return weights.experts().bytes();
    }

    public boolean hasExperts() {
        return shape.expertLayers() > 0;
    }
}
