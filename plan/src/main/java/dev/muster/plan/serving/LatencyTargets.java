package dev.muster.plan.serving;

/// What clients still call good (SLO): the most seconds of each kind that a request may take. What is not limited is
/// infinite.
///
/// @param timeToFirstToken seconds to the first token (TTFT)
/// @param timePerOutputToken seconds per token behind the first (TPOT)
/// @param latency seconds to the last token
/// @since 0.1
public record LatencyTargets(double timeToFirstToken, double timePerOutputToken, double latency) {
    /// Everything is good.
    public static final LatencyTargets NONE =
            new LatencyTargets(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

    /// Checks the numbers.
    ///
    /// @throws IllegalArgumentException unless all are above 0
    public LatencyTargets {
        if (!(timeToFirstToken > 0 && timePerOutputToken > 0 && latency > 0)) {
            throw new IllegalArgumentException("a target is above 0");
        }
    }

    /// Whether anything is limited.
    public boolean isAny() {
        return timeToFirstToken < Double.POSITIVE_INFINITY
                || timePerOutputToken < Double.POSITIVE_INFINITY
                || latency < Double.POSITIVE_INFINITY;
    }
}
