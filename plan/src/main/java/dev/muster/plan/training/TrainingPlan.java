package dev.muster.plan.training;

import dev.muster.plan.search.Estimate;
import dev.muster.plan.time.TrainingRun;
import dev.muster.plan.time.TrainingTime;

/// One way to train a model.
///
/// @param cluster the devices that there are
/// @param software the framework
/// @param run how the model lies on devices, and in what pieces it works
/// @param layers layers of the model
/// @param memory what the fullest device holds
/// @param peak all of it, with the bounds that measurements of such peaks tell
/// @param tokensPerSecond tokens per second of all devices
/// @param stepSeconds seconds of a step
/// @param utilization useful operations over what the devices could do with 16-bit numbers
/// @param time where the time goes
/// @param isMeasured whether the framework was measured on such devices; where not, bounds are twice as wide
/// @since 0.1
public record TrainingPlan(
        TrainingCluster cluster,
        TrainingSoftware software,
        TrainingRun run,
        int layers,
        TrainingMemoryUse memory,
        Estimate peak,
        Estimate tokensPerSecond,
        Estimate stepSeconds,
        double utilization,
        TrainingTime time,
        boolean isMeasured) {
    /// Devices that do something.
    public int devices() {
        return (int) run.devices();
    }

    /// Devices that are left over.
    public int idle() {
        return cluster.devices() - devices();
    }

    /// The first layer of a stage. Where layers do not divide, the first stage and the last, which hold embedding and
    /// head, have fewer.
    ///
    /// @param stage from 0; the number of stages for where the model ends
    public int firstLayer(int stage) {
        int stages = (int) run.stages();
        int more = layers % stages;
        return stage * (layers / stages)
                + Math.min(Math.max(0, stage - 1), more)
                + (stage == stages && more > stages - 1 ? 1 : 0);
    }
}
