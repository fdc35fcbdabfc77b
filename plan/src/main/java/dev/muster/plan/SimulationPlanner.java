package dev.muster.plan;

import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.engine.EngineRules;
import dev.muster.plan.search.ReplicaModel;
import dev.muster.plan.serving.RequestTrace;
import dev.muster.plan.serving.ServingChoices;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingLoad;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.serving.ServingSimulation;
import dev.muster.plan.serving.SimulationRequest;
import dev.muster.plan.simulate.Deployment;
import dev.muster.plan.simulate.Loads;
import dev.muster.plan.simulate.SchedulerOption;
import dev.muster.plan.simulate.SchedulerPolicy;
import dev.muster.plan.simulate.Schedulers;
import dev.muster.plan.simulate.SimulatedRun;
import dev.muster.plan.simulate.Simulator;
import dev.muster.plan.time.CoefficientTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// Lays a model out and plays loads through it. Confined to one thread.
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
            case PlanAnswer.Feasible<ServingPlan> found ->
                new PlanAnswer.Feasible<>(List.of(simulate(found.best())), found.tried(), found.notes());
            case PlanAnswer.Infeasible<ServingPlan> none ->
                new PlanAnswer.Unanswered<>(
                        "no layout that was asked for fits", String.join(", or ", none.nearest()), none.notes());
            case PlanAnswer.Unanswered<ServingPlan> unknown ->
                new PlanAnswer.Unanswered<>(unknown.reason(), unknown.remedy(), unknown.notes());
        };
    }

    /// The deployment of a simulation under loads from light to heavy.
    List<ServingSimulation.Point> curve(ServingPlan plan) {
        Deployment deployment = deployment(plan, ReplicaModel.of(plan, CoefficientTable.builtIn()));
        List<ServingSimulation.Point> points = new ArrayList<>();
        for (ServingLoad load : loads()) {
            SimulatedRun run = Simulator.run(Loads.of(asked.withLoad(load)), deployment);
            points.add(new ServingSimulation.Point(amount(load), run.figures(asked.targets())));
        }
        return points;
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

    /// The best layout for as many sequences of the load at once as fit, of those that were asked for.
    private PlanAnswer<ServingPlan> layOut() {
        ServingRequest request = typical();
        PlanAnswer<ServingPlan> answer = null;
        for (int sequences = atOnce(); sequences > 0; sequences /= 2) {
            answer = planner.serve(request.withConcurrency(sequences), choices).answer();
            List<ServingPlan> fitting = answer.considered().stream()
                    .filter(plan -> plan.memory().fits() && isAsked(plan))
                    .toList();
            if (!fitting.isEmpty()) {
                return new PlanAnswer.Feasible<>(fitting, fitting.size(), answer.notes());
            }
            if (answer instanceof PlanAnswer.Unanswered<ServingPlan>) {
                return answer;
            }
        }
        return answer instanceof PlanAnswer.Infeasible<ServingPlan> none
                ? none
                : new PlanAnswer.Unanswered<>(
                        "the devices have no room for " + wanted(), "ask for fewer, or for other devices", List.of());
    }

    private String wanted() {
        SimulationRequest.Fleet fleet = asked.fleet();
        String replicas = fleet.replicas() > 0 ? fleet.replicas() + " replicas" : "a replica";
        return fleet.tensor() > 0 ? replicas + " of TP " + fleet.tensor() : replicas;
    }

    private boolean isAsked(ServingPlan plan) {
        SimulationRequest.Fleet fleet = asked.fleet();
        return (fleet.tensor() == 0 || plan.layout().tensor() == fleet.tensor())
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

    /// The request with the mean lengths of what was recorded.
    private ServingRequest typical() {
        ServingRequest request = asked.serving().withGoal(ServingGoal.THROUGHPUT);
        RequestTrace trace = asked.load() instanceof ServingLoad.Replay(RequestTrace replayed)
                ? replayed
                : asked.lengths().orElse(null);
        return trace == null
                ? request
                : request.withTokens((int) Math.max(1, Math.rint(trace.meanInput())), (int)
                        Math.max(1, Math.rint(trace.meanOutput())));
    }

    private ServingSimulation simulate(ServingPlan plan) {
        ReplicaModel replica = ReplicaModel.of(plan, CoefficientTable.builtIn());
        Deployment deployment = deployment(plan, replica);
        SimulatedRun run = Simulator.run(Loads.of(asked), deployment);
        SchedulerPolicy policy = deployment.workers().policy();
        return new ServingSimulation(
                plan,
                deployment.workers().replicas(),
                deployment.decode().replicas(),
                new ServingSimulation.Scheduler(
                        policy.release(),
                        policy.prompts().label(),
                        policy.isChunked(),
                        policy.tokenBudget(),
                        policy.maxSequences(),
                        policy.source()),
                deployment.workers().room(),
                run.figures(asked.targets()),
                Arrays.stream(run.kvUse()).boxed().toList(),
                Arrays.stream(run.running()).boxed().toList(),
                run.pieceSeconds(),
                run.mostKvUse(),
                run.preemptions(),
                run.recomputed(),
                run.rejected(),
                notes(deployment));
    }

    private Deployment deployment(ServingPlan plan, ReplicaModel replica) {
        SimulationRequest.Fleet fleet = asked.fleet();
        int decode = fleet.decodeReplicas();
        Deployment.Workers workers = new Deployment.Workers(
                replica.times(), policy(plan), Math.max(1, replica.kvTokens()), plan.replicas() - decode);
        return new Deployment(
                workers,
                workers.times(decode),
                fleet.router(),
                new Deployment.Speculation(asked.draft(), asked.acceptance()),
                asked.prefixHit(),
                replica.client(),
                new Deployment.KvTransfer(0, replica.kvTokenBytes() / fleet.linkBandwidth()));
    }

    /// How the engine of a plan schedules, with the options that were given.
    ///
    /// @throws IllegalArgumentException if an option is not known or its value is none
    private SchedulerPolicy policy(ServingPlan plan) {
        ServingRequest request = plan.request();
        DeviceFigures device = plan.pool().device();
        String release = EngineRules.of(plan.software(), request.architecture(), request.format(), device)
                .release();
        SchedulerPolicy policy = Schedulers.find(plan.software().label(), release, device.id(), device.memory())
                .or(() -> Schedulers.find(plan.software().label(), "", device.id(), device.memory()))
                .orElseThrow()
                .times(plan.layout().attentionReplicas());
        for (Map.Entry<String, String> option : asked.options().entrySet()) {
            policy = SchedulerOption.apply(policy, option.getKey(), option.getValue());
        }
        return policy;
    }

    private List<String> notes(Deployment deployment) {
        List<String> notes = new ArrayList<>();
        SchedulerPolicy policy = deployment.workers().policy();
        String prompts = switch (policy.prompts()) {
            case MIXED -> "prompts share steps with decodes";
            case ALONE -> "prompts run alone, decodes wait";
            case BATCH -> "a batch runs to its longest answer before the next one starts";
        };
        notes.add("scheduler of " + policy.engine() + " since " + policy.release() + ": " + prompts + ", "
                + policy.tokenBudget() + " tokens a step, prompts are " + (policy.isChunked() ? "cut" : "kept whole")
                + ", " + policy.maxSequences() + " sequences (" + policy.source() + ")");
        Deployment.ClientDelay client = deployment.client();
        if (client.fixed() > 0) {
            notes.add("a request takes " + Math.round(client.fixed() * 1e3) + " ms, and " + client.perUser() * 1e3
                    + " ms for each user, between client and engine: fitted to runs of others");
        }
        if (deployment.prefixHit() > 0) {
            notes.add("the KV cache of cached prefixes is counted for each sequence that uses it");
        }
        if (deployment.speculation().draft() > 0) {
            notes.add("a step gives " + Math.round(deployment.speculation().tokens() * 100) / 100.0
                    + " tokens of each sequence; drafting itself is taken to cost nothing");
        }
        if (deployment.isApart()) {
            notes.add("the first token is there when a decode replica takes the request up");
        }
        return notes;
    }
}
