// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.serving;

import java.util.ArrayList;
import java.util.List;

/// Limits of a plan. A missing limit is infinite. The medians of predictions are compared, not their bounds.
///
/// @param timeToFirstToken seconds until the first token, averaged over sequences that all arrive together
/// @param timePerOutputToken seconds between tokens
/// @param usdPerHour US dollars for an hour of the rented machines
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

    /// Returns a copy with another limit of the time to the first token.
    public ServingLimits withTimeToFirstToken(double seconds) {
        return new ServingLimits(seconds, timePerOutputToken, usdPerHour);
    }

    /// Returns a copy with another limit of the time per token.
    public ServingLimits withTimePerOutputToken(double seconds) {
        return new ServingLimits(timeToFirstToken, seconds, usdPerHour);
    }

    /// Returns a copy with another budget.
    public ServingLimits withUsdPerHour(double dollars) {
        return new ServingLimits(timeToFirstToken, timePerOutputToken, dollars);
    }

    /// Reports whether there is a limit.
    public boolean isAny() {
        return timeToFirstToken < Double.POSITIVE_INFINITY
                || timePerOutputToken < Double.POSITIVE_INFINITY
                || hasBudget();
    }

    /// Reports whether there is a budget.
    public boolean hasBudget() {
        return usdPerHour < Double.POSITIVE_INFINITY;
    }

    /// Returns the limits that figures exceed.
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

    /// A kind of limit.
    ///
    /// @since 0.1
    public enum Kind {
        /// Seconds until the first token, with all sequences arriving together.
        TIME_TO_FIRST_TOKEN("time-to-first-token"),
        /// Seconds between tokens.
        TIME_PER_OUTPUT_TOKEN("time-per-output-token"),
        /// US dollars for an hour.
        USD_PER_HOUR("usd-per-hour");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        /// Returns the name in documents.
        public String label() {
            return label;
        }
    }

    /// A limit that a plan exceeds.
    ///
    /// @param limit the limit
    /// @param allowed its value, in seconds or dollars
    /// @param predicted predicted value
    /// @since 0.1
    public record Breach(Kind limit, double allowed, double predicted) {
        /// Returns the excess, as a share of the limit.
        public double excess() {
            return predicted / allowed - 1;
        }
    }
}
