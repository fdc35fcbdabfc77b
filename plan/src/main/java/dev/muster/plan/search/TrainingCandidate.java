package dev.muster.plan.search;

import dev.muster.plan.cost.TrainingRun;
import dev.muster.plan.training.TrainingGoal;
import java.util.Comparator;

/// A run that fits, with its speed.
///
/// @param run the run
/// @param secondsPerToken seconds of one device for each token
/// @param active how many of them count as busy; asked for where energy counts alone
/// @param goal what it should be best at
record TrainingCandidate(TrainingRun run, double secondsPerToken, double active, TrainingGoal goal) {
    /// Devices of one kind have the same limit, so that any does to compare them.
    private static final PowerDraw SHARE_OF_LIMIT = PowerDraw.ofLimit(1);

    /// The best first. Of equals the simpler one: fewer devices, fewer sharers, less computed again.
    static final Comparator<TrainingCandidate> ORDER = Comparator.comparingDouble(
                    (TrainingCandidate one) -> -one.merit())
            .thenComparingDouble(one -> -one.tokensPerSecond())
            .thenComparingDouble(one -> one.run.devices())
            .thenComparingDouble(one -> one.run.tensor())
            .thenComparingDouble(one -> one.run.stages())
            .thenComparingDouble(one -> one.run.context())
            .thenComparingDouble(one -> one.run.expert())
            .thenComparing(one -> one.run.recompute())
            .thenComparing(one -> one.run.sharding())
            .thenComparing(one -> one.run.offload())
            .thenComparingDouble(one -> one.run.virtualStages())
            .thenComparingDouble(one -> one.run.microBatch())
            .thenComparing(one -> one.run.order());

    double tokensPerSecond() {
        return run.devices() / secondsPerToken;
    }

    /// How good it is at what is asked; more is better.
    double merit() {
        return merit(goal, run.devices(), secondsPerToken, active);
    }

    static double merit(TrainingGoal goal, double devices, double secondsPerToken, double active) {
        return switch (goal) {
            case SPEED -> devices / secondsPerToken;
            case COST -> 1 / secondsPerToken;
            case DEVICES -> -devices;
            case ENERGY -> -SHARE_OF_LIMIT.joules(secondsPerToken, active);
        };
    }
}
