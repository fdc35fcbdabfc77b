// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.training;

import dev.muster.core.Reading;
import dev.muster.plan.cost.Estimate;

/// The cost of a whole training.
///
/// @param seconds from its first step to its last, without pauses
/// @param deviceHours hours of all devices in use
/// @param joules energy of those devices; unknown if their limit is
/// @param usd price of the machines on demand; unknown if no price is known
/// @param goodput share of the time with checkpoints and failures that is work
/// @param checkpointBytes bytes of a checkpoint: weights, and optimizer states if they are trained
/// @param checkpointSeconds pause for a checkpoint
/// @param checkpointEvery seconds of work between two checkpoints that give the best goodput
/// @param failures number of failures until the last step
/// @since 0.1
public record TrainingBill(
        Estimate seconds,
        Estimate deviceHours,
        Reading<Estimate> joules,
        Reading<Estimate> usd,
        double goodput,
        double checkpointBytes,
        double checkpointSeconds,
        double checkpointEvery,
        double failures) {
    private static final double HOUR = 3600;
    /// Bytes of a parameter in a checkpoint of full training: 16-bit weights, and 32-bit weights and moments of Adam.
    private static final double FULL_BYTES = 14;
    /// Adapters are about a hundredth of the model, and the base is not saved.
    private static final double ADAPTER_SHARE = 0.01;

    /// Returns the cost of a number of tokens with a plan.
    public static TrainingBill of(TrainingPlan plan, double tokens) {
        Estimate seconds = plan.tokensPerSecond().dividing(tokens);
        TrainingLimits limits = plan.request().limits();
        double parameters = plan.request().model().parameters().find().orElse(0L);
        double bytes = parameters * FULL_BYTES * (plan.request().method().isAdapter() ? ADAPTER_SHARE : 1);
        double rate = limits.checkpointRate() > 0
                ? limits.checkpointRate()
                : TrainingLimits.HOST_CHECKPOINT_RATE
                        * Math.ceilDiv(plan.devices(), plan.cluster().perHost());
        double failureSeconds = limits.mtbfHours() * HOUR / plan.devices();
        Goodput faults = new Goodput(failureSeconds, bytes / rate, limits.restartSeconds());
        double goodput = faults.best();
        return new TrainingBill(
                seconds,
                seconds.times(plan.devices() / HOUR),
                plan.joulesPerToken().map(joules -> joules.times(tokens)),
                plan.rental().map(rental -> seconds.times(rental.usdPerHour() / HOUR)),
                goodput,
                bytes,
                bytes / rate,
                faults.bestInterval(),
                seconds.p50() / goodput / failureSeconds);
    }

    /// Returns the time with checkpoints and failures.
    public Estimate elapsed() {
        return seconds.times(1 / goodput);
    }

    /// Returns the price with checkpoints and failures, during which machines stay rented; unknown if no price is
    /// known.
    public Reading<Estimate> usdElapsed() {
        return usd.map(price -> price.times(1 / goodput));
    }

    /// Reports whether it keeps limits, which hold without pauses; unknown values keep none.
    boolean keeps(TrainingLimits limits) {
        return seconds.p50() <= limits.seconds()
                && (!limits.hasBudget()
                        || usd.find().map(Estimate::p50).orElse(Double.POSITIVE_INFINITY) <= limits.usd());
    }
}
