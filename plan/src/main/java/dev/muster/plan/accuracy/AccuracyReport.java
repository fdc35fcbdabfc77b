package dev.muster.plan.accuracy;

import dev.muster.plan.time.Coefficients;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// How well measured rows are predicted, class by class. Immutable.
///
/// @param classes one for each class that has rows
/// @param rows every row with its prediction
/// @param refusals rows that were not predicted
/// @since 0.1
public record AccuracyReport(List<ClassAccuracy> classes, List<PredictedRow> rows, List<Refusal> refusals) {
    /// Copies the lists.
    public AccuracyReport {
        classes = List.copyOf(classes);
        rows = List.copyOf(rows);
        refusals = List.copyOf(refusals);
    }

    /// Predicts all rows with the same coefficients.
    public static AccuracyReport of(MeasuredCases cases, Coefficients coefficients) {
        return report(cases, coefficients, one -> one.prediction().with(coefficients));
    }

    /// Takes predictions that never saw the group of their row.
    ///
    /// @param predicted predictions by row, from [LeftOut#predict()]
    public static AccuracyReport of(MeasuredCases cases, Coefficients coefficients, Map<String, Double> predicted) {
        return report(cases, coefficients, one -> predicted.getOrDefault(one.id(), Double.NaN));
    }

    private interface Predictor {
        double predict(MeasuredCase one);
    }

    private static AccuracyReport report(MeasuredCases cases, Coefficients coefficients, Predictor predictor) {
        List<PredictedRow> rows = new ArrayList<>();
        List<Refusal> refusals = new ArrayList<>(cases.refusals());
        Map<MeasuredClass, List<PredictedRow>> byClass = new EnumMap<>(MeasuredClass.class);
        for (MeasuredCase one : cases.cases()) {
            double predicted = predictor.predict(one);
            if (!(predicted > 0 && predicted < Double.MAX_VALUE)) {
                refusals.add(new Refusal(one.id(), false, "the row asks for nothing that takes time or memory"));
                continue;
            }
            PredictedRow row = new PredictedRow(
                    one.id(),
                    one.group(),
                    one.measuredClass(),
                    one.measured(),
                    predicted,
                    ErrorInterval.of(one.measuredClass(), coefficients));
            rows.add(row);
            byClass.computeIfAbsent(one.measuredClass(), _ -> new ArrayList<>()).add(row);
        }
        List<ClassAccuracy> classes = new ArrayList<>();
        byClass.forEach((measured, predictions) -> classes.add(ClassAccuracy.of(measured, predictions)));
        return new AccuracyReport(classes, rows, refusals);
    }

    /// The share of rows that could be predicted and were.
    public double predictedShare() {
        long usable = refusals.stream().filter(Refusal::isUsable).count();
        return (double) rows.size() / Math.max(1, rows.size() + usable);
    }
}
