// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.measured;

import dev.muster.evidence.measured.MeasuredRun.Fact;
import dev.muster.plan.cost.ErrorInterval;
import dev.muster.plan.cost.MeasuredClass;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The accuracy of predictions of measured rows, class by class. Immutable.
///
/// @param classes one for each class that has rows
/// @param engines one for each engine of a class that several engines have rows of
/// @param rows every row with its prediction
/// @param refusals rows that were not predicted
/// @param knownRuns accuracy of served runs once another of their deployment is known; empty if rows are not
/// predicted unseen, or none has such a deployment
/// @since 0.1
public record AccuracyReport(
        List<ClassAccuracy> classes,
        List<ClassAccuracy> engines,
        List<PredictedRow> rows,
        List<Refusal> refusals,
        List<KnownRunAccuracy> knownRuns) {
    public AccuracyReport {
        classes = List.copyOf(classes);
        engines = List.copyOf(engines);
        rows = List.copyOf(rows);
        refusals = List.copyOf(refusals);
        knownRuns = List.copyOf(knownRuns);
    }

    /// Returns the share of rows that could be predicted and were.
    public double predictedShare() {
        long usable = refusals.stream().filter(Refusal::isUsable).count();
        return (double) rows.size() / Math.max(1, rows.size() + usable);
    }

    /// Returns the share of all rows between their prediction's p10 and p90.
    public double coverage() {
        long held = rows.stream().filter(PredictedRow::isHeld).count();
        return (double) held / Math.max(1, rows.size());
    }

    /// Returns the accuracy for each group, in the order of their first rows.
    public List<GroupAccuracy> groups() {
        Map<String, List<PredictedRow>> byGroup = new LinkedHashMap<>();
        for (PredictedRow row : rows) {
            byGroup.computeIfAbsent(row.group(), _ -> new ArrayList<>()).add(row);
        }
        List<GroupAccuracy> groups = new ArrayList<>();
        byGroup.forEach((group, all) -> groups.add(GroupAccuracy.of(group, all)));
        return groups;
    }

    /// The accuracy for the rows of one group.
    ///
    /// @param group the group
    /// @param rows number of rows
    /// @param medianError median error, as a share of the measured value
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

    /// The accuracy for the rows of one class, or of one engine in it. Errors are shares of the measured value.
    ///
    /// @param measuredClass the class
    /// @param engine the engine; blank for all
    /// @param rows number of rows
    /// @param groups number of groups
    /// @param medianError median error
    /// @param p90Error 90th percentile of errors
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

    /// The accuracy for runs of deployments once the median run of each is known, by the rule that corrects plans by
    /// a user's runs. A deployment is a model in a weight format on a device under an engine, with its degrees of
    /// parallelism.
    ///
    /// @param measuredClass the measured quantity
    /// @param deployments deployments with several runs
    /// @param rows their runs without the known ones
    /// @param medianError median error without a known run, as a share of the measured value
    /// @param correctedError median error with a known run
    /// @since 0.1
    public record KnownRunAccuracy(
            MeasuredClass measuredClass, int deployments, int rows, double medianError, double correctedError) {}

    /// A measured value beside its prediction.
    ///
    /// @param id the row
    /// @param group rows that are not independent of each other
    /// @param measuredClass the measured quantity
    /// @param engine the engine, if errors of the class differ by it; else blank
    /// @param measured the measured value
    /// @param predicted the predicted one
    /// @param interval interval of the prediction
    /// @since 0.1
    public record PredictedRow(
            String id,
            String group,
            MeasuredClass measuredClass,
            String engine,
            double measured,
            double predicted,
            ErrorInterval interval) {
        /// Returns the error of the prediction, as a share of the measured value.
        public double error() {
            return Math.abs(predicted / measured - 1);
        }

        /// Reports whether the measured value lies between the prediction's p10 and p90.
        public boolean isHeld() {
            return measured >= predicted * interval.low() && measured <= predicted * interval.high();
        }
    }

    /// A row that is not predicted.
    ///
    /// @param id the row
    /// @param isUsable true if a better model could predict it; false if the row itself is doubtful or has no
    /// figure
    /// @param reason reason, as a sentence
    /// @param missing facts that the caller can state for the file
    /// @since 0.1
    public record Refusal(String id, boolean isUsable, String reason, List<Fact> missing) {
        /// Copies the list.
        public Refusal {
            missing = List.copyOf(missing);
        }

        /// Creates a refusal that no stated fact could avoid.
        public Refusal(String id, boolean isUsable, String reason) {
            this(id, isUsable, reason, List.of());
        }
    }
}
