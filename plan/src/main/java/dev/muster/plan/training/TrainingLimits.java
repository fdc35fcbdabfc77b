// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.training;

/// The amount of training, limits on its cost, and what interrupts it. Predictions are held to their middle, not to
/// their bounds.
///
/// @param tokens tokens of the whole training; 0 if not given
/// @param seconds time limit for them; infinite without a limit
/// @param usd limit in US dollars for machines rented that long; infinite without a limit
/// @param mtbfHours mean time between failures of one device with its share of the host, in hours
/// @param restartSeconds time from a failure to the first step after it
/// @param checkpointRate bytes per second with which all hosts together write a checkpoint; 0 for
/// [#HOST_CHECKPOINT_RATE] of each
/// @param risk accepted probability that the peak exceeds the memory of a device; 0 for [#USUAL_RISK], if a plan
/// keeps it
/// @since 0.1
public record TrainingLimits(
        double tokens,
        double seconds,
        double usd,
        double mtbfHours,
        double restartSeconds,
        double checkpointRate,
        double risk) {
    /// Accepted probability that the peak of a training exceeds the memory of a device.
    public static final double USUAL_RISK = 0.1;
    /// Mean time between failures of a device in hours: 419 unexpected interruptions of 16,384 H100 in 54 days
    /// (arXiv 2407.21783, section 3.3.4).
    public static final double USUAL_MTBF_HOURS = 50_000;
    /// Assumed time from a failure to the first step after it.
    public static final double USUAL_RESTART_SECONDS = 600;
    /// Assumed rate of one host's writing of checkpoints, that of one drive, in bytes per second.
    public static final double HOST_CHECKPOINT_RATE = 2e9;

    /// No amount and no limits.
    public static final TrainingLimits NONE = new TrainingLimits(0, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

    /// Checks the numbers.
    ///
    /// @throws IllegalArgumentException if a limit is not above 0, or holds for no tokens
    public TrainingLimits {
        if (!(tokens >= 0 && seconds > 0 && usd > 0 && mtbfHours > 0)) {
            throw new IllegalArgumentException("a limit is above 0");
        }
        if (!(restartSeconds >= 0 && checkpointRate >= 0 && risk >= 0 && risk < 1)) {
            throw new IllegalArgumentException("a time, a rate or a risk is out of range");
        }
        if (tokens == 0 && (seconds < Double.POSITIVE_INFINITY || usd < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("limits hold for some tokens");
        }
    }

    /// Creates limits with the usual interruptions.
    public TrainingLimits(double tokens, double seconds, double usd) {
        this(tokens, seconds, usd, USUAL_MTBF_HOURS, USUAL_RESTART_SECONDS, 0, 0);
    }

    /// Returns the same number of tokens without any limit.
    public TrainingLimits unlimited() {
        return new TrainingLimits(
                tokens,
                Double.POSITIVE_INFINITY,
                Double.POSITIVE_INFINITY,
                mtbfHours,
                restartSeconds,
                checkpointRate,
                risk);
    }

    /// Returns a copy with an accepted probability that the peak exceeds the memory of a device.
    public TrainingLimits withRisk(double accepted) {
        return new TrainingLimits(tokens, seconds, usd, mtbfHours, restartSeconds, checkpointRate, accepted);
    }

    /// Reports whether the accepted probability was given.
    public boolean isRiskGiven() {
        return risk > 0;
    }

    /// Returns the accepted probability that the peak exceeds the memory of a device.
    public double acceptedRisk() {
        return isRiskGiven() ? risk : USUAL_RISK;
    }

    /// Reports whether anything is limited.
    public boolean isAny() {
        return hasDeadline() || hasBudget();
    }

    /// Reports whether time is limited.
    public boolean hasDeadline() {
        return seconds < Double.POSITIVE_INFINITY;
    }

    /// Reports whether money is limited.
    public boolean hasBudget() {
        return usd < Double.POSITIVE_INFINITY;
    }
}
