// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search.deployment;

import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.answer.Remedy;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.search.LargestFit;
import dev.muster.plan.serving.RequestTrace;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingLoad;
import dev.muster.plan.serving.ServingSimulation.DeploymentPlan;
import dev.muster.plan.serving.SimulationRequest;
import dev.muster.plan.serving.Slo;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/// Remedies if no deployment keeps the objectives: looser ones, a lighter load, or more devices.
record NearestDeployment(
        DeploymentSearch search,
        DeploymentWalk walk,
        SimulationRequest asked,
        Slo slo,
        DevicePool pool,
        ServingEngine software) {
    private static final int LISTED = 8;
    private static final int MOST_DEVICES = 1 << 13;
    /// The number of parts in which loads are tried.
    private static final int PARTS = 32;

    PlanAnswer<DeploymentPlan> answer() {
        List<DeploymentPlan> plans = new ArrayList<>();
        for (DeploymentUnit unit : walk.units()) {
            if (unit.changes == 0 && !walk.counts(unit).isEmpty()) {
                plans.add(walk.describe(walk.judge(unit, walk.counts(unit).getLast(), Slo.NONE)));
            }
        }
        plans.sort(Comparator.comparing((DeploymentPlan plan) ->
                        plan.simulation().rejected() > 0 || !plan.figures().isStable())
                .thenComparingDouble(plan -> slo.excess(plan.figures()))
                .thenComparingInt(plan -> plan.plan().devices()));
        return new PlanAnswer.Infeasible<>(
                plans.subList(0, Math.min(LISTED, plans.size())),
                plans.isEmpty() ? List.of() : remedies(plans),
                List.of());
    }

    private List<Remedy> remedies(List<DeploymentPlan> plans) {
        List<Remedy> remedies = new ArrayList<>();
        for (Slo.Objective one : slo.objectives()) {
            plans.stream()
                    .filter(plan -> plan.missed().equals(List.of(one)))
                    .mapToDouble(plan -> walk.kept(one, plan.figures()))
                    .min()
                    .ifPresent(least -> remedies.add(change(one, least)));
        }
        DeploymentPlan closest = plans.getFirst();
        if (remedies.isEmpty() && !closest.missed().isEmpty()) {
            List<Remedy> all = closest.missed().stream()
                    .map(one -> change(one, walk.kept(one, closest.figures())))
                    .toList();
            remedies.add(all.size() == 1 ? all.getFirst() : new Remedy.Together(all));
        }
        lighter().ifPresent(load -> remedies.add(new Remedy.Change(key(load), load, asked.load())));
        for (int count = 2 * pool.count(); count <= Math.min(8 * pool.count(), MOST_DEVICES); count *= 2) {
            if (search.isFeasible(asked, slo, pool.withCount(count), software)) {
                remedies.add(new Remedy.MoreDevices(count, pool.count()));
                break;
            }
        }
        return remedies;
    }

    private static Remedy change(Slo.Objective one, double seconds) {
        return new Remedy.Change(one.metric().label(), Slo.Objective.of(one.metric(), one.statistic(), seconds), one);
    }

    private static String key(ServingLoad load) {
        return switch (load) {
            case ServingLoad.Users _ -> "users";
            case ServingLoad.Burst _ -> "burst";
            case ServingLoad.Rate _ -> "requestsPerSecond";
            case ServingLoad.Replay _ -> "trace";
        };
    }

    /// Returns the largest part of the load that is kept.
    private Optional<ServingLoad> lighter() {
        IntFunction<ServingLoad> part = switch (asked.load()) {
            case ServingLoad.Users(int users) ->
                parts -> new ServingLoad.Users((int) Math.max(1, (long) users * parts / PARTS));
            case ServingLoad.Burst(int requests) ->
                parts -> new ServingLoad.Burst((int) Math.max(1, (long) requests * parts / PARTS));
            case ServingLoad.Rate(double perSecond) -> parts -> new ServingLoad.Rate(perSecond * parts / PARTS);
            case ServingLoad.Replay(RequestTrace trace) ->
                parts -> new ServingLoad.Replay(trace.faster((double) parts / PARTS));
        };
        int most = LargestFit.largest(
                0, PARTS - 1, parts -> search.isFeasible(asked.withLoad(part.apply(parts)), slo, pool, software));
        return most == 0 || asked.load() instanceof ServingLoad.Replay
                ? Optional.empty()
                : Optional.of(part.apply(most));
    }
}
