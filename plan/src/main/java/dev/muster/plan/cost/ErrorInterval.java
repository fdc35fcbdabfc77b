// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.cost;

/// The interval of measured values around predictions of a class: eight of ten lie between a low and a high multiple.
///
/// @param low the multiple that one of ten measured values stays below
/// @param high the multiple that one of ten measured values goes beyond
/// @since 0.1
public record ErrorInterval(double low, double high) {
    /// The standard deviations within which one of ten values of a normal distribution lies on each side.
    private static final double TENTH = 1.2815515655446004;

    private static final int HALVINGS = 60;
    /// Returns the interval of times if this is that of rates, and the other way round.
    public ErrorInterval inverse() {
        return new ErrorInterval(1 / high, 1 / low);
    }

    /// Returns an interval twice as wide on both sides, in logarithms.
    public ErrorInterval doubled() {
        return new ErrorInterval(low * low, high * high);
    }

    /// Returns the probability that a measured value is at most a multiple of its prediction: that of a normal
    /// distribution of logarithms with the widths of this interval, around the prediction if it lies within.
    public double probability(double multiple) {
        boolean isAround = low < 1 && high > 1;
        double center = isAround ? 0 : (Math.log(low) + Math.log(high)) / 2;
        double distance = Math.log(multiple) - center;
        double width = distance < 0 ? center - Math.log(low) : Math.log(high) - center;
        return width == 0 ? distance < 0 ? 0 : 1 : normal(TENTH * distance / width);
    }

    /// Returns the multiple of a prediction that a measured value exceeds with no more than the rest of a probability.
    ///
    /// @param probability from 0 to 1, both excluded
    public double multiple(double probability) {
        double least = -100;
        double most = 100;
        for (int i = 0; i < HALVINGS; i++) {
            double middle = (least + most) / 2;
            if (probability(StrictMath.exp(middle)) < probability) {
                least = middle;
            } else {
                most = middle;
            }
        }
        return StrictMath.exp(most);
    }

    /// Returns the share of a standard normal distribution below a value (Abramowitz and Stegun, 7.1.26: 1e-7).
    private static double normal(double value) {
        double x = Math.abs(value) / Math.sqrt(2);
        double t = 1 / (1 + 0.3275911 * x);
        double tail = t
                * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
                * StrictMath.exp(-x * x)
                / 2;
        return value < 0 ? tail : 1 - tail;
    }
}
