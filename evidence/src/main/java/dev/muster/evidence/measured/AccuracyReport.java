// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.measured;

import dev.muster.plan.cost.ErrorInterval;
import dev.muster.plan.cost.MeasuredClass;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// How well measured rows are predicted, class by class. Immutable.
///
/// @param classes one for each class that has rows
/// @param engines one for each engine of a class that several engines have rows of
/// @param rows every row with its prediction
/// @param refusals rows that were not predicted
/// @param knownRuns how near served runs are once another of their deployment is known; empty where rows are not
/// predicted unseen, or are of no such deployment
/// @since 0.1
public record AccuracyReport(
        List<ClassAccuracy> classes,
        List<ClassAccuracy> engines,
        List<PredictedRow> rows,
        List<Refusal> refusals,
        List<KnownRunAccuracy> knownRuns) {
    /// Copies the lists.
    public AccuracyReport {
        classes = List.copyOf(classes);
        engines = List.copyOf(engines);
        rows = List.copyOf(rows);
        refusals = List.copyOf(refusals);
        knownRuns = List.copyOf(knownRuns);
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

    /// How well the rows of each group are predicted, in the order in which they came.
    public List<GroupAccuracy> groups() {
        Map<String, List<PredictedRow>> byGroup = new LinkedHashMap<>();
        for (PredictedRow row : rows) {
            byGroup.computeIfAbsent(row.group(), _ -> new ArrayList<>()).add(row);
        }
        List<GroupAccuracy> groups = new ArrayList<>();
        byGroup.forEach((group, all) -> groups.add(GroupAccuracy.of(group, all)));
        return groups;
    }

    /// How well the rows of one group are predicted.
    ///
    /// @param group the group
    /// @param rows how many rows
    /// @param medianError half of them are nearer than that, as a share of the measured value
    /// @param coverage the share of rows between the prediction's p10 and p90
    /// @since 0.1
    public record GroupAccuracy(String group, int rows, double medianError, double coverage) {
        private static GroupAccuracy of(String group, List<PredictedRow> rows) {
            double[] errors =
                    rows.stream().mapToDouble(PredictedRow::error).sorted().toArray();
            int middle = errors.length / 2;
            double median = errors.length % 2 == 1 ? errors[middle] : (errors[middle - 1] + errors[middle]) / 2;
            long held = rows.stream().filter(PredictedRow::isHeld).count();
            return new GroupAccuracy(group, rows.size(), median, (double) held / rows.size());
        }
    }

    /// How well the rows of one class are predicted, or those of one engine in it. Errors are shares of the measured
    /// value.
    ///
    /// @param measuredClass the class
    /// @param engine the engine; blank for all
    /// @param rows how many rows
    /// @param groups of how many groups
    /// @param medianError half of them are nearer than that
    /// @param p90Error nine of ten are
    /// @param coverage the share of rows between the prediction's p10 and p90
    /// @since 0.1
    public record ClassAccuracy(
            MeasuredClass measuredClass,
            String engine,
            int rows,
            int groups,
            double medianError,
            double p90Error,
            double coverage) {}

    /// How near the runs of deployments are once one of each is known, the one in the middle of its loads: by the
    /// rule that corrects plans by runs of a user. A deployment is a model in a weight format on a device under an
    /// engine, with its degrees of parallelism.
    ///
    /// @param measuredClass what was measured
    /// @param deployments deployments with several runs
    /// @param rows their runs without those that are known
    /// @param medianError half of these are nearer than that while none is known, as a share of the measured value
    /// @param correctedError half of them are nearer than that once one is known
    /// @since 0.1
    public record KnownRunAccuracy(
            MeasuredClass measuredClass, int deployments, int rows, double medianError, double correctedError) {}

    /// A measured value beside its prediction.
    ///
    /// @param id the row
    /// @param group rows that could leak into one another
    /// @param measuredClass what was measured
    /// @param engine what ran, where errors of the class differ by it; else blank
    /// @param measured the measured value
    /// @param predicted the predicted one
    /// @param interval how far both usually are apart
    /// @since 0.1
    public record PredictedRow(
            String id,
            String group,
            MeasuredClass measuredClass,
            String engine,
            double measured,
            double predicted,
            ErrorInterval interval) {
        /// How far the prediction is off, as a share of the measured value.
        public double error() {
            return Math.abs(predicted / measured - 1);
        }

        /// Whether the measured value lies between the prediction's p10 and p90.
        public boolean isHeld() {
            return measured >= predicted * interval.low() && measured <= predicted * interval.high();
        }
    }

    /// A row that is not predicted.
    ///
    /// @param id the row
    /// @param isUsable whether a better model could predict it; no where the row itself is doubted or tells no
    /// figure
    /// @param reason why, for people
    /// @since 0.1
    public record Refusal(String id, boolean isUsable, String reason) {}
}
