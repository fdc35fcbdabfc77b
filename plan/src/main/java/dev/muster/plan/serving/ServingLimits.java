// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.serving;

import dev.muster.core.text.FixedText;
import java.util.ArrayList;
import java.util.List;

/// The most that a plan may take. What is not limited is infinite. Predictions are held to their middle,
/// not to their bounds.
///
/// @param timeToFirstToken seconds until the first token, averaged over sequences that all arrive together
/// @param timePerOutputToken seconds between tokens
/// @param usdPerHour dollars of the United States for an hour of the machines that have to be rented
/// @since 0.1
public record ServingLimits(double timeToFirstToken, double timePerOutputToken, double usdPerHour) {
    /// No limits.
    public static final ServingLimits NONE =
            new ServingLimits(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

    /// Checks the numbers.
    ///
    /// @throws IllegalArgumentException unless all are above 0
    public ServingLimits {
        if (!(timeToFirstToken > 0 && timePerOutputToken > 0 && usdPerHour > 0)) {
            throw new IllegalArgumentException("a limit is above 0");
        }
    }

    /// The same with another limit of the time to the first token.
    public ServingLimits withTimeToFirstToken(double seconds) {
        return new ServingLimits(seconds, timePerOutputToken, usdPerHour);
    }

    /// The same with another limit of the time per token.
    public ServingLimits withTimePerOutputToken(double seconds) {
        return new ServingLimits(timeToFirstToken, seconds, usdPerHour);
    }

    /// The same with another budget.
    public ServingLimits withUsdPerHour(double dollars) {
        return new ServingLimits(timeToFirstToken, timePerOutputToken, dollars);
    }

    /// Whether anything is limited.
    public boolean isAny() {
        return timeToFirstToken < Double.POSITIVE_INFINITY
                || timePerOutputToken < Double.POSITIVE_INFINITY
                || hasBudget();
    }

    /// Whether money is limited.
    public boolean hasBudget() {
        return usdPerHour < Double.POSITIVE_INFINITY;
    }

    /// What figures go beyond.
    public List<Breach> breaches(double firstTokenSeconds, double perTokenSeconds, double dollars) {
        if (!isAny()) {
            return List.of();
        }
        List<Breach> breaches = new ArrayList<>();
        add(breaches, Kind.TIME_TO_FIRST_TOKEN, timeToFirstToken, firstTokenSeconds);
        add(breaches, Kind.TIME_PER_OUTPUT_TOKEN, timePerOutputToken, perTokenSeconds);
        add(breaches, Kind.USD_PER_HOUR, usdPerHour, dollars);
        return List.copyOf(breaches);
    }

    private static void add(List<Breach> breaches, Kind limit, double allowed, double predicted) {
        if (predicted > allowed) {
            breaches.add(new Breach(limit, allowed, predicted));
        }
    }

    /// What a plan may be held to.
    ///
    /// @since 0.1
    public enum Kind {
        /// Seconds until the first token, with all sequences arriving together.
        TIME_TO_FIRST_TOKEN("time-to-first-token"),
        /// Seconds between tokens.
        TIME_PER_OUTPUT_TOKEN("time-per-output-token"),
        /// Dollars of the United States for an hour.
        USD_PER_HOUR("usd-per-hour");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        /// The name in documents.
        public String label() {
            return label;
        }
    }

    /// A limit that a plan does not keep.
    ///
    /// @param limit which
    /// @param allowed the most that was asked for, in seconds or dollars
    /// @param predicted what the plan takes
    /// @since 0.1
    public record Breach(Kind limit, double allowed, double predicted) {
        private static final double MILLI = 1e3;
        private static final double PERCENT = 100;

        /// How far beyond, as a share of what is allowed.
        public double excess() {
            return predicted / allowed - 1;
        }

        /// What is beyond, and how far, for people.
        public String sentence() {
            return switch (limit) {
                case TIME_TO_FIRST_TOKEN -> "TTFT is " + tooLong();
                case TIME_PER_OUTPUT_TOKEN -> "TPOT is " + tooLong();
                case USD_PER_HOUR ->
                    FixedText.of(predicted, 2) + " USD an hour, " + FixedText.of(predicted - allowed, 2) + " too much";
            };
        }

        private String tooLong() {
            return FixedText.of(MILLI * predicted, 1) + " ms, " + FixedText.of(PERCENT * excess(), 0) + " % too long";
        }
    }
}
