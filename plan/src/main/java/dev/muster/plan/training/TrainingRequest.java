package dev.muster.plan.training;

import dev.muster.plan.ModelArchitecture;
import dev.muster.plan.TrainingMethod;
import dev.muster.plan.time.TrainingRun.Offload;

/// What is asked of a plan of training.
///
/// @param architecture the model
/// @param method what is trained
/// @param rank rank of adapters, where the method has some
/// @param precision what products compute in: `bf16`, `fp8`, `mxfp8` or `nvfp4`
/// @param sequence tokens of a sequence
/// @param batch sequences of a step
/// @param goal what the plan should be best at
/// @param offload the most that may lie outside of the devices
/// @param limits how much is trained, and the most that it may take
/// @since 0.1
public record TrainingRequest(
        ModelArchitecture architecture,
        TrainingMethod method,
        int rank,
        String precision,
        int sequence,
        int batch,
        TrainingGoal goal,
        Offload offload,
        TrainingLimits limits) {
    /// Checks the numbers.
    ///
    /// @throws IllegalArgumentException unless all are at least 1
    public TrainingRequest {
        if (rank < 1 || sequence < 1 || batch < 1) {
            throw new IllegalArgumentException("training has at least one token, one sequence, and a rank of one");
        }
    }

    /// With everything on devices, and without limits.
    public TrainingRequest(
            ModelArchitecture architecture,
            TrainingMethod method,
            int rank,
            String precision,
            int sequence,
            int batch,
            TrainingGoal goal) {
        this(architecture, method, rank, precision, sequence, batch, goal, Offload.NONE, TrainingLimits.NONE);
    }

    /// The same with sequences of another length.
    public TrainingRequest withSequence(int other) {
        return new TrainingRequest(architecture, method, rank, precision, other, batch, goal, offload, limits);
    }

    /// The same with another method.
    public TrainingRequest withMethod(TrainingMethod other) {
        return new TrainingRequest(architecture, other, rank, precision, sequence, batch, goal, offload, limits);
    }

    /// The same with another number of sequences in a step.
    public TrainingRequest withBatch(int other) {
        return new TrainingRequest(architecture, method, rank, precision, sequence, other, goal, offload, limits);
    }

    /// The same with another goal.
    public TrainingRequest withGoal(TrainingGoal other) {
        return new TrainingRequest(architecture, method, rank, precision, sequence, batch, other, offload, limits);
    }

    /// The same with other limits.
    public TrainingRequest withLimits(TrainingLimits other) {
        return new TrainingRequest(architecture, method, rank, precision, sequence, batch, goal, offload, other);
    }

    /// The same with something else outside of the devices.
    public TrainingRequest withOffload(Offload other) {
        return new TrainingRequest(architecture, method, rank, precision, sequence, batch, goal, other, limits);
    }
}
