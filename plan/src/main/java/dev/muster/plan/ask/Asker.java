// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.ask;

import dev.muster.plan.Planner;
import dev.muster.plan.ServingOutcome;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.launch.LaunchAnswer;
import dev.muster.plan.launch.LaunchTarget;
import dev.muster.plan.launch.Launcher;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingSimulation;
import dev.muster.plan.serving.ServingSimulation.DeploymentPlan;
import dev.muster.plan.training.TrainingPlan;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Asks a planner.
final class Asker {
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

    static Answer.Deployed deploy(Question.Deploy question, Planner planner) {
        Planner prepared = new Setup(question.values()).apply(planner);
        PlanAnswer<DeploymentPlan> answer =
                checked(() -> prepared.deploy(question.request(), question.level(), question.choices()));
        Optional<LaunchAnswer> launch = answer instanceof PlanAnswer.Feasible<DeploymentPlan> found
                ? question.target().map(target -> emitted(() -> Launcher.emit(found.best(), target)))
                : Optional.empty();
        return new Answer.Deployed(question, answer, launch);
    }

    static List<DeploymentPlan> front(Question.Deploy question, Planner planner) {
        Planner prepared = new Setup(question.values()).apply(planner);
        return checked(() -> prepared.deploymentFront(question.request(), question.level(), question.choices()));
    }

    static Answer.Simulated simulate(Question.Simulate question, Planner planner) {
        Planner prepared = new Setup(question.values()).apply(planner);
        PlanAnswer<ServingSimulation> answer = checked(() -> prepared.simulate(question.request(), question.choices()));
        return new Answer.Simulated(question, answer);
    }

    static List<ServingSimulation.Point> curve(Question.Simulate question, Planner planner, ServingPlan plan) {
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

    /// An option of the engine that is unknown or out of range.
    private static <T> T checked(Supplier<T> work) {
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
