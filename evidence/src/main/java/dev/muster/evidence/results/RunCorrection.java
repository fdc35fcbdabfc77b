// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results;

import dev.muster.evidence.fit.MeasuredCases;
import dev.muster.evidence.fit.Predictions;
import dev.muster.evidence.fit.RunTrust;
import dev.muster.evidence.measured.AccuracyReport;
import dev.muster.evidence.measured.AccuracyReport.PredictedRow;
import dev.muster.evidence.measured.MeasuredRun.Fact;
import dev.muster.evidence.measured.MeasuredRun.Metric;
import dev.muster.evidence.measured.MeasuredRuns;
import dev.muster.evidence.measured.MeasuredRuns.Kept;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.time.Coefficients;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What the runs of a user say about predictions. How far a prediction was off at a run is taken over for the same
/// deployment, in part for others of the same engine on the same family of devices, and not at all beyond. Immutable.
public final class RunCorrection {
    /// What errors of another deployment count: half.
    private static final double NEIGHBOUR = 0.5;
    /// By how much intervals narrow at most: with one run of a deployment known, errors of others of it fall by a
    /// third.
    private static final double NARROWING = 0.42;

    private final List<RunError> errors;

    private RunCorrection(List<RunError> errors) {
        this.errors = List.copyOf(errors);
    }

    /// How far a prediction was off at a run.
    ///
    /// @param where what ran
    /// @param metric what was measured: TPOT, TTFT, output tokens per second, or those of a training
    /// @param logarithm of measured over predicted
    /// @param run the run
    private record RunError(Deployment where, Metric metric, double logarithm, Kept run) {}

    /// What runs say about predictions.
    ///
    /// @param engine the only engine that is asked about
    /// @param models names of models
    /// @param devices names of devices
    public static RunCorrection of(
            MeasuredRuns runs,
            String engine,
            ModelCatalogue models,
            DeviceCatalogue devices,
            Coefficients coefficients) {
        RunRows rows = new RunRows();
        Map<String, Deployment> places = new HashMap<>();
        for (int i = 0; i < runs.runs().size(); i++) {
            Kept kept = runs.runs().get(i);
            if (kept.run().find(Fact.ENGINE).orElse("").equals(engine)) {
                int number = i;
                Deployment.of(kept.run(), models, devices).deployment().ifPresent(where -> {
                    rows.add(Integer.toString(number), "", kept.run(), where);
                    places.put(Integer.toString(number), where);
                });
            }
        }
        if (places.isEmpty()) {
            return new RunCorrection(List.of());
        }
        AccuracyReport report = Predictions.report(MeasuredCases.of(rows.tables(), models, devices), coefficients);
        List<RunError> errors = new ArrayList<>();
        for (PredictedRow row : report.rows()) {
            String number = row.id().substring(0, row.id().indexOf(' '));
            Deployment where = places.get(number);
            if (where != null) {
                errors.add(error(row, where, runs.runs().get(Integer.parseInt(number))));
            }
        }
        return new RunCorrection(errors);
    }

    /// What a row of [RunRows] measured. Decode alone is the inverse of the time between tokens.
    private static RunError error(PredictedRow row, Deployment where, Kept run) {
        double logarithm = Math.log(row.measured() / row.predicted());
        return switch (row.id().substring(row.id().indexOf(' ') + 1)) {
            case "ttft_ms" -> new RunError(where, Metric.TTFT, logarithm, run);
            case "prefill_tok_s" -> new RunError(where, Metric.TTFT, -logarithm, run);
            case "tpot_ms" -> new RunError(where, Metric.TPOT, logarithm, run);
            case "decode_tok_s" -> new RunError(where, Metric.TPOT, -logarithm, run);
            case "e2e_latency_s" -> new RunError(where, Metric.OUTPUT_RATE, -logarithm, run);
            case "tok_s_per_device" -> new RunError(where, Metric.TRAINING_RATE, logarithm, run);
            default -> new RunError(where, Metric.OUTPUT_RATE, logarithm, run);
        };
    }

    /// How a prediction is corrected.
    ///
    /// @param value what it is multiplied with
    /// @param width what its interval is multiplied with, in logarithms
    /// @param runs the runs that say so, the newest first; none where nothing is corrected
    /// @param isSame whether they are of the same deployment
    public record Factor(double value, double width, List<Kept> runs, boolean isSame) {
        /// Nothing is corrected.
        public static final Factor NONE = new Factor(1, 1, List.of(), false);

        /// Copies the runs.
        public Factor {
            runs = List.copyOf(runs);
        }
    }

    /// How the prediction of a metric is corrected for a deployment.
    ///
    /// @param metric TPOT, output tokens per second, which stand for one another where no run tells the one,
    /// TTFT, or tokens per second of a training
    public Factor factor(Deployment deployment, Metric metric) {
        Factor own = ownFactor(deployment, metric);
        boolean hasOther = metric == Metric.TPOT || metric == Metric.OUTPUT_RATE;
        if (!own.runs().isEmpty() || !hasOther) {
            return own;
        }
        Factor other = ownFactor(deployment, metric == Metric.TPOT ? Metric.OUTPUT_RATE : Metric.TPOT);
        return new Factor(1 / other.value(), other.width(), other.runs(), other.isSame());
    }

    private Factor ownFactor(Deployment deployment, Metric metric) {
        List<RunError> same = new ArrayList<>();
        List<RunError> near = new ArrayList<>();
        for (RunError error : errors) {
            if (error.metric() == metric) {
                if (error.where().equals(deployment)) {
                    same.add(error);
                } else if (error.where().engine().equals(deployment.engine())
                        && error.where().family() == deployment.family()) {
                    near.add(error);
                }
            }
        }
        boolean isSame = !same.isEmpty();
        List<RunError> told = isSame ? same : near;
        if (told.isEmpty()) {
            return Factor.NONE;
        }
        double sum = 0;
        Set<Kept> runs = new LinkedHashSet<>();
        for (RunError error : told) {
            sum += error.logarithm();
            runs.add(error.run());
        }
        double trust = RunTrust.share(runs.size());
        double taken = isSame ? 1 : NEIGHBOUR;
        return new Factor(
                Math.exp(taken * trust * sum / told.size()),
                isSame ? 1 - NARROWING * trust : 1,
                List.copyOf(runs),
                isSame);
    }

    /// Whether nothing is corrected.
    public boolean isEmpty() {
        return errors.isEmpty();
    }
}
