// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.plan;

import static dev.muster.report.plan.PredictedFigures.dollars;
import static dev.muster.report.plan.PredictedFigures.figure;
import static dev.muster.report.plan.PredictedFigures.percent;

import dev.muster.core.json.JsonValue;
import dev.muster.core.text.FixedText;
import dev.muster.plan.Planner;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.answer.PlanNote;
import dev.muster.plan.cost.Estimate;
import dev.muster.plan.cost.Rental;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingSimulation;
import dev.muster.plan.serving.ServingSimulation.DeploymentPlan;
import dev.muster.plan.serving.ServingSimulation.Figures;
import dev.muster.plan.serving.SimulationRequest;
import dev.muster.plan.serving.Slo;
import dev.muster.report.terminal.Report;
import dev.muster.report.terminal.Terminal;
import dev.muster.report.text.Count;
import dev.muster.report.text.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The deployment that keeps objectives under a load, and the alternatives.
///
/// @param request the load
/// @param slo objectives
/// @param answer the answer
/// @param front Pareto front of deployments; empty if not requested
public record DeploymentText(
        SimulationRequest request, Slo slo, PlanAnswer<DeploymentPlan> answer, List<DeploymentPlan> front)
        implements Report {
    private static final double MILLI = 1e3;

    @Override
    public String text(Terminal terminal) {
        FactLines lines = FactLines.of(request.serving().model(), terminal);
        DeploymentPlan first = answer.findFirst().orElseThrow();
        lines.add("request", requestText(first));
        switch (answer) {
            case PlanAnswer.Feasible<DeploymentPlan> found -> describe(lines, found);
            case PlanAnswer.Infeasible<DeploymentPlan> none -> {
                lines.add("answer", shortfall(none.closest()));
                lines.addRemedies(none.remedies());
            }
            case PlanAnswer.Unanswered<DeploymentPlan> unknown ->
                lines.add("answer", FactLines.SENTENCES.reason(unknown.reason()));
        }
        return lines + "\n" + SimulationText.spreads(first.simulation(), terminal) + "\n" + tables(terminal);
    }

    private String tables(Terminal terminal) {
        String considered = table(terminal).render(answer.considered());
        return front.isEmpty()
                ? considered
                : considered + "\n" + table(terminal).render(front)
                        + terminal.dim(
                                "No other deployment with the engine's own token budget and sequences has as many"
                                        + " tokens/s for each user and for each device.\n");
    }

    private String requestText(DeploymentPlan first) {
        return SimulationText.requestText(request, first.plan().request()) + ", "
                + (slo.isAny() ? "within " + slo.display() + confidence() + ", " : "")
                + "goal: "
                + (request.serving().goal() == ServingGoal.COST
                        ? "lowest cost per hour"
                        : request.serving().goal().display());
    }

    private String confidence() {
        return slo.confidence() == Slo.AS_PREDICTED
                ? ""
                : " with a probability of " + percent(slo.confidence()) + " each";
    }

    private void describe(FactLines lines, PlanAnswer.Feasible<DeploymentPlan> found) {
        DeploymentPlan best = found.best();
        ServingSimulation simulation = best.simulation();
        Figures figures = best.figures();
        lines.add("answer", ServingText.sentence(best.plan()) + SimulationText.apart(simulation));
        lines.add("engine", settings(best));
        lines.add(
                "throughput",
                figure(figures.tokensPerSecond()) + " tokens/s, " + figure(best.tokensPerSecondPerDevice())
                        + " for each device and " + figure(best.tokensPerSecondPerUser()) + " for each user; "
                        + figure(figures.requestsPerSecond()) + " requests/s");
        for (Slo.Objective one : slo.objectives()) {
            lines.add("target", kept(one, simulation));
        }
        if (slo.isAny()) {
            lines.add(
                    "goodput",
                    figure(figures.goodput()) + " requests/s within all targets, "
                            + percent(figures.answered() == 0 ? 0 : (double) figures.good() / figures.answered())
                            + " of all");
        }
        lines.add(
                "KV cache",
                "up to " + percent(simulation.mostKvUse()) + " of " + simulation.kvTokens()
                        + " tokens on each replica, in " + Planner.kvBits(best.plan()) + " bits; "
                        + Count.of(simulation.preemptions(), "preemption"));
        lines.add("costs", best.plan().rental(), DeploymentText::costs);
        lines.add(
                "searched",
                found.tried() + " deployments: layouts, replicas, token budgets, sequences, KV caches, prefill and"
                        + " decode combined and disaggregated");
        for (PlanNote note : simulation.notes()) {
            lines.add("based on", FactLines.SENTENCES.note(note));
        }
        lines.addAssumptions(answer.notes());
    }

    /// Returns the predicted value of an objective with its interval, and the probability that it is kept.
    private static String kept(Slo.Objective objective, ServingSimulation simulation) {
        double value = objective.value(simulation.figures());
        Estimate estimate = Estimate.of(value, simulation.intervals().of(objective.metric()));
        return objective.display() + ": predicted " + PredictedFigures.time(estimate) + ", kept with a probability of "
                + percent(objective.probability(simulation.figures(), simulation.intervals()));
    }

    private static String settings(DeploymentPlan plan) {
        List<String> parts = new ArrayList<>();
        for (Map.Entry<String, String> option : plan.options().entrySet()) {
            parts.add(option.getKey() + "=" + option.getValue());
        }
        parts.add("KV cache in " + Planner.kvBits(plan.plan()) + " bits");
        return plan.options().isEmpty()
                ? "its own token budget and sequences, " + parts.getLast()
                : String.join(", ", parts);
    }

    private static String costs(Rental rental) {
        return dollars(rental.usdPerHour()) + " USD an hour to rent (" + rental.instances() + " x "
                + rental.offer().instance() + " of " + rental.offer().provider().display() + ", a price "
                + rental.priceAge() + ")";
    }

    private String shortfall(DeploymentPlan closest) {
        String missed = !closest.figures().isStable()
                ? "a queue that grows"
                : closest.simulation().rejected() > 0
                        ? Count.of(closest.simulation().rejected(), "request") + " that no replica can hold"
                        : String.join(
                                ", ",
                                closest.missed().stream()
                                        .map(one -> one.display(one.value(closest.figures())))
                                        .toList());
        return "no deployment on " + closest.plan().pool().count() + " x "
                + closest.plan().pool().name() + " meets the targets; nearest is "
                + ServingText.layout(closest.plan()) + " with " + missed;
    }

    private Table<DeploymentPlan> table(Terminal terminal) {
        return new Table<DeploymentPlan>(terminal)
                .mark(this::isChosen)
                .right("TP", plan -> plan.plan().layout().tp())
                .right("PP", plan -> plan.plan().layout().pp())
                .right("EP", 6, plan -> plan.plan().layout().ep())
                .right("DP", DeploymentText::replicas)
                .right("DEVICES", 1, plan -> plan.plan().devices())
                .right("KV", 5, plan -> Planner.kvBits(plan.plan()))
                .right("TOKENS", 4, plan -> plan.simulation().scheduler().tokenBudget())
                .right("SEQS", 4, plan -> plan.simulation().scheduler().maxSequences())
                .right(
                        "TTFT P50",
                        3,
                        plan -> firstToken(
                                plan, plan.figures().timeToFirstToken().p50()))
                .right(
                        "P99",
                        plan -> firstToken(
                                plan, plan.figures().timeToFirstToken().p99()))
                .right(
                        "TPOT P50",
                        3,
                        plan -> time(plan.figures().timePerOutputToken().p50(), 1))
                .right("P99", plan -> time(plan.figures().timePerOutputToken().p99(), 1))
                .right("USER T/S", 2, plan -> figure(plan.tokensPerSecondPerUser()))
                .right("DEVICE T/S", plan -> figure(plan.tokensPerSecondPerDevice()))
                .right("GOOD/S", 2, plan -> figure(plan.figures().goodput()))
                .right("USD/HOUR", 2, plan -> plan.plan().rental().find().map(rental -> dollars(rental.usdPerHour())))
                .left("SLO", plan -> plan.isAccepted() ? "kept" : "missed");
    }

    private static String firstToken(DeploymentPlan plan, double seconds) {
        return plan.figures().isStable() ? time(seconds, 0) : "grows";
    }

    private static String time(double seconds, int digits) {
        return FixedText.of(MILLI * seconds, digits);
    }

    /// Returns the replicas; separately for prefill and decode if they are disaggregated.
    private static String replicas(DeploymentPlan plan) {
        ServingSimulation simulation = plan.simulation();
        return simulation.decodeReplicas() == 0
                ? String.valueOf(simulation.replicas())
                : simulation.replicas() + "+" + simulation.decodeReplicas();
    }

    private boolean isChosen(DeploymentPlan plan) {
        return answer.isFeasible() && plan.equals(answer.considered().getFirst());
    }

    @Override
    public JsonValue json() {
        return ServingDocument.deployment(request, slo, answer, front);
    }
}
