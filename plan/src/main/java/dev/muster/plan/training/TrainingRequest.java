// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.training;

import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelSummary;
import dev.muster.plan.cost.TrainingRun.Offload;

/// A request for a training plan.
///
/// @param model the model
/// @param method training method
/// @param rank rank of adapters, if the method has some
/// @param precision precision of matrix products
/// @param sequence tokens of a sequence
/// @param batch sequences of a step
/// @param goal goal of the plan
/// @param offload largest offload
/// @param limits amount of training, and limits
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
    /// Default tokens of a sequence.
    public static final int DEFAULT_SEQUENCE = 4096;
    /// Default sequences of a step.
    public static final int DEFAULT_BATCH = 256;
    /// Default sequences of a step for adapters.
    public static final int ADAPTER_BATCH = 16;
    /// Default rank of adapters.
    public static final int DEFAULT_RANK = 16;

    /// Checks the numbers.
    ///
    /// @throws IllegalArgumentException unless all are at least 1
    public TrainingRequest {
        if (rank < 1 || sequence < 1 || batch < 1) {
            throw new IllegalArgumentException("training has at least one token, one sequence, and a rank of one");
        }
    }

    /// Returns a request for the fastest full training in 16 bits of 256 sequences of 4096 tokens at a step, 16 for
    /// adapters.
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

    /// Returns the architecture.
    public ModelArchitecture architecture() {
        return model.architecture();
    }

    /// Returns a copy with sequences of another length.
    public TrainingRequest withSequence(int other) {
        return new TrainingRequest(model, method, rank, precision, other, batch, goal, offload, limits);
    }

    /// Returns a copy with another method.
    public TrainingRequest withMethod(TrainingMethod other) {
        return new TrainingRequest(model, other, rank, precision, sequence, batch, goal, offload, limits);
    }

    /// Returns a copy with another number of sequences in a step.
    public TrainingRequest withBatch(int other) {
        return new TrainingRequest(model, method, rank, precision, sequence, other, goal, offload, limits);
    }

    /// Returns a copy with adapters of another rank.
    public TrainingRequest withRank(int other) {
        return new TrainingRequest(model, method, other, precision, sequence, batch, goal, offload, limits);
    }

    /// Returns a copy with products in another precision.
    public TrainingRequest withPrecision(TrainingPrecision other) {
        return new TrainingRequest(model, method, rank, other, sequence, batch, goal, offload, limits);
    }

    /// Returns a copy with another goal.
    public TrainingRequest withGoal(TrainingGoal other) {
        return new TrainingRequest(model, method, rank, precision, sequence, batch, other, offload, limits);
    }

    /// Returns a copy with other limits.
    public TrainingRequest withLimits(TrainingLimits other) {
        return new TrainingRequest(model, method, rank, precision, sequence, batch, goal, offload, other);
    }

    /// Returns a copy with another offload.
    public TrainingRequest withOffload(Offload other) {
        return new TrainingRequest(model, method, rank, precision, sequence, batch, goal, other, limits);
    }
}
