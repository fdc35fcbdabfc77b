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
/// @since 0.1
public record TrainingBill(Estimate seconds, Estimate deviceHours, Reading<Estimate> joules, Reading<Estimate> usd) {
    private static final double HOUR = 3600;

    /// Returns the cost of a number of tokens with a plan.
    public static TrainingBill of(TrainingPlan plan, double tokens) {
        Estimate seconds = plan.tokensPerSecond().dividing(tokens);
        return new TrainingBill(
                seconds,
                seconds.times(plan.devices() / HOUR),
                plan.joulesPerToken().map(joules -> joules.times(tokens)),
                plan.rental().map(rental -> seconds.times(rental.usdPerHour() / HOUR)));
    }

    /// Reports whether it keeps limits; unknown values keep none.
    boolean keeps(TrainingLimits limits) {
        return seconds.p50() <= limits.seconds()
                && (!limits.hasBudget()
                        || usd.find().map(Estimate::p50).orElse(Double.POSITIVE_INFINITY) <= limits.usd());
    }
}
