// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.training;

/// The amount of training, and limits on its cost. Predictions are held to their middle, not to their bounds.
///
/// @param tokens tokens of the whole training; 0 if not given
/// @param seconds time limit for them; infinite without a limit
/// @param usd limit in US dollars for machines rented that long; infinite without a limit
/// @since 0.1
public record TrainingLimits(double tokens, double seconds, double usd) {
    /// No amount and no limits.
    public static final TrainingLimits NONE = new TrainingLimits(0, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

    /// Checks the numbers.
    ///
    /// @throws IllegalArgumentException if a limit is not above 0, or holds for no tokens
    public TrainingLimits {
        if (!(tokens >= 0 && seconds > 0 && usd > 0)) {
            throw new IllegalArgumentException("a limit is above 0");
        }
        if (tokens == 0 && (seconds < Double.POSITIVE_INFINITY || usd < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("limits hold for some tokens");
        }
    }

    /// Returns the same number of tokens without any limit.
    public TrainingLimits unlimited() {
        return new TrainingLimits(tokens, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);
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
