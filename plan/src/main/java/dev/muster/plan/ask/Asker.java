// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.ask;

import dev.muster.model.catalogue.ModelEntry;
import dev.muster.model.catalogue.ModelUse;
import dev.muster.plan.Planner;
import dev.muster.plan.ServingOutcome;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.answer.PlanNote;
import dev.muster.plan.catalogue.DeviceTextException;
import dev.muster.plan.catalogue.WhatIf;
import dev.muster.plan.launch.LaunchAnswer;
import dev.muster.plan.launch.LaunchTarget;
import dev.muster.plan.launch.Launcher;
import dev.muster.plan.serving.FormatFit;
import dev.muster.plan.serving.ServingChoices;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingSimulation;
import dev.muster.plan.serving.ServingSimulation.DeploymentPlan;
import dev.muster.plan.serving.TaskPlan;
import dev.muster.plan.training.TrainingPlan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// Asks a planner.
final class Asker {
    /// The name of the planner's own machine.
    private static final String HERE = "here";

    private static final int MONTHS = 12;

    private Asker() {}

    static Answer.Served serve(Question.Serve question, Planner planner) {
        Planner prepared = new Setup(question.values()).apply(planner);
        ServingOutcome outcome = question.fillsMemory()
                ? prepared.serveAsManyAsFit(question.request(), question.choices())
                : prepared.serve(question.request(), question.choices());
        return new Answer.Served(question, outcome, question.target().flatMap(target -> launch(outcome, target)));
    }

    private static Optional<LaunchAnswer> launch(ServingOutcome outcome, LaunchTarget target) {
        if (!outcome.splits().isEmpty()) {
            return Optional.of(emitted(() -> Launcher.emit(outcome.splits().getFirst(), target)));
        }
        return outcome.answer() instanceof PlanAnswer.Feasible<ServingPlan> found
                ? Optional.of(emitted(() -> Launcher.emit(found.best(), target)))
                : Optional.empty();
    }

    static Answer.Performed perform(Question.Perform question, Planner planner) {
        Planner prepared = new Setup(question.values()).apply(planner);
        PlanAnswer<TaskPlan> answer = prepared.run(question.request(), question.engine());
        Optional<LaunchAnswer> launch = answer instanceof PlanAnswer.Feasible<TaskPlan> found
                ? question.target().map(target -> emitted(() -> Launcher.emit(found.best(), target)))
                : Optional.empty();
        return new Answer.Performed(question, answer, launch);
    }

    static Answer.Deployed deploy(Question.Deploy question, Planner planner) {
        Planner prepared = new Setup(question.values()).apply(planner);
        PlanAnswer<DeploymentPlan> answer =
                checked(() -> prepared.deploy(question.request(), question.slo(), question.choices()));
        if (!(answer instanceof PlanAnswer.Feasible<DeploymentPlan> found)
                || question.target().isEmpty()) {
            return new Answer.Deployed(question, answer, Optional.empty());
        }
        LaunchTarget target = question.target().get();
        LaunchAnswer launch = emitted(() -> Launcher.emit(found.best(), target));
        return launch instanceof LaunchAnswer.Refused && found.best().isDisaggregated()
                ? together(question, found, target)
                        .orElseGet(() -> new Answer.Deployed(question, answer, Optional.of(launch)))
                : new Answer.Deployed(question, answer, Optional.of(launch));
    }

    /// Returns the best deployment whose servers do prefill and decode, for a target that does not connect others.
    private static Optional<Answer.Deployed> together(
            Question.Deploy question, PlanAnswer.Feasible<DeploymentPlan> found, LaunchTarget target) {
        for (DeploymentPlan plan : found.considered()) {
            if (!plan.isDisaggregated()
                    && emitted(() -> Launcher.emit(plan, target)) instanceof LaunchAnswer.Emitted launch) {
                List<DeploymentPlan> order = new ArrayList<>(found.considered());
                order.remove(plan);
                order.addFirst(plan);
                PlanNote note = PlanNote.of(PlanNote.Topic.NOT_DISAGGREGATED, target.display());
                return Optional.of(new Answer.Deployed(
                        question,
                        new PlanAnswer.Feasible<>(order, found.tried(), found.notes()).withNotes(List.of(note)),
                        Optional.of(launch)));
            }
        }
        return Optional.empty();
    }

    static List<DeploymentPlan> front(Question.Deploy question, Planner planner) {
        Planner prepared = new Setup(question.values()).apply(planner);
        return checked(() -> prepared.deploymentFront(question.request(), question.slo(), question.choices()));
    }

    static Answer.Simulated simulate(Question.Simulate question, Planner planner) {
        Planner prepared = new Setup(question.values()).apply(planner);
        PlanAnswer<ServingSimulation> answer = checked(() -> prepared.simulate(question.request(), question.choices()));
        return new Answer.Simulated(question, answer);
    }

