package dev.muster.plan.search;

import java.util.ArrayList;
import java.util.List;

/// The most that a plan may take. What is not limited is infinite. Predictions are held to their middle,
/// not to their bounds.
///
/// @param firstToken seconds until the first token, averaged over sequences that all arrive together
/// @param perToken seconds between tokens
/// @param usdPerHour dollars of the United States for an hour of the machines that have to be rented
/// @since 0.1
public record ServingLimits(double firstToken, double perToken, double usdPerHour) {
    /// No limits.
    public static final ServingLimits NONE =
            new ServingLimits(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

    /// Checks the numbers.
    ///
    /// @throws IllegalArgumentException unless all are above 0
    public ServingLimits {
        if (!(firstToken > 0 && perToken > 0 && usdPerHour > 0)) {
            throw new IllegalArgumentException("a limit is above 0");
        }
    }

    /// The same with another limit of the time to the first token.
    public ServingLimits withFirstToken(double seconds) {
        return new ServingLimits(seconds, perToken, usdPerHour);
    }

    /// The same with another limit of the time per token.
    public ServingLimits withPerToken(double seconds) {
        return new ServingLimits(firstToken, seconds, usdPerHour);
    }

    /// The same with another budget.
    public ServingLimits withUsdPerHour(double dollars) {
        return new ServingLimits(firstToken, perToken, dollars);
    }

    /// Whether anything is limited.
    public boolean isAny() {
        return firstToken < Double.POSITIVE_INFINITY || perToken < Double.POSITIVE_INFINITY || hasBudget();
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
        add(breaches, ServingLimit.FIRST_TOKEN, firstToken, firstTokenSeconds);
        add(breaches, ServingLimit.PER_TOKEN, perToken, perTokenSeconds);
        add(breaches, ServingLimit.USD_PER_HOUR, usdPerHour, dollars);
        return List.copyOf(breaches);
    }

    private static void add(List<LimitBreach> breaches, ServingLimit limit, double allowed, double predicted) {
        if (predicted > allowed) {
            breaches.add(new LimitBreach(limit, allowed, predicted));
        }
    }
}
