// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.measure;

import java.util.Arrays;

/// One measured rate of a device: the median and the range of repeated measurements, in the quantity's unit.
/// Immutable.
///
/// @param quantity the measured quantity
/// @param least the smallest value; finite, above 0
/// @param median the middle value, or the mean of the two in the middle
/// @param most the largest value
/// @param repeats the number of values; above 0
/// @param method the method of measurement, a line for people
/// @since 0.1
public record Measurement(
        MeasuredQuantity quantity, double least, double median, double most, int repeats, String method) {
    private static final double PERCENT = 100;

    /// Checks the order and the number of values.
    public Measurement {
        boolean inOrder = least > 0 && least <= median && median <= most && Double.isFinite(most);
        if (!inOrder) {
            throw new IllegalArgumentException("measured values are finite, above 0 and in order: least " + least
                    + ", median " + median + ", most " + most);
        }
        if (repeats <= 0) {
            throw new IllegalArgumentException("a measurement has values: " + repeats);
        }
    }

    /// The rates of an amount that was moved or computed in each of the given times.
    ///
    /// @param amount bytes or operations each time
    /// @param seconds the time of each
    /// @throws IllegalArgumentException if times are empty, or a rate is not a finite number above 0
    public static Measurement of(MeasuredQuantity quantity, double amount, double[] seconds, String method) {
        if (seconds.length == 0) {
            throw new IllegalArgumentException("nothing was measured");
        }
        double[] rates = new double[seconds.length];
        for (int i = 0; i < rates.length; i++) {
            rates[i] = amount / seconds[i];
        }
        Arrays.sort(rates);
        int middle = rates.length / 2;
        double median = rates.length % 2 == 1 ? rates[middle] : (rates[middle - 1] + rates[middle]) / 2;
        return new Measurement(quantity, rates[0], median, rates[rates.length - 1], rates.length, method);
    }

    /// The distance of the smallest value below the median, in percent of the median.
    public double percentBelow() {
        return (median - least) / median * PERCENT;
    }

    /// The distance of the largest value above the median, in percent of the median.
    public double percentAbove() {
        return (most - median) / median * PERCENT;
    }
}