    static List<ServingSimulation.LoadPoint> curve(Question.Simulate question, Planner planner, ServingPlan plan) {
        Planner prepared = new Setup(question.values()).apply(planner);
        return checked(() -> prepared.loadCurve(question.request(), plan));
    }

    static Answer.Trained train(Question.Train question, Planner planner) {
        Planner prepared = new Setup(question.values()).apply(planner);
        PlanAnswer<TrainingPlan> answer = prepared.train(question.request(), question.framework(), question.onDrives());
        Optional<LaunchAnswer> launch = answer instanceof PlanAnswer.Feasible<TrainingPlan> found
                ? question.target().map(target -> emitted(() -> Launcher.emit(found.best(), target)))
                : Optional.empty();
        return new Answer.Trained(question, answer, launch);
    }

    static Answer.Fitted fit(Question.Fit question, Planner planner) {
        Planner prepared = new Setup(question.values()).apply(planner);
        return new Answer.Fitted(question, prepared.fit(question.request(), question.choices()));
    }

    static List<Planner> machines(Question.Compare question, Planner planner) {
        List<String> names = question.values().find(Parameters.MACHINES).orElse(List.of());
        if (names.size() != 2) {
            throw QuestionException.of(
                    "{} must be two: here, or hypothetical ones such as h100-sxm:8", Parameters.MACHINES);
        }
        return names.stream().map(name -> machine(name, planner)).toList();
    }

    private static Planner machine(String name, Planner planner) {
        try {
            return name.equals(HERE) ? planner : planner.elsewhere(WhatIf.synthetic(name, planner.catalogue()));
        } catch (DeviceTextException e) {
            throw QuestionException.of("{}: {}", Parameters.MACHINES, String.valueOf(e.getMessage()));
        }
    }

    static Answer.Recommended recommend(Question.Recommend question, Planner planner) {
        Planner prepared = new Setup(question.values()).apply(planner);
        List<ModelEntry> models = recentFirst(question.models());
        ServingChoices choices = question.values()
                .find(Parameters.ENGINE)
                .map(ServingChoices.USUAL::withEngine)
                .orElse(ServingChoices.USUAL);
        List<FormatFit> fits =
                prepared.recommend(models.stream().map(ModelEntry::toSummary).toList(), choices);
        Map<String, FormatFit> byName = new HashMap<>();
        fits.forEach(
                fit -> byName.put(fit.plan().orElseThrow().request().model().name(), fit));
        ModelGoal goal = question.values().find(Parameters.MODEL_GOAL).orElse(ModelGoal.NEWEST);
        ModelUse use = question.values().find(Parameters.MODEL_USE).orElse(ModelUse.CHAT);
        List<ModelGoal.Ranked> ranked = new ArrayList<>();
        for (ModelEntry model : models) {
            FormatFit fit = byName.get(model.id());
            if (fit != null) {
                ranked.add(new ModelGoal.Ranked(model, fit));
            }
        }
        ranked.sort(goal.order(use));
        return new Answer.Recommended(
                question,
                ranked.stream().map(ModelGoal.Ranked::model).toList(),
                ranked.stream().map(ModelGoal.Ranked::fit).toList(),
                prepared.notes());
    }

    /// Sorts by age in whole years, counted from the newest model, then by size: old models go last.
    private static List<ModelEntry> recentFirst(List<ModelEntry> models) {
        int newest = models.stream().mapToInt(Asker::months).max().orElse(0);
        return models.stream()
                .sorted(Comparator.<ModelEntry>comparingInt(model -> (newest - months(model)) / MONTHS)
                        .thenComparing(model -> model.parameters().find().orElse(0L), Comparator.reverseOrder()))
                .toList();
    }

    /// Returns the months up to a model's publication; 0 if it is not known.
    private static int months(ModelEntry model) {
        String released = model.released();
        return released.isEmpty()
                ? 0
                : MONTHS * Integer.parseInt(released.substring(0, 4)) + Integer.parseInt(released.substring(5, 7));
    }

    /// An option of the engine that is unknown or out of range.
    static <T> T checked(Supplier<T> work) {
        try {
            return work.get();
        } catch (QuestionException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw QuestionException.of("{}: {}", Parameters.ENGINE_OPTIONS, String.valueOf(e.getMessage()));
        }
    }

    /// A model whose name cannot stand on a command line.
    private static LaunchAnswer emitted(Supplier<LaunchAnswer> work) {
        try {
            return work.get();
        } catch (IllegalArgumentException e) {
            throw QuestionException.of("{}: {}", Parameters.EMIT, String.valueOf(e.getMessage()));
        }
    }
}
