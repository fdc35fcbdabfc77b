// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan;

import dev.muster.core.text.FixedText;
import dev.muster.plan.accuracy.MeasuredRun.Metric;
import dev.muster.plan.accuracy.MeasuredRuns;
import dev.muster.plan.accuracy.MeasuredRuns.Kept;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.answer.PlanNote;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.ModelCatalogue;
import dev.muster.plan.catalogue.ModelName;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.results.Deployment;
import dev.muster.plan.results.RunCorrection;
import dev.muster.plan.results.RunCorrection.Factor;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingSoftware;
import dev.muster.plan.time.CoefficientTable;
import dev.muster.plan.training.TrainingPlan;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Plans whose predictions are corrected by what somebody measured. Which plan is best is decided before: a run of one
/// layout says too little about another to choose between them by it. Confined to one thread.
final class CorrectedPlans {
    private final MeasuredRuns runs;
    private final DeviceCatalogue devices;
    private final Map<String, RunCorrection> corrections = new HashMap<>();

    CorrectedPlans(MeasuredRuns runs, DeviceCatalogue devices) {
        this.runs = runs;
        this.devices = devices;
    }

    /// The same answer with corrected predictions.
    PlanAnswer<ServingPlan> apply(PlanAnswer<ServingPlan> answer) {
        if (runs.runs().isEmpty()) {
            return answer;
        }
        return switch (answer) {
            case PlanAnswer.Feasible<ServingPlan>(List<ServingPlan> plans, long tried, List<PlanNote> notes) ->
                new PlanAnswer.Feasible<>(plans.stream().map(this::correct).toList(), tried, notes);
            case PlanAnswer.Infeasible<ServingPlan>(
                    List<ServingPlan> plans,
                    List<String> nearest,
                    List<PlanNote> notes) ->
                new PlanAnswer.Infeasible<>(plans.stream().map(this::correct).toList(), nearest, notes);
            case PlanAnswer.Unanswered<ServingPlan> unanswered -> unanswered;
        };
    }

    private ServingPlan correct(ServingPlan plan) {
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

    /// Which runs corrected a plan, and by how much.
    Optional<PlanNote> findNote(ServingPlan plan) {
        Optional<Deployment> deployment = runs.runs().isEmpty() ? Optional.empty() : deployment(plan);
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
        return Optional.of(PlanNote.chosen(told(named) + ": TPOT times " + FixedText.of(token.value(), 2)
                + ", TTFT times " + FixedText.of(first.value(), 2)));
    }

    private static String told(Factor factor) {
        Kept run = factor.runs().getFirst();
        LocalDate day = LocalDate.ofInstant(run.keptAt(), ZoneOffset.UTC);
        return "predictions are corrected by "
                + (factor.runs().size() == 1 ? "your run" : factor.runs().size() + " runs of yours, the newest")
                + " of " + run.source() + " (" + run.run().tool() + ", kept " + day + ")"
                + (factor.isSame() ? "" : ", of a neighbour with the same engine and kind of device, by half");
    }

    /// The same answer with corrected speeds.
    PlanAnswer<TrainingPlan> applyToTraining(PlanAnswer<TrainingPlan> answer) {
        if (runs.runs().isEmpty()) {
            return answer;
        }
        return switch (answer) {
            case PlanAnswer.Feasible<TrainingPlan>(List<TrainingPlan> plans, long tried, List<PlanNote> notes) ->
                new PlanAnswer.Feasible<>(plans.stream().map(this::correct).toList(), tried, notes);
            case PlanAnswer.Infeasible<TrainingPlan>(
                    List<TrainingPlan> plans,
                    List<String> nearest,
                    List<PlanNote> notes) ->
                new PlanAnswer.Infeasible<>(plans.stream().map(this::correct).toList(), nearest, notes);
            case PlanAnswer.Unanswered<TrainingPlan> unanswered -> unanswered;
        };
    }

    private TrainingPlan correct(TrainingPlan plan) {
        Factor speed = factor(plan);
        return plan.withCorrectedSpeed(speed.value(), speed.width());
    }

    /// Which runs corrected a plan, and by how much.
    Optional<PlanNote> findNote(TrainingPlan plan) {
        Factor speed = factor(plan);
        return speed.runs().isEmpty()
                ? Optional.empty()
                : Optional.of(PlanNote.chosen(told(speed) + ": speed times " + FixedText.of(speed.value(), 2)));
    }

    private Factor factor(TrainingPlan plan) {
        Optional<ModelName> model = runs.runs().isEmpty()
                ? Optional.empty()
                : ModelName.resolve(plan.request().model().name(), ModelCatalogue.builtIn());
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
                                (int) plan.run().tensor(),
                                (int) plan.run().stages()),
                        Metric.TRAINING_RATE);
    }

    private RunCorrection correction(String engine) {
        return corrections.computeIfAbsent(
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
                        plan.software() == ServingSoftware.LLAMA_CPP
                                ? 1
                                : plan.layout().tensor(),
                        plan.layout().stages()));
    }
}
