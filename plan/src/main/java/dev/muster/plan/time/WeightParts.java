// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

import dev.muster.model.tensor.ModelTensor;
import dev.muster.model.tensor.StoredTensor;
import dev.muster.model.tensor.StoredWeights;
import dev.muster.plan.cost.StepLayout;

/// The weights of a model by what happens to them in a step. Numbers and bytes of the whole model.
///
/// @param attention projections of the attention, and of layers that keep a state instead
/// @param dense feed-forward blocks that every token passes, shared experts among them
/// @param experts all routed experts
/// @param head from the last layer to the vocabulary; the embedding again where both are one
/// @param embedding rows of the vocabulary, of which a step reads as many as it has tokens; and the parts that see
/// @param isTied whether head and embedding are the same bytes
public record WeightParts(Part attention, Part dense, Part experts, Part head, Part embedding, boolean isTied) {
    /// One part.
    ///
    /// @param elements how many numbers
    /// @param bytes what they take, scales included
    public record Part(double elements, double bytes) {
        static final Part NONE = new Part(0, 0);

        Part times(double factor) {
            return new Part(elements * factor, bytes * factor);
        }

        Part plus(StoredTensor stored) {
            return new Part(
                    elements + stored.tensor().elements(),
                    bytes + stored.bytes().toDouble());
        }
    }

    /// The parts of stored weights.
    public static WeightParts of(StoredWeights weights) {
        Part attention = Part.NONE;
        Part dense = Part.NONE;
        Part experts = Part.NONE;
        Part head = Part.NONE;
        Part embedding = Part.NONE;
        Part vision = Part.NONE;
        for (StoredTensor stored : weights.tensors()) {
            ModelTensor tensor = stored.tensor();
            switch (tensor.role()) {
                case EMBEDDING, POSITIONS -> embedding = embedding.plus(stored);
                case OUTPUT -> head = head.plus(stored);
                case VISION -> vision = vision.plus(stored);
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
        // A step of decoding reads what sees as little as rows of the embedding.
        Part kept = new Part(embedding.elements + vision.elements, embedding.bytes + vision.bytes);
        return new WeightParts(attention, dense, experts, tied ? embedding : head, kept, tied);
    }

    /// The same without routed experts.
    public WeightParts withoutExperts() {
        return new WeightParts(attention, dense, Part.NONE, head, embedding, isTied);
    }

    /// So many times as large in all parts: what is assumed of a model of which only the size is known.
    public WeightParts times(double factor) {
        return new WeightParts(
                attention.times(factor),
                dense.times(factor),
                experts.times(factor),
                head.times(factor),
                embedding.times(factor),
                isTied);
    }

    /// All bytes that lie in memory.
    public double bytes() {
        return attention.bytes + dense.bytes + experts.bytes + embedding.bytes + (isTied ? 0 : head.bytes);
    }

    /// Bytes that each device of a layout holds: what is no routed expert is shared by tensor and stage, experts by
    /// whoever shares them.
    public double heldBy(StepLayout layout) {
        return (bytes() - experts.bytes) / sharers(layout) + experts.bytes / expertSharers(layout);
    }

    /// Devices that share what is no routed expert.
    public static double sharers(StepLayout layout) {
        return (double) layout.tensor() * layout.stages();
    }

    /// Devices that share the routed experts.
    public static double expertSharers(StepLayout layout) {
        return (double) Math.max(layout.expert(), layout.tensor()) * layout.stages();
    }

    /// Bits of a number of the layers, on average.
    double bitsOfEach() {
        return 8
                * (attention.bytes + dense.bytes + experts.bytes)
                / (attention.elements + dense.elements + experts.elements);
    }

    /// Numbers that a token passes outside of routed experts, head included.
    public double denseElements() {
        return attention.elements + dense.elements + head.elements;
    }
}
