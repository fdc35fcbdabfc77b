// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence;

import dev.muster.evidence.measured.MeasuredRun.Metric;
import dev.muster.evidence.measured.MeasuredRuns;
import dev.muster.evidence.measured.MeasuredRuns.Kept;
import dev.muster.evidence.results.Deployment;
import dev.muster.evidence.results.RunCorrection;
import dev.muster.evidence.results.RunCorrection.Factor;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.model.catalogue.ModelName;
import dev.muster.plan.PlanCorrections;
import dev.muster.plan.answer.PlanNote;
import dev.muster.plan.answer.PlanNote.Topic;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.time.CoefficientTable;
import dev.muster.plan.training.TrainingPlan;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Corrections of predictions by a user's measured runs: of the same deployment, and in part of others with the same
/// engine on devices of the same family. Safe to share between threads.
///
/// @since 0.2
public final class RunCorrections implements PlanCorrections {
    private final MeasuredRuns runs;
    private final DeviceCatalogue devices;
    private final Map<String, RunCorrection> byEngine = new ConcurrentHashMap<>();

    private RunCorrections(MeasuredRuns runs, DeviceCatalogue devices) {
        this.runs = runs;
        this.devices = devices;
    }

    /// Returns the corrections from measured runs; none without runs.
    ///
    /// @param devices the catalogue that resolves the names of devices in the runs
    public static PlanCorrections of(MeasuredRuns runs, DeviceCatalogue devices) {
        return runs.runs().isEmpty() ? NONE : new RunCorrections(runs, devices);
    }

    @Override
    public ServingPlan correct(ServingPlan plan) {
        Optional<Deployment> deployment = deployment(plan);
        RunCorrection correction = correction(plan.software().label());
        if (deployment.isEmpty() || correction.isEmpty()) {
            return plan;
        }
        Factor first = correction.factor(deployment.get(), Metric.TTFT);
        Factor token = correction.factor(deployment.get(), Metric.TPOT);
        Factor rate = correction.factor(deployment.get(), Metric.OUTPUT_RATE);
        return plan.withPredicted(
                plan.timeToFirstToken().corrected(first.value(), first.width()),
                plan.timeToFirstTokenQueued().corrected(first.value(), first.width()),
                plan.timePerOutputToken().corrected(token.value(), token.width()),
                plan.tokensPerSecond().corrected(rate.value(), rate.width()));
    }

    @Override
    public Optional<PlanNote> findNote(ServingPlan plan) {
        Optional<Deployment> deployment = deployment(plan);
        if (deployment.isEmpty()) {
            return Optional.empty();
        }
        RunCorrection correction = correction(plan.software().label());
        Factor token = correction.factor(deployment.get(), Metric.TPOT);
        Factor first = correction.factor(deployment.get(), Metric.TTFT);
        Factor named = token.runs().isEmpty() ? first : token;
        if (named.runs().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(note(Topic.CORRECTED_LATENCY, named, token.value(), first.value()));
    }

    private static PlanNote note(Topic topic, Factor factor, Double... factors) {
        Kept run = factor.runs().getFirst();
        List<Object> values = new ArrayList<>(List.of(
                factor.runs().size(),
                run.source(),
                run.run().tool(),
                LocalDate.ofInstant(run.keptAt(), ZoneOffset.UTC),
                factor.isSame()));
        values.addAll(List.of(factors));
        return new PlanNote(topic, values);
    }

    @Override
    public TrainingPlan correct(TrainingPlan plan) {
        Factor speed = factor(plan);
        return plan.withCorrectedSpeed(speed.value(), speed.width());
    }

    @Override
    public Optional<PlanNote> findNote(TrainingPlan plan) {
        Factor speed = factor(plan);
        return speed.runs().isEmpty()
                ? Optional.empty()
                : Optional.of(note(Topic.CORRECTED_SPEED, speed, speed.value()));
    }

    private Factor factor(TrainingPlan plan) {
        Optional<ModelName> model = ModelName.resolve(plan.request().model().name(), ModelCatalogue.builtIn());
        if (model.isEmpty()) {
            return Factor.NONE;
        }
        DeviceFigures device = plan.cluster().pool().device();
        return correction(plan.software().label())
                .factor(
                        new Deployment(
                                model.get().entry().id(),
                                device.id(),
                                device.family(),
                                plan.software().label(),
                                plan.request().precision().label(),
                                (int) plan.run().tp(),
                                (int) plan.run().pp()),
                        Metric.TRAINING_RATE);
    }

    private RunCorrection correction(String engine) {
        return byEngine.computeIfAbsent(
                engine,
                one -> RunCorrection.of(runs, one, ModelCatalogue.builtIn(), devices, CoefficientTable.builtIn()));
    }

    private static Optional<Deployment> deployment(ServingPlan plan) {
        return ModelName.resolve(plan.request().model().name(), ModelCatalogue.builtIn())
                .map(model -> new Deployment(
                        model.entry().id(),
                        plan.pool().device().id(),
                        plan.pool().device().family(),
                        plan.software().label(),
                        plan.request().format().label(),
                        plan.software() == ServingEngine.LLAMA_CPP
                                ? 1
                                : plan.layout().tp(),
                        plan.layout().pp()));
    }
}
