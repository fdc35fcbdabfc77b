package dev.muster.plan.accuracy;

/// A measured value beside its prediction.
///
/// @param id the row
/// @param group rows that could leak into one another
/// @param measuredClass what was measured
/// @param measured the measured value
/// @param predicted the predicted one
/// @param interval how far both usually are apart
/// @since 0.1
public record PredictedRow(
        String id,
        String group,
        MeasuredClass measuredClass,
        double measured,
        double predicted,
        ErrorInterval interval) {
    /// How far the prediction is off, as a share of the measured value.
    public double error() {
        return Math.abs(predicted / measured - 1);
    }

    /// Whether the measured value lies between the prediction's p10 and p90.
    public boolean isHeld() {
        return interval.holds(measured, predicted);
    }
}
