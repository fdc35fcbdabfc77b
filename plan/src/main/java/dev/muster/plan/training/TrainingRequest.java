// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.training;

import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelSummary;
import dev.muster.plan.cost.TrainingRun.Offload;

/// What is asked of a plan of training.
///
/// @param model the model
/// @param method what is trained
/// @param rank rank of adapters, where the method has some
/// @param precision what products compute in
/// @param sequence tokens of a sequence
/// @param batch sequences of a step
/// @param goal what the plan should be best at
/// @param offload the most that may lie outside of the devices
/// @param limits how much is trained, and the most that it may take
/// @since 0.1
public record TrainingRequest(
        ModelSummary model,
        TrainingMethod method,
        int rank,
        TrainingPrecision precision,
        int sequence,
        int batch,
        TrainingGoal goal,
        Offload offload,
        TrainingLimits limits) {
    /// Tokens of a sequence, unless said otherwise.
    public static final int DEFAULT_SEQUENCE = 4096;
    /// Sequences of a step, unless said otherwise.
    public static final int DEFAULT_BATCH = 256;
    /// The same for adapters.
    public static final int ADAPTER_BATCH = 16;
    /// Rank of adapters, unless said otherwise.
    public static final int DEFAULT_RANK = 16;

    /// Checks the numbers.
    ///
    /// @throws IllegalArgumentException unless all are at least 1
    public TrainingRequest {
        if (rank < 1 || sequence < 1 || batch < 1) {
            throw new IllegalArgumentException("training has at least one token, one sequence, and a rank of one");
        }
    }

    /// Full training in 16 bits of 256 sequences of 4096 tokens at a step, 16 for adapters, as fast as can be.
    public static TrainingRequest of(ModelSummary model, TrainingMethod method) {
        return new TrainingRequest(
                model,
                method,
                DEFAULT_RANK,
                TrainingPrecision.BF16,
                DEFAULT_SEQUENCE,
                method.isAdapter() ? ADAPTER_BATCH : DEFAULT_BATCH,
                TrainingGoal.SPEED,
                Offload.NONE,
                TrainingLimits.NONE);
    }

    /// How the model is built.
    public ModelArchitecture architecture() {
        return model.architecture();
    }

    /// The same with sequences of another length.
    public TrainingRequest withSequence(int other) {
        return new TrainingRequest(model, method, rank, precision, other, batch, goal, offload, limits);
    }

    /// The same with another method.
    public TrainingRequest withMethod(TrainingMethod other) {
        return new TrainingRequest(model, other, rank, precision, sequence, batch, goal, offload, limits);
    }

    /// The same with another number of sequences in a step.
    public TrainingRequest withBatch(int other) {
        return new TrainingRequest(model, method, rank, precision, sequence, other, goal, offload, limits);
    }

    /// The same with adapters of another rank.
    public TrainingRequest withRank(int other) {
        return new TrainingRequest(model, method, other, precision, sequence, batch, goal, offload, limits);
    }

    /// The same with products in another precision.
    public TrainingRequest withPrecision(TrainingPrecision other) {
        return new TrainingRequest(model, method, rank, other, sequence, batch, goal, offload, limits);
    }

    /// The same with another goal.
    public TrainingRequest withGoal(TrainingGoal other) {
        return new TrainingRequest(model, method, rank, precision, sequence, batch, other, offload, limits);
    }

    /// The same with other limits.
    public TrainingRequest withLimits(TrainingLimits other) {
        return new TrainingRequest(model, method, rank, precision, sequence, batch, goal, offload, other);
    }

    /// The same with something else outside of the devices.
    public TrainingRequest withOffload(Offload other) {
        return new TrainingRequest(model, method, rank, precision, sequence, batch, goal, other, limits);
    }
}
