// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan;

import dev.muster.model.ModelDimension;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.answer.Remedy.Advice;
import dev.muster.plan.answer.Shortfall;
import dev.muster.plan.answer.Shortfall.Cause;
import dev.muster.plan.search.deployment.ReplicaModel;
import dev.muster.plan.search.deployment.SimulatedLoad;
import dev.muster.plan.serving.RequestTrace;
import dev.muster.plan.serving.ServingChoices;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingLoad;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.serving.ServingSimulation;
import dev.muster.plan.serving.SimulationRequest;
import dev.muster.plan.serving.Slo;
import dev.muster.plan.simulate.Deployment;
import dev.muster.plan.simulate.Loads;
import dev.muster.plan.simulate.SchedulerPolicy;
import dev.muster.plan.simulate.SimulatedRun;
import dev.muster.plan.time.CoefficientTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Plans a layout and simulates loads on it. Confined to one thread.
final class SimulationPlanner {
    private static final int MOST_USERS = 1024;
    private static final double[] MULTIPLES = {0.125, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4};

    private final Planner planner;
    private final SimulationRequest asked;
    private final ServingChoices choices;

    SimulationPlanner(Planner planner, SimulationRequest asked, ServingChoices choices) {
        this.planner = planner;
        this.asked = asked;
        this.choices = choices.withEveryReplicaCount(asked.fleet().replicas() > 0);
    }

    PlanAnswer<ServingSimulation> simulate() {
        return switch (layOut()) {
            case PlanAnswer.Feasible<ServingPlan> found -> {
                ServingSimulation simulation = simulate(found.best());
                yield simulation.figures().answered() > 0
                        ? new PlanAnswer.Feasible<>(List.of(simulation), found.tried(), found.notes())
                        : new PlanAnswer.Unanswered<>(
                                Shortfall.of(
                                        Cause.ALL_REJECTED,
                                        asked.longestInput(),
                                        simulation.scheduler().tokenBudget(),
                                        simulation.kvTokens()),
                                List.of(Advice.SHORTER_PROMPTS),
                                found.notes());
            }
            case PlanAnswer.Infeasible<ServingPlan> none ->
                new PlanAnswer.Unanswered<>(Shortfall.of(Cause.NO_LAYOUT_FITS), none.remedies(), none.notes());
            case PlanAnswer.Unanswered<ServingPlan> unknown ->
                new PlanAnswer.Unanswered<>(unknown.reason(), unknown.remedies(), unknown.notes());
        };
    }

    /// Returns the deployment of a simulation under loads from light to heavy.
    List<ServingSimulation.LoadPoint> curve(ServingPlan plan) {
        Deployment deployment = deployment(plan, ReplicaModel.of(plan, CoefficientTable.builtIn()));
        List<ServingSimulation.LoadPoint> points = new ArrayList<>();
        for (ServingLoad load : loads()) {
            SimulatedRun run = run(asked.withLoad(load), deployment);
            points.add(new ServingSimulation.LoadPoint(amount(load), run.figures(asked.targets())));
        }
        return points;
    }

    private static SimulatedRun run(SimulationRequest request, Deployment deployment) {
        return Loads.run(times -> Loads.of(request, times, 1), deployment, Slo.NONE);
    }

    private List<ServingLoad> loads() {
        List<ServingLoad> loads = new ArrayList<>();
        switch (asked.load()) {
            case ServingLoad.Users(int users) -> {
                for (int count = 1; count <= Math.max(users, Math.min(MOST_USERS, 8 * users)); count *= 2) {
                    loads.add(new ServingLoad.Users(count));
                }
            }
            case ServingLoad.Burst(int requests) -> {
                for (int count = 1; count <= Math.max(requests, MOST_USERS); count *= 2) {
                    loads.add(new ServingLoad.Burst(count));
                }
            }
            case ServingLoad.Rate(double perSecond) ->
                Arrays.stream(MULTIPLES).forEach(times -> loads.add(new ServingLoad.Rate(perSecond * times)));
            case ServingLoad.Replay(RequestTrace trace) ->
                Arrays.stream(MULTIPLES).forEach(times -> loads.add(new ServingLoad.Replay(trace.faster(times))));
        }
        return loads;
    }

