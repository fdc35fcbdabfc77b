// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan;

import dev.muster.model.memory.WeightFormat;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.answer.PlanNote;
import dev.muster.plan.answer.PlanNote.Topic;
import dev.muster.plan.answer.Remedy;
import dev.muster.plan.answer.Remedy.Advice;
import dev.muster.plan.answer.Shortfall;
import dev.muster.plan.answer.Shortfall.Cause;
import dev.muster.plan.search.Attempt;
import dev.muster.plan.search.deployment.DeploymentSearch;
import dev.muster.plan.serving.ServingChoices;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingLoad;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.serving.ServingSimulation.DeploymentPlan;
import dev.muster.plan.serving.SimulationRequest;
import dev.muster.plan.serving.Slo;
import dev.muster.plan.time.CoefficientTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Deployments under load over all kinds of devices, engines and formats. Confined to one thread.
final class DeploymentPlanner {
    private final Planner planner;
    private final ServingPlanner serving;
    private final SimulationRequest asked;
    private final Slo slo;
    private final ServingChoices choices;
    private final DeploymentSearch search;

    DeploymentPlanner(Planner planner, SimulationRequest asked, Slo slo, ServingChoices choices) {
        this.planner = planner;
        this.serving = new ServingPlanner(planner);
        this.asked = asked;
        this.slo = slo;
        this.choices = choices;
        this.search = DeploymentSearch.of(CoefficientTable.builtIn(), planner.offers());
    }

    private List<WeightFormat> formats() {
        return choices.formats().isEmpty() ? List.of(asked.serving().format()) : choices.formats();
    }

    private SimulationRequest in(WeightFormat format, ServingPlanner.Served one) {
        ServingRequest request = asked.serving().withFormat(format);
        return asked.withServing(choices.formats().isEmpty() ? serving.usable(request, one) : request);
    }

    PlanAnswer<DeploymentPlan> find() {
        serving.noteContext(asked.serving());
        List<ServingPlanner.Served> served = serving.served(choices, formats(), sequences());
        Optional<PlanAnswer<DeploymentPlan>> best = Optional.empty();
        Shortfall problem = serving.whyNone();
        List<PlanNote> unknown = new ArrayList<>();
        for (WeightFormat format : formats()) {
            for (ServingPlanner.Served one : served) {
                switch (search.find(in(format, one), slo, one.pool(), one.engine())) {
                    case Attempt.Found<PlanAnswer<DeploymentPlan>>(PlanAnswer<DeploymentPlan> answer) ->
                        best = best.isEmpty() || isBetter(answer, best.get()) ? Optional.of(answer) : best;
                    case Attempt.Failed<PlanAnswer<DeploymentPlan>>(Shortfall reason) -> {
                        problem = reason;
                        unknown.add(
                                PlanNote.of(Topic.UNPLANNED_DEVICES, one.pool().name(), reason));
                    }
                }
            }
        }
        if (best.isEmpty()) {
            return new PlanAnswer.Unanswered<>(
                    problem,
                    served.isEmpty()
                            ? ServingPlanner.noDevices(problem)
                            : ServingPlanner.remedies(asked.serving(), problem),
                    serving.notes());
        }
        PlanAnswer<DeploymentPlan> found = best.get();
        if (found.considered().isEmpty()) {
            return doesNotFit();
        }
        return found.withNotes(serving.notes()).withNotes(unknown);
    }

    /// Returns the best deployment, as [#find] does; empty if no deployment keeps the objectives.
    Optional<DeploymentPlan> findBest() {
        Optional<DeploymentPlan> best = Optional.empty();
        for (WeightFormat format : formats()) {
            for (ServingPlanner.Served one : serving.served(choices, formats(), sequences())) {
                Optional<DeploymentPlan> next = search.findBest(in(format, one), slo, one.pool(), one.engine())
                        .find()
                        .flatMap(found -> found);
                best = best.isEmpty() || (next.isPresent() && loss(next.get()) < loss(best.get())) ? next : best;
            }
        }
        return best;
    }

    /// Returns the nearest plans, by the search without a load.
    private PlanAnswer<DeploymentPlan> doesNotFit() {
        PlanAnswer<ServingPlan> one =
                planner.serve(asked.serving().withConcurrency(1), choices).answer();
        List<Remedy> nearest = one instanceof PlanAnswer.Infeasible<ServingPlan> none
                ? none.remedies()
                : List.of(Advice.FEWER_TOKENS_OR_OTHER_DEVICES);
        return new PlanAnswer.Unanswered<>(Shortfall.of(Cause.NO_REPLICA_FITS), nearest, one.notes());
    }

    private boolean isBetter(PlanAnswer<DeploymentPlan> one, PlanAnswer<DeploymentPlan> other) {
        if (one.isFeasible() != other.isFeasible()
                || one.considered().isEmpty()
                || other.considered().isEmpty()) {
            return one.isFeasible()
                    || (!other.isFeasible() && other.considered().isEmpty());
        }
        Comparator<DeploymentPlan> order = one.isFeasible()
                ? Comparator.comparingDouble(this::loss)
                : Comparator.comparingDouble(plan -> slo.excess(plan.figures()));
        return order.compare(one.findFirst().orElseThrow(), other.findFirst().orElseThrow()) < 0;
    }

    private double loss(DeploymentPlan plan) {
        return switch (asked.serving().goal()) {
            case DEVICES -> plan.plan().devices();
            case COST ->
                plan.plan().rental().find().map(rental -> rental.usdPerHour()).orElse(Double.POSITIVE_INFINITY);
            case LATENCY -> plan.figures().timePerOutputToken().p50();
            case THROUGHPUT, MEMORY, ENERGY -> -plan.figures().tokensPerSecond();
        };
    }

    List<DeploymentPlan> front() {
        List<DeploymentPlan> plans = new ArrayList<>();
        SimulationRequest free = asked.withServing(asked.serving().withGoal(ServingGoal.DEVICES));
        for (WeightFormat format : formats()) {
            for (ServingPlanner.Served one : serving.served(choices, formats(), sequences())) {
                SimulationRequest request = free.withServing(
                        free.serving().withFormat(in(format, one).serving().format()));
                search.front(request, slo, one.pool(), one.engine()).find().ifPresent(plans::addAll);
            }
        }
        return DeploymentPlan.front(plans);
    }

    /// Returns the most sequences that a load keeps running.
    private int sequences() {
        return switch (asked.load()) {
            case ServingLoad.Users(int users) -> users;
            case ServingLoad.Burst(int requests) -> requests;
            case ServingLoad.Rate _, ServingLoad.Replay _ -> ServingRequest.MOST_SEQUENCES;
        };
    }
}
