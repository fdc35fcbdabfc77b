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

/// The corrections of predictions by a user's runs. The error of a prediction at a run is carried over to the same
/// deployment, in part to others of the same engine on the same family of devices, and not beyond. Immutable.
public final class RunCorrection {
    /// The weight of errors of another deployment: half.
    private static final double NEIGHBOUR = 0.5;
    /// The largest narrowing of intervals: with one run of a deployment known, errors of others of it fall by a
    /// third.
    private static final double NARROWING = 0.42;

    private final List<RunError> errors;

    private RunCorrection(List<RunError> errors) {
        this.errors = List.copyOf(errors);
    }

    /// The error of a prediction at a run.
    ///
    /// @param where the deployment
    /// @param metric the metric: TPOT, TTFT, output tokens per second, or those of a training
    /// @param logarithm of measured over predicted
    /// @param run the run
    private record RunError(Deployment where, Metric metric, double logarithm, Kept run) {}

    /// Returns the corrections from runs.
    ///
    /// @param engine the only engine that predictions are needed for
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

    /// Returns the error of a row of [RunRows]. Decode alone is the inverse of the time between tokens.
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

    /// A correction of a prediction.
    ///
    /// @param value factor of the prediction
    /// @param width factor of its interval, in logarithms
    /// @param runs the runs that support it, the newest first; none without a correction
    /// @param isSame true if they are of the same deployment
    public record Factor(double value, double width, List<Kept> runs, boolean isSame) {
        /// The absence of a correction.
        public static final Factor NONE = new Factor(1, 1, List.of(), false);

        public Factor {
            runs = List.copyOf(runs);
        }
    }

    /// Returns the correction of a metric for a deployment.
    ///
    /// @param metric TPOT, output tokens per second, which replace one another if no run has the one, TTFT, or
    /// tokens per second of a training
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

    /// Reports whether nothing is corrected.
    public boolean isEmpty() {
        return errors.isEmpty();
    }
}
