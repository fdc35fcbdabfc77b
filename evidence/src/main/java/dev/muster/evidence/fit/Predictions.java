// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.fit;

import dev.muster.evidence.measured.AccuracyReport;
import dev.muster.evidence.measured.AccuracyReport.ClassAccuracy;
import dev.muster.evidence.measured.AccuracyReport.KnownRunAccuracy;
import dev.muster.evidence.measured.AccuracyReport.PredictedRow;
import dev.muster.evidence.measured.AccuracyReport.Refusal;
import dev.muster.plan.cost.ErrorInterval;
import dev.muster.plan.cost.MeasuredClass;
import dev.muster.plan.time.Coefficient;
import dev.muster.plan.time.Coefficients;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/// Predicts measured rows, reports the errors, and fits the intervals of measured values around predictions of unseen
/// rows.
public final class Predictions {
    private Predictions() {}

    /// Returns the report with the same coefficients for all rows.
    public static AccuracyReport report(MeasuredCases cases, Coefficients coefficients) {
        return report(
                cases,
                one -> one.prediction().with(coefficients),
                one -> coefficients.interval(one.measuredClass(), one.engine()),
                List.of());
    }

    /// Returns the report of predictions that never saw the group of their row, with intervals that never saw it
    /// either: those of the errors of all other groups, or those of the coefficients if there are too few.
    ///
    /// @param predicted predictions from [LeftOut#predict()]
    public static AccuracyReport report(
            MeasuredCases cases, Coefficients coefficients, Map<MeasuredCase, Double> predicted) {
        UnseenErrors errors = UnseenErrors.of(predicted);
        return report(
                cases,
                one -> predicted.getOrDefault(one, Double.NaN),
                one -> errors.interval(one, coefficients),
                KnownRuns.measure(predicted));
    }

    private static AccuracyReport report(
            MeasuredCases cases,
            ToDoubleFunction<MeasuredCase> predictor,
            Function<MeasuredCase, ErrorInterval> intervals,
            List<KnownRunAccuracy> knownRuns) {
        List<PredictedRow> rows = new ArrayList<>();
        List<Refusal> refusals = new ArrayList<>(cases.refusals());
        Map<MeasuredClass, List<PredictedRow>> byClass = new EnumMap<>(MeasuredClass.class);
        for (MeasuredCase one : cases.cases()) {
            double predicted = predictor.applyAsDouble(one);
            if (!(predicted > 0 && predicted < Double.MAX_VALUE)) {
                refusals.add(new Refusal(one.id(), false, "the row describes no work that takes time or memory"));
                continue;
            }
            PredictedRow row = new PredictedRow(
                    one.id(),
                    one.group(),
                    one.measuredClass(),
                    one.engine(),
                    one.measured(),
                    predicted,
                    intervals.apply(one));
            rows.add(row);
            byClass.computeIfAbsent(one.measuredClass(), _ -> new ArrayList<>()).add(row);
        }
        List<ClassAccuracy> classes = new ArrayList<>();
        List<ClassAccuracy> engines = new ArrayList<>();
        byClass.forEach((measured, predictions) -> {
            classes.add(accuracy(measured, "", predictions));
            Map<String, List<PredictedRow>> byEngine = new TreeMap<>();
            predictions.forEach(row -> byEngine.computeIfAbsent(row.engine(), _ -> new ArrayList<>())
                    .add(row));
            if (byEngine.size() > 1) {
                byEngine.forEach((engine, some) -> engines.add(accuracy(measured, engine, some)));
            }
        });
        return new AccuracyReport(classes, engines, rows, refusals, knownRuns);
    }

    private static ClassAccuracy accuracy(MeasuredClass measured, String engine, List<PredictedRow> rows) {
        List<Double> errors = rows.stream().map(PredictedRow::error).sorted().toList();
        long groups = rows.stream().map(PredictedRow::group).distinct().count();
        long held = rows.stream().filter(PredictedRow::isHeld).count();
        return new ClassAccuracy(
                measured,
                engine,
                rows.size(),
                (int) groups,
                quantile(errors, 0.5),
                quantile(errors, 0.9),
                (double) held / rows.size());
    }

    /// Returns the intervals of all classes, and of engines within them that have enough groups.
    ///
    /// @param predicted predictions that never saw the measured values
    public static List<Coefficient> fitIntervals(Map<MeasuredCase, Double> predicted) {
        List<Coefficient> intervals = new ArrayList<>();
        UnseenErrors errors = UnseenErrors.of(predicted);
        for (MeasuredClass measured : MeasuredClass.values()) {
            errors.interval(measured, "", "").ifPresent(interval -> add(intervals, measured.label(), interval));
            for (String engine : errors.engines(measured)) {
                errors.interval(measured, engine, "")
                        .ifPresent(interval -> add(intervals, measured.label() + "/" + engine, interval));
            }
        }
        return intervals;
    }

    private static void add(List<Coefficient> intervals, String name, ErrorInterval interval) {
        intervals.add(fixed(Coefficients.INTERVAL + name + "/low", interval.low()));
        intervals.add(fixed(Coefficients.INTERVAL + name + "/high", interval.high()));
    }

    private static Coefficient fixed(String name, double value) {
        return new Coefficient(name, value, value, 0);
    }

    /// Returns a quantile of sorted values, interpolated between neighbours.
    static double quantile(List<Double> sorted, double share) {
        double place = share * (sorted.size() - 1);
        int below = (int) Math.floor(place);
        int above = Math.min(sorted.size() - 1, below + 1);
        double rest = place - below;
        return sorted.get(below) * (1 - rest) + sorted.get(above) * rest;
    }
}
