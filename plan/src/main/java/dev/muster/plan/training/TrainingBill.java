// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.training;

import dev.muster.core.Reading;
import dev.muster.plan.answer.Estimate;

/// What a whole training takes.
///
/// @param seconds from its first step to its last, without pauses
/// @param deviceHours hours of all devices that do something
/// @param joules what those devices draw; unknown where their limit is
/// @param usd what the machines cost, were they rented on demand; unknown where no price of them is known
/// @since 0.1
public record TrainingBill(Estimate seconds, Estimate deviceHours, Reading<Estimate> joules, Reading<Estimate> usd) {
    private static final double HOUR = 3600;

    /// What so many tokens take with a plan.
    public static TrainingBill of(TrainingPlan plan, double tokens) {
        Estimate seconds = plan.tokensPerSecond().dividing(tokens);
        return new TrainingBill(
                seconds,
                seconds.times(plan.devices() / HOUR),
                plan.joulesPerToken().map(joules -> joules.times(tokens)),
                plan.rental().map(rental -> seconds.times(rental.usdPerHour() / HOUR)));
    }

    /// Whether it keeps limits; what is not known keeps none.
    boolean keeps(TrainingLimits limits) {
        return seconds.p50() <= limits.seconds()
                && (!limits.hasBudget()
                        || usd.find().map(Estimate::p50).orElse(Double.POSITIVE_INFINITY) <= limits.usd());
    }
}