    private static double amount(ServingLoad load) {
        return switch (load) {
            case ServingLoad.Users(int users) -> users;
            case ServingLoad.Burst(int requests) -> requests;
            case ServingLoad.Rate(double perSecond) -> perSecond;
            case ServingLoad.Replay(RequestTrace trace) -> trace.meanRate();
        };
    }

    /// Returns the best of the requested layouts for as many concurrent sequences of the load as fit.
    private PlanAnswer<ServingPlan> layOut() {
        ServingRequest request = SimulatedLoad.typical(asked).withGoal(ServingGoal.THROUGHPUT);
        PlanAnswer<ServingPlan> answer = null;
        for (int sequences = atOnce(); sequences > 0; sequences /= 2) {
            answer = planner.serve(request.withConcurrency(sequences), choices).answer();
            List<ServingPlan> fitting = withFewestStages(answer.considered().stream()
                    .filter(plan -> plan.memory().fits() && isAsked(plan))
                    .toList());
            if (!fitting.isEmpty()) {
                return new PlanAnswer.Feasible<>(fitting, fitting.size(), answer.notes());
            }
            if (answer instanceof PlanAnswer.Unanswered<ServingPlan>) {
                return answer;
            }
        }
        return answer instanceof PlanAnswer.Infeasible<ServingPlan> none ? none : refused(request);
    }

    /// Returns the plans without more pipeline stages than needed, where TP is given: a replica is that many devices.
    private List<ServingPlan> withFewestStages(List<ServingPlan> plans) {
        int fewest = plans.stream().mapToInt(plan -> plan.layout().pp()).min().orElse(1);
        return asked.fleet().tp() == 0
                ? plans
                : plans.stream().filter(plan -> plan.layout().pp() == fewest).toList();
    }

    private PlanAnswer<ServingPlan> refused(ServingRequest request) {
        int tensor = asked.fleet().tp();
        long heads = request.architecture().find(ModelDimension.HEADS).orElse(0);
        return tensor > 0 && heads % tensor != 0
                ? new PlanAnswer.Unanswered<>(
                        Shortfall.of(Cause.UNDIVIDED_HEADS, tensor, heads), List.of(Advice.DIVIDING_DEGREE), List.of())
                : new PlanAnswer.Unanswered<>(
                        Shortfall.of(Cause.NO_ROOM, asked.fleet().replicas(), tensor),
                        List.of(Advice.FEWER_REPLICAS_OR_OTHER_DEVICES),
                        List.of());
    }

    private boolean isAsked(ServingPlan plan) {
        SimulationRequest.Replicas fleet = asked.fleet();
        return (fleet.tp() == 0 || plan.layout().tp() == fleet.tp())
                && (fleet.replicas() == 0 || plan.replicas() == fleet.replicas());
    }

    private int atOnce() {
        int replicas = Math.max(1, asked.fleet().replicas());
        return Math.max(
                replicas,
                switch (asked.load()) {
                    case ServingLoad.Users(int users) -> users;
                    case ServingLoad.Burst(int requests) -> Math.min(requests, ServingRequest.MOST_SEQUENCES);
                    case ServingLoad.Rate _, ServingLoad.Replay _ -> ServingRequest.MOST_SEQUENCES;
                });
    }

    private ServingSimulation simulate(ServingPlan plan) {
        Deployment deployment = deployment(plan, ReplicaModel.of(plan, CoefficientTable.builtIn()));
        return SimulatedLoad.describe(plan, deployment, run(asked, deployment), asked.targets());
    }

    private Deployment deployment(ServingPlan plan, ReplicaModel replica) {
        int decode = asked.fleet().decodeReplicas();
        SchedulerPolicy policy = SimulatedLoad.policy(
                        asked, plan.software(), plan.pool().device())
                .times(plan.layout().attentionDp());
        return SimulatedLoad.deployment(asked, replica, policy, plan.replicas() - decode, decode);
    }
}
