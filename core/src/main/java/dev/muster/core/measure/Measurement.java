// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.measure;

import java.util.Arrays;
/// One rate of a device, as it was measured.
///
/// @param quantity what was measured
/// @param spread the values, in the quantity's unit
/// @param repeats how many values there were; above 0
/// @param method how it was measured, a line for people
/// @since 0.1

public record Measurement(MeasuredQuantity quantity, Spread spread, int repeats, String method) {
    /// Checks the number of values.
    public Measurement {
        if (repeats <= 0) {
            throw new IllegalArgumentException("a measurement has values: " + repeats);
        }
    }

    /// A measurement of an amount that was moved or done in some times.
    ///
    /// @param amount how many bytes or operations each time
    /// @param seconds how long each took
    public static Measurement of(MeasuredQuantity quantity, double amount, double[] seconds, String method) {
        double[] rates = new double[seconds.length];
        for (int i = 0; i < rates.length; i++) {
            rates[i] = amount / seconds[i];
        }
        return new Measurement(quantity, Spread.of(rates), rates.length, method);
    }

    /// The value to rely on: the median.
    public double value() {
        return spread.median();
    }

    /// What the value is counted in.
    public MeasuredQuantity.Unit unit() {
        return quantity.unit();
    }

    /// How far repeated measurements of one thing lie apart.
    ///
    /// @param least the smallest value; finite, above 0
    /// @param median the middle one, or the mean of the two in the middle
    /// @param most the largest
    /// @since 0.1
    public record Spread(double least, double median, double most) {
        private static final double PERCENT = 100;

        /// Checks the order.
        public Spread {
            boolean inOrder = least > 0 && least <= median && median <= most && Double.isFinite(most);
            if (!inOrder) {
                throw new IllegalArgumentException(
                        "no spread of measurements: least " + least + ", median " + median + ", most " + most);
            }
        }

        /// The spread of some values.
        ///
        /// @throws IllegalArgumentException if there are none, or one is not a finite number above 0
        public static Spread of(double[] values) {
            if (values.length == 0) {
                throw new IllegalArgumentException("nothing was measured");
            }
            double[] sorted = values.clone();
            Arrays.sort(sorted);
            int middle = sorted.length / 2;
            double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
            return new Spread(sorted[0], median, sorted[sorted.length - 1]);
        }

        /// How far below the median the smallest value lies, in percent of the median.
        public double percentBelow() {
            return (median - least) / median * PERCENT;
        }

        /// How far above the median the largest value lies, in percent of the median.
        public double percentAbove() {
            return (most - median) / median * PERCENT;
        }
    }
}
