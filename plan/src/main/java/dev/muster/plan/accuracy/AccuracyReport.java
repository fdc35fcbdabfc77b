package dev.muster.plan.accuracy;

import dev.muster.plan.cost.CoefficientTable;
import dev.muster.plan.cost.Coefficients;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

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

    /// How well the coefficients that come with Muster predict.
    public static AccuracyReport of(MeasuredCases cases) {
        return of(cases, CoefficientTable.builtIn());
    }

    /// How well coefficients predict that were fitted without the group of the row in question. Takes half a minute.
    ///
    /// @param progress hears how many fits of how many are done
    public static AccuracyReport leavingOut(MeasuredCases cases, BiConsumer<Integer, Integer> progress) {
        CoefficientTable coefficients = CoefficientTable.builtIn();
        return of(
                cases,
                coefficients,
                LeftOut.of(coefficients.beliefs(), cases.cases()).predict(progress));
    }

    /// Predicts all rows with the same coefficients.
    public static AccuracyReport of(MeasuredCases cases, Coefficients coefficients) {
        return report(
                cases,
                one -> one.prediction().with(coefficients),
                one -> ErrorInterval.of(one.measuredClass(), coefficients));
    }

    /// Takes predictions that never saw the group of their row, and intervals that never saw it either: those of the
    /// errors of all other groups. Where there are too few others, that of the coefficients.
    ///
    /// @param predicted predictions from [LeftOut#predict()]
    public static AccuracyReport of(
            MeasuredCases cases, Coefficients coefficients, Map<MeasuredCase, Double> predicted) {
        Map<Unseen, ErrorInterval> intervals = new HashMap<>();
        return report(
                cases,
                one -> predicted.getOrDefault(one, Double.NaN),
                one -> intervals.computeIfAbsent(
                        new Unseen(one.measuredClass(), one.group()),
                        unseen -> ErrorInterval.fit(predicted, unseen::isOther)
                                .orElseGet(() -> ErrorInterval.of(one.measuredClass(), coefficients))));
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
        byClass.forEach((measured, predictions) -> classes.add(ClassAccuracy.of(measured, predictions)));
        return new AccuracyReport(classes, rows, refusals);
    }

    /// The share of rows that could be predicted and were.
    public double predictedShare() {
        long usable = refusals.stream().filter(Refusal::isUsable).count();
        return (double) rows.size() / Math.max(1, rows.size() + usable);
    }

    /// The share of all rows between their prediction's p10 and p90.
    public double coverage() {
        long held = rows.stream().filter(PredictedRow::isHeld).count();
        return (double) held / Math.max(1, rows.size());
    }
}
