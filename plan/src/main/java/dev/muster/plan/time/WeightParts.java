// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

import dev.muster.model.tensor.ModelTensor;
import dev.muster.model.tensor.StoredTensor;
import dev.muster.model.tensor.StoredWeights;
import dev.muster.plan.cost.Parallelism;

/// The weights of a model by their use in a step. Numbers and bytes of the whole model.
///
/// @param attention projections of the attention, and of layers that keep a state instead
/// @param dense feed-forward blocks that every token passes, shared experts among them
/// @param experts all routed experts
/// @param head projection from the last layer to the vocabulary; the embedding again if both are tied
/// @param embedding rows of the vocabulary, of which a step reads as many as it has tokens, also those of single layers
/// and of positions; and the vision and audio parts
/// @param isTied true if head and embedding are the same bytes
public record WeightParts(Part attention, Part dense, Part experts, Part head, Part embedding, boolean isTied) {
    /// One part.
    ///
    /// @param elements number of weights
    /// @param bytes bytes of them, scales included
    public record Part(double elements, double bytes) {
        static final Part NONE = new Part(0, 0);

        Part withBytes(double each) {
            return new Part(elements, elements * each);
        }

        Part plus(StoredTensor stored) {
            return new Part(
                    elements + stored.tensor().elements(),
                    bytes + stored.bytes().toDouble());
        }
    }

    public static WeightParts of(StoredWeights weights) {
        Part attention = Part.NONE;
        Part dense = Part.NONE;
        Part experts = Part.NONE;
        Part head = Part.NONE;
        Part embedding = Part.NONE;
        Part looked = Part.NONE;
        for (StoredTensor stored : weights.tensors()) {
            ModelTensor tensor = stored.tensor();
            switch (tensor.role()) {
                case EMBEDDING -> embedding = embedding.plus(stored);
                case LAYER_EMBEDDING, POSITIONS, VISION, AUDIO, PART -> looked = looked.plus(stored);
                case OUTPUT -> head = head.plus(stored);
                case QUERY, KEY, VALUE, ATTENTION_OUTPUT, LATENT_DOWN, LATENT_UP, STATE_IN, STATE_OUT ->
                    attention = attention.plus(stored);
                case GATE, UP, DOWN, ROUTER, VECTOR -> {
                    if (tensor.count() > 1) {
                        experts = experts.plus(stored);
                    } else {
                        dense = dense.plus(stored);
                    }
                }
            }
        }
        boolean tied = head.elements() == 0;
        // A decode step reads as little of these as of the embedding's rows.
        Part kept = new Part(embedding.elements + looked.elements, embedding.bytes + looked.bytes);
        return new WeightParts(attention, dense, experts, tied ? embedding : head, kept, tied);
    }

    /// Returns the weights without routed experts.
    public WeightParts withoutExperts() {
        return new WeightParts(attention, dense, Part.NONE, head, embedding, isTied);
    }

    /// Returns the same weights, each in as many bits as those of a part have on average.
    public WeightParts withBits(Part part) {
        double each = part.bytes / part.elements;
        return new WeightParts(
                attention.withBytes(each),
                dense.withBytes(each),
                experts.withBytes(each),
                head.withBytes(each),
                embedding.withBytes(each),
                isTied);
    }

    /// Returns all bytes in memory.
    public double bytes() {
        return attention.bytes + dense.bytes + experts.bytes + embedding.bytes + (isTied ? 0 : head.bytes);
    }

    /// Returns the bytes that each device of a layout holds: all weights but routed experts are shared by tensor and
    /// stage, experts by the devices that share them.
    public double heldBy(Parallelism layout) {
        return (bytes() - experts.bytes) / sharers(layout) + experts.bytes / expertSharers(layout);
    }

    /// Returns the number of devices that share all weights but routed experts.
    public static double sharers(Parallelism layout) {
        return (double) layout.tp() * layout.pp();
    }

    /// Returns the number of devices that share the routed experts.
    public static double expertSharers(Parallelism layout) {
        return (double) Math.max(layout.ep(), layout.tp()) * layout.pp();
    }

    /// Returns the mean bits of a weight of the layers.
    double bitsOfEach() {
        return 8
                * (attention.bytes + dense.bytes + experts.bytes)
                / (attention.elements + dense.elements + experts.elements);
    }

    /// Returns the weights that a token passes outside of routed experts, head included.
    public double denseElements() {
        return attention.elements + dense.elements + head.elements;
    }
}
