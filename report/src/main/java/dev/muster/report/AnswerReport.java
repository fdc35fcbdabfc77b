// SPDX-License-Identifier: Apache-2.0
package dev.muster.report;

import dev.muster.plan.Planner;
import dev.muster.plan.ServingOutcome;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.ask.Answer;
import dev.muster.plan.ask.ParameterValues;
import dev.muster.plan.ask.Parameters;
import dev.muster.plan.serving.ServingExplanation;
import dev.muster.plan.serving.ServingSimulation;
import dev.muster.plan.serving.ServingSimulation.DeploymentPlan;
import dev.muster.plan.training.TrainingExplanation;
import dev.muster.report.picture.DeploymentPicture;
import dev.muster.report.picture.LoadPicture;
import dev.muster.report.picture.PlanPicture;
import dev.muster.report.plan.DeploymentText;
import dev.muster.report.plan.FitText;
import dev.muster.report.plan.MixedText;
import dev.muster.report.plan.ServingText;
import dev.muster.report.plan.SimulationText;
import dev.muster.report.plan.TrainingPlanText;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// The report of an answer: text and document, and a picture. The command line and the server print it.
///
/// @param words the text and the document
/// @param picture draws the picture; empty where there is none
/// @since 0.2
public record AnswerReport(dev.muster.report.text.Answer words, Optional<Supplier<String>> picture) {
    /// Returns the report of a plan to serve a model.
    public static AnswerReport of(Answer.Served answer) {
        ServingOutcome outcome = answer.outcome();
        if (!outcome.splits().isEmpty()) {
            return new AnswerReport(
                    new MixedText(outcome),
                    Optional.of(() -> PlanPicture.of(outcome.splits().getFirst())));
        }
        ParameterValues values = answer.question().values();
        Optional<ServingExplanation> explanation =
                values.has(Parameters.EXPLAIN) ? outcome.answer().findFirst().map(Planner::explain) : Optional.empty();
        return new AnswerReport(
                new ServingText(outcome, values.has(Parameters.PARETO), explanation),
                Optional.of(() -> PlanPicture.of(outcome.answer())));
    }

    /// Returns the report of a deployment.
    ///
    /// @param planner the planner that gave the answer
    /// @param isDrawn true if there will be a picture, which shows the Pareto front
    public static AnswerReport of(Answer.Deployed answer, Planner planner, boolean isDrawn) {
        boolean isFront = isDrawn || answer.question().values().has(Parameters.PARETO);
        List<DeploymentPlan> front = isFront ? answer.question().front(planner) : List.of();
        return new AnswerReport(
                new DeploymentText(
                        answer.question().request(), answer.question().level(), answer.answer(), front),
                isFront
                        ? Optional.of(
                                () -> DeploymentPicture.of(answer.question().request(), answer.answer(), front))
                        : Optional.empty());
    }

    /// Returns the report of a simulation; empty where nothing could be simulated.
    ///
    /// @param planner the planner that gave the answer
    /// @param isDrawn true if there will be a picture, which shows loads from light to heavy
    public static Optional<AnswerReport> of(Answer.Simulated answer, Planner planner, boolean isDrawn) {
        if (!(answer.answer() instanceof PlanAnswer.Feasible<ServingSimulation> found)) {
            return Optional.empty();
        }
        ServingSimulation simulation = found.best();
        List<ServingSimulation.Point> curve = isDrawn ? answer.question().curve(planner, simulation.plan()) : List.of();
        return Optional.of(new AnswerReport(
                new SimulationText(answer.question().request(), simulation, curve),
                isDrawn
                        ? Optional.of(() -> LoadPicture.of(answer.question().request(), simulation, curve))
                        : Optional.empty()));
    }

    /// Returns the report of a plan to train a model.
    public static AnswerReport of(Answer.Trained answer) {
        Optional<TrainingExplanation> explanation = answer.question().values().has(Parameters.EXPLAIN)
                ? answer.answer().findFirst().map(Planner::explain)
                : Optional.empty();
        return new AnswerReport(
                new TrainingPlanText(answer.question().request(), answer.answer(), explanation),
                Optional.of(() -> PlanPicture.ofTraining(answer.answer())));
    }

    /// Returns the report of what fits.
    public static AnswerReport of(Answer.Fitted answer) {
        return new AnswerReport(new FitText(answer.question().request(), answer.answer()), Optional.empty());
    }
}
