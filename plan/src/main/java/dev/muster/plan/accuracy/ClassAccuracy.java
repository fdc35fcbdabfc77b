package dev.muster.plan.accuracy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// How well the rows of one class are predicted. Errors are shares of the measured value.
///
/// @param measuredClass the class
/// @param rows how many rows
/// @param medianError half of them are nearer than that
/// @param p90Error nine of ten are
/// @param coverage the share of rows between the prediction's p10 and p90
/// @since 0.1
public record ClassAccuracy(
        MeasuredClass measuredClass, int rows, double medianError, double p90Error, double coverage) {
    /// @param predictions at least one
    static ClassAccuracy of(MeasuredClass measuredClass, List<PredictedRow> predictions) {
        List<Double> errors = sorted(predictions, PredictedRow::error);
        long held = predictions.stream().filter(PredictedRow::isHeld).count();
        return new ClassAccuracy(
                measuredClass,
                predictions.size(),
                Quantiles.of(errors, 0.5),
                Quantiles.of(errors, 0.9),
                (double) held / predictions.size());
    }

    private static List<Double> sorted(List<PredictedRow> rows, ToDoubleFunction<PredictedRow> value) {
        List<Double> values = new ArrayList<>();
        rows.forEach(row -> values.add(value.applyAsDouble(row)));
        values.sort(Comparator.naturalOrder());
        return values;
    }
}
