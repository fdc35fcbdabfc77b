// SPDX-License-Identifier: Apache-2.0
package dev.muster.report;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.fleet.plan.FleetQuestion;
import dev.muster.model.catalogue.ModelUse;
import dev.muster.plan.Planner;
import dev.muster.plan.ServingOutcome;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.ask.Answer;
import dev.muster.plan.ask.Naming;
import dev.muster.plan.ask.ParameterValues;
import dev.muster.plan.ask.Parameters;
import dev.muster.plan.catalogue.OfferChoice;
import dev.muster.plan.launch.LaunchAnswer;
import dev.muster.plan.serving.ServingExplanation;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingSimulation;
import dev.muster.plan.serving.ServingSimulation.DeploymentPlan;
import dev.muster.plan.training.TrainingExplanation;
import dev.muster.report.picture.DeploymentPicture;
import dev.muster.report.picture.LoadPicture;
import dev.muster.report.picture.PlanPicture;
import dev.muster.report.plan.CapacityText;
import dev.muster.report.plan.CompareText;
import dev.muster.report.plan.CostText;
import dev.muster.report.plan.DeploymentText;
import dev.muster.report.plan.FitText;
import dev.muster.report.plan.FleetPlanText;
import dev.muster.report.plan.LaunchText;
import dev.muster.report.plan.MixedText;
import dev.muster.report.plan.ModelsText;
import dev.muster.report.plan.QuantizationText;
import dev.muster.report.plan.RentText;
import dev.muster.report.plan.ServingText;
import dev.muster.report.plan.ShardingText;
import dev.muster.report.plan.SimulationText;
import dev.muster.report.plan.TaskText;
import dev.muster.report.plan.TrainingPlanText;
import dev.muster.report.plan.TrainingText;
import dev.muster.report.sentence.Sentences;
import dev.muster.report.terminal.Report;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// The report of an answer: text and document, a picture, and the files that start a plan. The command line and the
/// server print it.
///
/// @param words the text and the document
/// @param picture draws the picture; empty where there is none
/// @param launch the files that start the plan; empty where none were asked for, or nothing fits
/// @param isFeasible whether there is something that does what was asked
/// @since 0.3
public record AnswerReport(
        Report words, Optional<Supplier<String>> picture, Optional<LaunchAnswer> launch, boolean isFeasible) {
    private static AnswerReport of(Report words) {
        return new AnswerReport(words, Optional.empty(), Optional.empty(), true);
    }

    private static AnswerReport drawn(Report words, Supplier<String> picture) {
        return new AnswerReport(words, Optional.of(picture), Optional.empty(), true);
    }

    private AnswerReport with(Optional<LaunchAnswer> files) {
        return new AnswerReport(words, picture, files, isFeasible);
    }

    private AnswerReport feasible(boolean does) {
        return new AnswerReport(words, picture, launch, does);
    }

    /// Returns the report of an answer.
    ///
    /// @param planner the planner that gave the answer
    /// @param isDrawn whether there will be a picture, for which loads are simulated from light to heavy
    /// @throws IllegalArgumentException if nothing can be said: see [#reason]
    public static AnswerReport of(Answer answer, Planner planner, boolean isDrawn) {
        AnswerReport report = switch (answer) {
            case Answer.Served served -> served(served).with(served.launch());
            case Answer.Performed performed ->
                of(new TaskText(
                                performed.question().request(),
                                performed.answer(),
                                performed.question().values().has(Parameters.EXPLAIN)))
                        .with(performed.launch());
            case Answer.Deployed deployed ->
                deployed(deployed, planner, isDrawn).with(deployed.launch());
            case Answer.Simulated simulated -> simulated(simulated, planner, isDrawn);
            case Answer.Trained trained -> trained(trained).with(trained.launch());
            case Answer.Fitted fitted -> of(new FitText(fitted.question().request(), fitted.answer()));
            case Answer.Priced priced ->
                of(priced.question().plan().isPresent() ? new RentText(priced) : priced(priced));
            case Answer.Compared compared -> of(compared(compared));
            case Answer.Sharded sharded ->
                of(new ShardingText(
                        sharded.question().model(),
                        sharded.level(),
                        sharded.isSuggested(),
                        sharded.plan(),
                        sharded.isFeasible()));
            case Answer.Quantized quantized ->
                of(new QuantizationText(quantized.question().model(), quantized.rule(), quantized.steps()));
            case Answer.Estimated estimated ->
                of(new TrainingText(
                        estimated.question().model(), estimated.method(), estimated.target(), estimated.estimate()));
            case Answer.Recommended recommended ->
                of(new ModelsText(
                        recommended.models(),
                        recommended.fits(),
                        recommended
                                .question()
                                .values()
                                .find(Parameters.MODEL_USE)
                                .orElse(ModelUse.CHAT)));
        };
        return report.feasible(answer.isFeasible());
    }

    /// Returns the report of an answer about a fleet.
    public static AnswerReport of(FleetQuestion.FleetReply answer) {
        AnswerReport report = switch (answer) {
            case FleetQuestion.FleetReply.Placed placed ->
                of(new FleetPlanText(placed.question().serving().request(), placed.answer()))
                        .with(placed.launch());
            case FleetQuestion.FleetReply.Counted counted -> of(new CapacityText(counted.capacity()));
        };
        return report.feasible(answer.isFeasible());
    }

    /// Returns the reason for a missing report; blank if there is one.
    ///
    /// @param naming names of parameters
    public static String reason(Answer answer, Naming naming) {
        Sentences sentences = Sentences.of(naming);
        return switch (answer) {
            case Answer.Simulated simulated ->
                switch (simulated.answer()) {
                    case PlanAnswer.Feasible<ServingSimulation> _ -> "";
                    case PlanAnswer.Infeasible<ServingSimulation> _ -> "no layout fits";
                    case PlanAnswer.Unanswered<ServingSimulation> unknown ->
                        sentences.complaint(unknown.reason(), unknown.remedies());
                };
            case Answer.Fitted fitted ->
                fitted.answer()
                        .problem()
                        .map(problem ->
                                sentences.complaint(problem, fitted.answer().remedies()))
                        .orElse("");
            case Answer.Compared compared ->
                unanswered(compared.comparison().here(), sentences)
                        .or(() -> unanswered(compared.comparison().there(), sentences))
                        .orElse("");
            default -> "";
        };
    }

    private static Optional<String> unanswered(ServingOutcome outcome, Sentences sentences) {
        return outcome.answer() instanceof PlanAnswer.Unanswered<ServingPlan> unknown
                ? Optional.of(sentences.complaint(unknown.reason(), unknown.remedies()))
                : Optional.empty();
    }

    /// Returns the document with the picture of what does what was asked, and the files that start it.
    public JsonValue document() {
        JsonObject.ObjectBuilder document = JsonObject.builder();
        if (words.json() instanceof JsonObject object) {
            object.members().forEach(document::put);
        }
        picture.filter(_ -> isFeasible).ifPresent(draw -> document.put("pictureSvg", draw.get()));
        launch.ifPresent(files -> LaunchText.add(files, document));
        return document.build();
    }

    private static AnswerReport served(Answer.Served answer) {
        ServingOutcome outcome = answer.outcome();
        if (!outcome.splits().isEmpty()) {
            return drawn(
                    new MixedText(outcome),
                    () -> PlanPicture.of(outcome.splits().getFirst()));
        }
        ParameterValues values = answer.question().values();
        Optional<ServingExplanation> explanation =
                values.has(Parameters.EXPLAIN) ? outcome.answer().findFirst().map(Planner::explain) : Optional.empty();
        return drawn(
                new ServingText(outcome, values.has(Parameters.PARETO), explanation),
                () -> PlanPicture.of(outcome.answer()));
    }

    private static AnswerReport deployed(Answer.Deployed answer, Planner planner, boolean isDrawn) {
        boolean isFront = isDrawn || answer.question().values().has(Parameters.PARETO);
        List<DeploymentPlan> front = isFront ? answer.question().front(planner) : List.of();
        DeploymentText words = new DeploymentText(
                answer.question().request(), answer.question().slo(), answer.answer(), front);
        return isFront
                ? drawn(words, () -> DeploymentPicture.of(answer.question().request(), answer.answer(), front))
                : of(words);
    }

    private static AnswerReport simulated(Answer.Simulated answer, Planner planner, boolean isDrawn) {
        if (!(answer.answer() instanceof PlanAnswer.Feasible<ServingSimulation> found)) {
            throw new IllegalArgumentException(reason(answer, Naming.KEYS));
        }
        ServingSimulation simulation = found.best();
        List<ServingSimulation.LoadPoint> curve =
                isDrawn ? answer.question().curve(planner, simulation.plan()) : List.of();
        SimulationText words = new SimulationText(answer.question().request(), simulation, curve);
        return isDrawn ? drawn(words, () -> LoadPicture.of(answer.question().request(), simulation, curve)) : of(words);
    }

    private static AnswerReport trained(Answer.Trained answer) {
        Optional<TrainingExplanation> explanation = answer.question().values().has(Parameters.EXPLAIN)
                ? answer.answer().findFirst().map(Planner::explain)
                : Optional.empty();
        return drawn(
                new TrainingPlanText(answer.question().request(), answer.answer(), explanation),
                () -> PlanPicture.ofTraining(answer.answer()));
    }

    private static CostText priced(Answer.Priced answer) {
        return new CostText(
                answer.question().model(),
                answer.question().request(),
                answer.shown(),
                answer.choices().size(),
                answer.stale(),
                answer.priced(),
                answer.today().orElseGet(() -> newest(answer.choices())));
    }

    /// Without a current day, ages of prices count from the newest one.
    private static LocalDate newest(List<OfferChoice> choices) {
        return choices.stream()
                .map(choice -> choice.offer().date())
                .max(LocalDate::compareTo)
                .orElse(LocalDate.EPOCH);
    }

    private static CompareText compared(Answer.Compared answer) {
        List<String> machines =
                answer.question().values().find(Parameters.MACHINES).orElse(List.of("A", "B"));
        return new CompareText(
                answer.question().request(), machines.getFirst(), machines.getLast(), answer.comparison());
    }
}
