// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search.training;

import dev.muster.plan.time.ModelShape;
import dev.muster.plan.training.TrainingMethod;

/// The memory and operations of a training method, relative to plain training.
///
/// @param isAdapter true if the model's weights are frozen and small matrices beside them are trained
/// @param frozenBytes bytes of a frozen weight
/// @param adapterNumbers numbers of the small matrices, without those beside routed experts
/// @param expertAdapterNumbers numbers of those: each expert has its own
/// @param adapterRanks sum of their ranks in a layer
/// @param trainedModels models of this size that are trained
/// @param frozenModels models of this size for inference only
/// @param passes operations as a multiple of plain training
public record TrainingLoad(
        boolean isAdapter,
        double frozenBytes,
        double adapterNumbers,
        double expertAdapterNumbers,
        double adapterRanks,
        int trainedModels,
        int frozenModels,
        double passes) {
    /// Queries, keys, values and output of attention; gate, up and down of the block.
    private static final int ATTENTION_MATRICES = 4;

    private static final double HALF_BYTES = 2;
    /// Four bits with a scale of 32 bits for each 64 weights.
    private static final double FOUR_BIT_BYTES = 4.5 / 8;

    private static final double EIGHT_BIT_BYTES = 1;
    /// Virtual tokens of a learned prefix.
    private static final double PREFIX_TOKENS = 20;
    /// A pass for inference only, as a share of the three passes of training.
    private static final double ANSWER = 1.0 / 3;

    /// Returns the load of a method on a model.
    ///
    /// @param rank rank of adapters, which stand beside all matrices of a layer and of each of its routed experts
    public static TrainingLoad of(TrainingMethod method, ModelShape shape, int rank) {
        return switch (method) {
            case TrainingMethod.QLora(int bits) -> adapters(bits <= 4 ? FOUR_BIT_BYTES : EIGHT_BIT_BYTES, shape, rank);
            case TrainingMethod.Simple simple ->
                switch (simple) {
                    case FULL_FINE_TUNE -> full(1, 0, 1);
                    case LORA -> adapters(HALF_BYTES, shape, rank);
                    case PREFIX ->
                        new TrainingLoad(
                                true, HALF_BYTES, 2 * PREFIX_TOKENS * shape.layers() * shape.hidden(), 0, 0, 1, 0, 1);
                    // The model before training answers beside the one in training.
                    case DPO -> full(1, 1, 1 + ANSWER);
                    // Policy and critic are trained; the policy before training and the reward model answer.
                    case RLHF -> full(2, 2, 2 + 2 * ANSWER);
                    // A teacher of the same size answers.
                    case DISTILLATION -> full(1, 1, 1 + ANSWER);
                };
        };
    }

    /// Returns the numbers of all small matrices.
    double allAdapterNumbers() {
        return adapterNumbers + expertAdapterNumbers;
    }

    private static TrainingLoad full(int trained, int frozen, double passes) {
        return new TrainingLoad(false, HALF_BYTES, 0, 0, 0, trained, frozen, passes);
    }

    private static TrainingLoad adapters(double frozenBytes, ModelShape shape, int rank) {
        double queries = shape.heads() * shape.keySize();
        double outputs = shape.heads() * shape.valueSize();
        double keys = shape.kvHeads() * shape.keySize();
        double values = shape.kvHeads() * shape.valueSize();
        double attention = 4 * shape.hidden() + queries + keys + values + outputs;
        double block = shape.matrices() * (shape.hidden() + shape.feedForward());
        double expert = shape.matrices() * (shape.hidden() + shape.expertSize());
        double denseLayers = shape.layers() - shape.expertLayers();
        return new TrainingLoad(
                true,
                frozenBytes,
                rank * (shape.layers() * attention + denseLayers * block),
                rank * shape.expertLayers() * shape.experts() * expert,
                (double) rank * (ATTENTION_MATRICES + shape.matrices()),
                1,
                0,
                1);
    }
}
