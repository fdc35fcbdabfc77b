// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search.deployment;

import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.search.Attempt;
import dev.muster.plan.search.ServingSearch;
import dev.muster.plan.search.deployment.DeploymentUnit.Laid;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.serving.SimulationRequest;
import dev.muster.plan.simulate.Deployment;
import dev.muster.plan.simulate.SchedulerOption;
import dev.muster.plan.simulate.SchedulerPolicy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/// All deployments that a search looks at: every layout that the engine starts, with its usual KV cache and the other
/// one, [#BUDGETS] of its token budget, its limit of sequences and [#SEQUENCES], prefill and decode together or apart
/// in the shares of [#APART], and replicas by [#counts(int)].
final class DeploymentSpace {
    /// Multiples of the engine's own token budget.
    private static final double[] BUDGETS = {0.25, 0.5, 1, 2};
    /// Largest numbers of running sequences, beside the engine's own number.
    private static final int[] SEQUENCES = {16, 64, 256};
    /// Replicas for prefill and for decode.
    private static final int[][] APART = {{1, 1}, {1, 2}, {2, 1}, {1, 3}, {3, 1}};

    private static final int ALL_UP_TO = 16;
    private static final int PER_OCTAVE = 8;

    private final SimulationRequest asked;
    private final ServingRequest request;
    private final ServingEngine software;
    private final SchedulerPolicy usual;
    private final List<DeploymentUnit> units = new ArrayList<>();

    private DeploymentSpace(SimulationRequest asked, DevicePool pool, ServingEngine software) {
        this.asked = asked;
        this.request = asked.serving();
        this.software = software;
        this.usual = SimulatedLoad.policy(asked, software, pool.device());
    }

    /// Returns all units, those with the fewest changes first, of them those with the fewest devices; unknown if the
    /// search for layouts says so.
    static Attempt<List<DeploymentUnit>> of(
            ServingSearch search, SimulationRequest asked, DevicePool pool, ServingEngine software) {
        DeploymentSpace space = new DeploymentSpace(asked, pool, software);
        Deployment.ClientDelay client =
                ReplicaModel.client(software, space.request, pool.device(), search.coefficients());
        return search.listReplicas(space.request, pool, software).map(_ -> {
            search.listReplicas(space.request, pool, software)
                    .find()
                    .orElseThrow()
                    .forEach(laid -> {
                        ReplicaModel replica = ReplicaModel.of(laid.model(), space.request, client);
                        if (replica.kvTokens() > 0 && space.isAsked(laid)) {
                            space.add(
                                    new Laid(laid.model(), replica, space.floor(replica), space.request, laid.room()));
                        }
                    });
            space.units.sort(Comparator.comparingInt((DeploymentUnit unit) -> unit.changes)
                    .thenComparingInt(DeploymentUnit::devices)
                    .thenComparingInt(unit -> unit.model.layout().pp()));
            return space.units;
        });
    }

    private DeploymentFloor floor(ReplicaModel replica) {
        return new DeploymentFloor(replica.times(), asked.speculation(), asked.prefixHit());
    }

    private boolean isAsked(ServingSearch.Replica laid) {
        int tensor = asked.fleet().tp();
        return tensor == 0 || laid.model().layout().tp() == tensor;
    }

    /// Returns the numbers of units to consider: all up to 16, above that eight for each doubling, and as many as
    /// fit.
    static List<Integer> counts(int room) {
        TreeSet<Integer> counts = new TreeSet<>();
        for (int count = 1; count <= room; count += count < ALL_UP_TO ? 1 : Integer.highestOneBit(count) / PER_OCTAVE) {
            counts.add(count);
        }
        if (room > 0) {
            counts.add(room);
        }
        return List.copyOf(counts);
    }

    private void add(Laid laid) {
        int ranks = laid.model().layout().attentionDp();
        for (int budget : budgets()) {
            DeploymentUnit unlimited = add(laid, budget, usual.maxSequences(), Optional.empty());
            for (int sequences : limits(budget)) {
                add(laid, budget, sequences, Optional.of(unlimited));
            }
        }
        if (software.isContinuous()) {
            for (int[] apart : APART) {
                if (apart[0] + apart[1] <= laid.room()) {
                    units.add(new DeploymentUnit(
                            laid, usual.times(ranks), apart[0], apart[1], Map.of(), 1, Optional.empty()));
                }
            }
        }
    }

    private DeploymentUnit add(Laid laid, int budget, int sequences, Optional<DeploymentUnit> unlimited) {
        Map<String, String> options = new LinkedHashMap<>();
        if (budget != usual.tokenBudget()) {
            options.put(name(SchedulerOption.TOKEN_BUDGET), String.valueOf(budget));
        }
        if (sequences != usual.maxSequences()) {
            options.put(name(SchedulerOption.SEQUENCES), String.valueOf(sequences));
        }
        SchedulerPolicy policy = usual.withTokenBudget(budget).withMaxSequences(sequences);
        DeploymentUnit unit = new DeploymentUnit(
                laid, policy.times(laid.model().layout().attentionDp()), 1, 0, options, options.size(), unlimited);
        units.add(unit);
        return unit;
    }

    private String name(SchedulerOption option) {
        return option.findName(software.label()).orElseThrow();
    }

    /// Returns the token budgets, the engine's own first.
    private List<Integer> budgets() {
        List<Integer> budgets = new ArrayList<>(List.of(usual.tokenBudget()));
        if (isFree(SchedulerOption.TOKEN_BUDGET)) {
            for (double times : BUDGETS) {
                int budget = (int) (times * usual.tokenBudget());
                // vLLM does not start with fewer tokens than sequences.
                if (times != 1 && budget >= usual.maxSequences()) {
                    budgets.add(budget);
                }
            }
        }
        return budgets;
    }

    private List<Integer> limits(int budget) {
        List<Integer> limits = new ArrayList<>();
        if (isFree(SchedulerOption.SEQUENCES)) {
            for (int sequences : SEQUENCES) {
                if (sequences < usual.maxSequences() && sequences <= budget) {
                    limits.add(sequences);
                }
            }
        }
        return limits;
    }

    /// Reports whether an option was not given.
    private boolean isFree(SchedulerOption option) {
        return software.isContinuous()
                && option.findName(software.label()).isPresent()
                && asked.options().keySet().stream().noneMatch(option::isNamed);
    }
}
