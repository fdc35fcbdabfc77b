package dev.muster.plan.fit;

import dev.muster.plan.accuracy.AccuracyReport;
import dev.muster.plan.accuracy.AccuracyReport.ClassAccuracy;
import dev.muster.plan.accuracy.AccuracyReport.PredictedRow;
import dev.muster.plan.accuracy.AccuracyReport.Refusal;
import dev.muster.plan.accuracy.ErrorInterval;
import dev.muster.plan.accuracy.MeasuredClass;
import dev.muster.plan.time.Coefficient;
import dev.muster.plan.time.Coefficients;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/// Predicts measured rows, reports how well, and fits how far measured values lie from predictions that never saw them.
public final class Predictions {
    private static final double LOW = 0.1;
    private static final double HIGH = 0.9;
    /// Fewer rows say nothing about one in ten.
    private static final int FEWEST = 5;

    private Predictions() {}

    /// Predicts all rows with the same coefficients.
    public static AccuracyReport report(MeasuredCases cases, Coefficients coefficients) {
        return report(
                cases, one -> one.prediction().with(coefficients), one -> coefficients.interval(one.measuredClass()));
    }

    /// Takes predictions that never saw the group of their row, and intervals that never saw it either: those of
    /// the errors of all other groups. Where there are too few others, that of the coefficients.
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
                        unseen -> interval(predicted, unseen::isOther)
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
                measured, rows.size(), quantile(errors, 0.5), quantile(errors, 0.9), (double) held / rows.size());
    }

    /// The interval of some cases; empty where there are few.
    private static Optional<ErrorInterval> interval(
            Map<MeasuredCase, Double> predicted, Predicate<MeasuredCase> wanted) {
        List<Double> ratios = new ArrayList<>();
        predicted.forEach((one, value) -> {
            if (wanted.test(one)) {
                ratios.add(one.measured() / value);
            }
        });
        ratios.sort(Comparator.naturalOrder());
        return ratios.size() < FEWEST
                ? Optional.empty()
                : Optional.of(new ErrorInterval(quantile(ratios, LOW), quantile(ratios, HIGH)));
    }

    /// The intervals of all classes.
    ///
    /// @param predicted predictions that never saw the measured values
    public static List<Coefficient> fitIntervals(Map<MeasuredCase, Double> predicted) {
        List<Coefficient> intervals = new ArrayList<>();
        for (MeasuredClass measured : MeasuredClass.values()) {
            interval(predicted, one -> one.measuredClass() == measured).ifPresent(interval -> {
                intervals.add(fixed(Coefficients.INTERVAL + measured.label() + "/low", interval.low()));
                intervals.add(fixed(Coefficients.INTERVAL + measured.label() + "/high", interval.high()));
            });
        }
        return intervals;
    }

    private static Coefficient fixed(String name, double value) {
        return new Coefficient(name, value, value, 0);
    }

    /// A quantile of sorted values, between two neighbours where need be.
    static double quantile(List<Double> sorted, double share) {
        double place = share * (sorted.size() - 1);
        int below = (int) Math.floor(place);
        int above = Math.min(sorted.size() - 1, below + 1);
        double rest = place - below;
        return sorted.get(below) * (1 - rest) + sorted.get(above) * rest;
    }
}
