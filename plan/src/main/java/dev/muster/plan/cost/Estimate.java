// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.cost;

/// A predicted figure: half of measured values lie above it, and eight of ten between its bounds.
///
/// @param p10 one of ten measured values lies below
/// @param p50 the prediction
/// @param p90 one of ten measured values lies above
/// @since 0.1
public record Estimate(double p10, double p50, double p90) {
    /// Returns a predicted value with its bounds.
    public static Estimate of(double value, ErrorInterval interval) {
        return new Estimate(value * interval.low(), value, value * interval.high());
    }

    /// Returns a multiple.
    public Estimate times(double factor) {
        return new Estimate(p10 * factor, p50 * factor, p90 * factor);
    }

    /// Returns a multiple with narrower or wider bounds, in logarithms.
    public Estimate corrected(double factor, double width) {
        return new Estimate(
                p50 * factor * Math.pow(p10 / p50, width), p50 * factor, p50 * factor * Math.pow(p90 / p50, width));
    }

    /// Returns the quotient of a number and this: low values become high.
    public Estimate dividing(double numerator) {
        return new Estimate(numerator / p90, numerator / p50, numerator / p10);
    }
}
