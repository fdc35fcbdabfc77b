package dev.muster.core.measure;

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
}
