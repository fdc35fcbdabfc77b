// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search.training;

import dev.muster.plan.cost.TrainingRun;
import dev.muster.plan.search.PowerDraw;
import dev.muster.plan.training.TrainingGoal;
import java.util.Arrays;

/// A run that fits, with its speed.
///
/// @param run the run
/// @param secondsPerToken seconds of one device for each token
/// @param active busy part of them; computed only for energy
/// @param goal goal of the run
record TrainingCandidate(TrainingRun run, double secondsPerToken, double active, TrainingGoal goal) {
    /// Power as a share of the limit, which devices of one kind share, so that any limit serves to compare them.
    private static final PowerDraw SHARE_OF_LIMIT = PowerDraw.ofLimit(1);

    /// Compares runs, the best first. Of equals the simpler one: fewer devices, smaller groups, less recompute. No
    /// `Comparator.comparing`, which takes 7 ms when it is first used (docs/decisions/0004).
    static int compare(TrainingCandidate one, TrainingCandidate other) {
        TrainingRun a = one.run;
        TrainingRun b = other.run;
        int order = Double.compare(other.merit(), one.merit());
        order = order != 0 ? order : Arrays.compare(one.size(), other.size());
        order = order != 0 ? order : a.recompute().compareTo(b.recompute());
        order = order != 0 ? order : a.sharding().compareTo(b.sharding());
        order = order != 0 ? order : a.offload().compareTo(b.offload());
        order = order != 0 ? order : Double.compare(a.virtualStages(), b.virtualStages());
        order = order != 0 ? order : Double.compare(a.microBatch(), b.microBatch());
        return order != 0 ? order : a.order().compareTo(b.order());
    }

    private double[] size() {
        return new double[] {-tokensPerSecond(), run.devices(), run.tp(), run.pp(), run.cp(), run.ep()};
    }

    double tokensPerSecond() {
        return run.devices() / secondsPerToken;
    }

    /// Returns the value for the goal; more is better.
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
