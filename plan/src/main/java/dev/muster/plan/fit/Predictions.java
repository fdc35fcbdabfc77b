package dev.muster.plan.fit;

import dev.muster.plan.accuracy.AccuracyReport;
import dev.muster.plan.accuracy.AccuracyReport.ClassAccuracy;
import dev.muster.plan.accuracy.AccuracyReport.PredictedRow;
import dev.muster.plan.accuracy.AccuracyReport.Refusal;
import dev.muster.plan.accuracy.ErrorInterval;
import dev.muster.plan.accuracy.MeasuredClass;
import dev.muster.plan.time.Coefficients;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/// Predicts measured rows, and reports how well.
public final class Predictions {
    private Predictions() {}

    /// Predicts all rows with the same coefficients.
    public static AccuracyReport report(MeasuredCases cases, Coefficients coefficients) {
        return report(
                cases, one -> one.prediction().with(coefficients), one -> coefficients.interval(one.measuredClass()));
    }

    /// Takes predictions that never saw the group of their row, and intervals that never saw it either: those of the
    /// errors of all other groups. Where there are too few others, that of the coefficients.
    ///
    /// @param predicted predictions from [LeftOut#predict()]
    public static AccuracyReport report(
            MeasuredCases cases, Coefficients coefficients, Map<MeasuredCase, Double> predicted) {
        Map<Unseen, ErrorInterval> intervals = new HashMap<>();
        return report(
                cases,
                one -> predicted.getOrDefault(one, Double.NaN),
                one -> intervals.computeIfAbsent(
                        new Unseen(one.measuredClass(), one.group()),
                        unseen -> IntervalFit.fit(predicted, unseen::isOther)
                                .orElseGet(() -> coefficients.interval(one.measuredClass()))));
    }

    /// A group of a class that nothing may be learned from.
    private record Unseen(MeasuredClass measuredClass, String group) {
        boolean isOther(MeasuredCase one) {
            return one.measuredClass() == measuredClass && !one.group().equals(group);
        }
    }

    private static AccuracyReport report(
            MeasuredCases cases,
            ToDoubleFunction<MeasuredCase> predictor,
            Function<MeasuredCase, ErrorInterval> intervals) {
        List<PredictedRow> rows = new ArrayList<>();
        List<Refusal> refusals = new ArrayList<>(cases.refusals());
        Map<MeasuredClass, List<PredictedRow>> byClass = new EnumMap<>(MeasuredClass.class);
        for (MeasuredCase one : cases.cases()) {
            double predicted = predictor.applyAsDouble(one);
            if (!(predicted > 0 && predicted < Double.MAX_VALUE)) {
                refusals.add(new Refusal(one.id(), false, "the row asks for nothing that takes time or memory"));
                continue;
            }
            PredictedRow row = new PredictedRow(
                    one.id(), one.group(), one.measuredClass(), one.measured(), predicted, intervals.apply(one));
            rows.add(row);
            byClass.computeIfAbsent(one.measuredClass(), _ -> new ArrayList<>()).add(row);
        }
        List<ClassAccuracy> classes = new ArrayList<>();
        byClass.forEach((measured, predictions) -> classes.add(accuracy(measured, predictions)));
        return new AccuracyReport(classes, rows, refusals);
    }

    private static ClassAccuracy accuracy(MeasuredClass measured, List<PredictedRow> rows) {
        List<Double> errors = rows.stream().map(PredictedRow::error).sorted().toList();
        long held = rows.stream().filter(PredictedRow::isHeld).count();
        return new ClassAccuracy(
                measured,
                rows.size(),
                IntervalFit.quantile(errors, 0.5),
                IntervalFit.quantile(errors, 0.9),
                (double) held / rows.size());
    }
}
