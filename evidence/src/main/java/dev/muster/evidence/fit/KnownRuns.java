// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.fit;

import dev.muster.evidence.measured.AccuracyReport.KnownRunAccuracy;
import dev.muster.plan.cost.MeasuredClass;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Predicts the runs of deployments again, once the median run of each is known.
final class KnownRuns {
    private KnownRuns() {}

    /// A run, and its prediction.
    ///
    /// @param logarithm of measured over predicted
    private record Run(String id, DeployedRun where, double logarithm) {
        private static final Comparator<Run> BY_LOAD = Comparator.comparingDouble((Run run) -> run.where.users())
                .thenComparingDouble(run -> run.where.input())
                .thenComparingDouble(run -> run.where.output())
                .thenComparing(Run::id);

        /// Returns the error of the prediction after a correction.
        private double error(double corrected) {
            return Math.abs(Math.exp(corrected - logarithm) - 1);
        }
    }

    /// Measures the errors with and without a known run of the deployment, class by class.
    ///
    /// @param predicted predictions, preferably without the deployment in the fit
    static List<KnownRunAccuracy> measure(Map<MeasuredCase, Double> predicted) {
        Map<MeasuredClass, Map<String, List<Run>>> classes = new EnumMap<>(MeasuredClass.class);
        predicted.forEach((one, value) -> {
            if (one.prediction() instanceof DeployedRun where && value > 0) {
                classes.computeIfAbsent(one.measuredClass(), _ -> new TreeMap<>())
                        .computeIfAbsent(where.deployment(), _ -> new ArrayList<>())
                        .add(new Run(one.id(), where, Math.log(one.measured() / value)));
            }
        });
        List<KnownRunAccuracy> all = new ArrayList<>();
        classes.forEach((measured, deployments) -> {
            deployments.values().removeIf(runs -> runs.size() < 2);
            if (!deployments.isEmpty()) {
                all.add(measure(measured, deployments.values()));
            }
        });
        return all;
    }

    private static KnownRunAccuracy measure(MeasuredClass measured, Iterable<List<Run>> deployments) {
        List<Double> before = new ArrayList<>();
        List<Double> after = new ArrayList<>();
        int count = 0;
        for (List<Run> runs : deployments) {
            runs.sort(Run.BY_LOAD);
            Run known = runs.remove(runs.size() / 2);
            runs.forEach(run -> before.add(run.error(0)));
            runs.forEach(run -> after.add(run.error(RunTrust.share(1) * known.logarithm)));
            count++;
        }
        before.sort(Comparator.naturalOrder());
        after.sort(Comparator.naturalOrder());
        return new KnownRunAccuracy(
                measured, count, after.size(), Predictions.quantile(before, 0.5), Predictions.quantile(after, 0.5));
    }
}
