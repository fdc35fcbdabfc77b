package dev.muster.plan.search;

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
    List<LimitBreach> breaches(double firstTokenSeconds, double perTokenSeconds, double dollars) {
        if (!isAny()) {
            return List.of();
        }
        List<LimitBreach> breaches = new ArrayList<>();
        add(breaches, ServingLimit.TIME_TO_FIRST_TOKEN, timeToFirstToken, firstTokenSeconds);
        add(breaches, ServingLimit.TIME_PER_OUTPUT_TOKEN, timePerOutputToken, perTokenSeconds);
        add(breaches, ServingLimit.USD_PER_HOUR, usdPerHour, dollars);
        return List.copyOf(breaches);
    }

    private static void add(List<LimitBreach> breaches, ServingLimit limit, double allowed, double predicted) {
        if (predicted > allowed) {
            breaches.add(new LimitBreach(limit, allowed, predicted));
        }
    }
}
