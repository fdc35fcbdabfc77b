// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search.deployment;

import dev.muster.plan.answer.PlanNote;
import dev.muster.plan.answer.PlanNote.Topic;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.engine.EngineRules;
import dev.muster.plan.search.PredictionIntervals;
import dev.muster.plan.serving.RequestTrace;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingLoad;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.serving.ServingSimulation;
import dev.muster.plan.serving.SimulationRequest;
import dev.muster.plan.serving.Slo;
import dev.muster.plan.simulate.Deployment;
import dev.muster.plan.simulate.Loads;
import dev.muster.plan.simulate.SchedulerOption;
import dev.muster.plan.simulate.SchedulerPolicy;
import dev.muster.plan.simulate.Schedulers;
import dev.muster.plan.simulate.SimulatedRun;
import dev.muster.plan.time.CoefficientTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// The simulation of a load, and its description.
public final class SimulatedLoad {
    private SimulatedLoad() {}

    /// Returns the request with the mean lengths of recorded requests.
    public static ServingRequest typical(SimulationRequest asked) {
        ServingRequest request = asked.serving();
        RequestTrace trace = asked.load() instanceof ServingLoad.Replay(RequestTrace replayed)
                ? replayed
                : asked.lengths().orElse(null);
        return trace == null
                ? request
                : request.withTokens((int) Math.max(1, Math.rint(trace.meanInput())), (int)
                        Math.max(1, Math.rint(trace.meanOutput())));
    }

    /// Returns the scheduling policy of an engine on a device, with the given options. An engine that keeps prompts
    /// whole gets a step that holds the longest.
    ///
    /// @throws IllegalArgumentException if an option is not known or its value is none
    public static SchedulerPolicy policy(SimulationRequest asked, ServingEngine software, DeviceFigures device) {
        ServingRequest request = asked.serving();
        Map<String, String> options = asked.options();
        String release = EngineRules.of(software, request.architecture(), request.format(), device)
                .release();
        SchedulerPolicy policy = Schedulers.find(software.label(), release, device.id(), device.memory())
                .or(() -> Schedulers.find(software.label(), "", device.id(), device.memory()))
                .orElseThrow();
        for (Map.Entry<String, String> option : options.entrySet()) {
            policy = SchedulerOption.apply(policy, option.getKey(), option.getValue());
        }
        boolean isTooSmall = !policy.isChunked() && policy.tokenBudget() < Loads.longestPrompt(asked);
        return isTooSmall && options.keySet().stream().noneMatch(SchedulerOption.TOKEN_BUDGET::isNamed)
                ? policy.withTokenBudget(Loads.longestPrompt(asked))
                : policy;
    }

    /// Returns replicas under a policy.
    ///
    /// @param prefill number of replicas; those for prefill if decode is disaggregated
    /// @param decode number of replicas for decode only
    public static Deployment deployment(
            SimulationRequest asked, ReplicaModel replica, SchedulerPolicy policy, int prefill, int decode) {
        Deployment.Workers workers =
                new Deployment.Workers(replica.times(), policy, Math.max(1, replica.kvTokens()), prefill);
        return new Deployment(
                workers,
                workers.times(decode),
                asked.fleet().router(),
                asked.speculation(),
                asked.prefixHit(),
                replica.client(),
                new Deployment.KvTransfer(
                        0, replica.kvTokenBytes() / asked.fleet().linkBandwidth()));
    }

    public static ServingSimulation describe(ServingPlan plan, Deployment deployment, SimulatedRun run, Slo targets) {
        PredictionIntervals intervals = new PredictionIntervals(CoefficientTable.builtIn(), plan.pool());
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
                run.figures(targets),
                intervals.underLoad(plan.software(), plan.isMeasured()),
                run.longest(),
                Arrays.stream(run.kvUse()).boxed().toList(),
                Arrays.stream(run.running()).boxed().toList(),
                run.pieceSeconds(),
                run.mostKvUse(),
                run.preemptions(),
                run.recomputed(),
                run.rejected(),
                deployment.speculation().draft(),
                notes(deployment));
    }

    private static List<PlanNote> notes(Deployment deployment) {
        List<PlanNote> notes = new ArrayList<>();
        SchedulerPolicy policy = deployment.workers().policy();
        notes.add(PlanNote.of(
                Topic.SCHEDULER,
                policy.engine(),
                policy.release(),
                policy.prompts().label(),
                policy.isChunked(),
                policy.tokenBudget(),
                policy.maxSequences(),
                policy.source()));
        Deployment.ClientDelay client = deployment.client();
        if (client.fixed() > 0) {
            notes.add(PlanNote.of(Topic.CLIENT_DELAY, client.fixed(), client.perUser()));
        }
        if (deployment.prefixHit() > 0) {
            notes.add(PlanNote.of(Topic.CACHED_PREFIXES));
        }
        if (deployment.speculation().draft() > 0) {
            notes.add(PlanNote.of(Topic.SPECULATION, deployment.speculation().tokens()));
        }
        if (deployment.isApart()) {
            notes.add(PlanNote.of(Topic.DECODE_FIRST_TOKEN));
        }
        return notes;
    }
}
