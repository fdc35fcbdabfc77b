// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search.deployment;

import dev.muster.plan.search.LayoutModel;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.simulate.SchedulerPolicy;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A unit of a deployment: a replica under some options of its engine, or a few for prefill with a few for decode.
/// Confined to one thread.
final class DeploymentUnit {
    final LayoutModel model;
    final ReplicaModel replica;
    final DeploymentFloor floor;
    /// The request with the bits of its KV cache.
    final ServingRequest request;
    /// The policy of all ranks of a replica together.
    final SchedulerPolicy policy;
    final int prefill;
    final int decode;
    /// The number of units that fit.
    final int room;
    /// Options that are not the engine's defaults, by its own names.
    final Map<String, String> options;
    /// The number of changed defaults: options, bits of the KV cache, disaggregation.
    final int changes;
    /// The unit with as many sequences as the engine lets run by default; empty for that one itself.
    final Optional<DeploymentUnit> unlimited;

    /// The largest number of running sequences of a replica, by the number of units.
    private final Map<Integer, Integer> mostRunning = new HashMap<>();

    private final Set<Integer> missing = new HashSet<>();

    DeploymentUnit(
            Laid laid,
            SchedulerPolicy policy,
            int prefill,
            int decode,
            Map<String, String> options,
            int changes,
            Optional<DeploymentUnit> unlimited) {
        this.model = laid.model;
        this.replica = laid.replica;
        this.floor = laid.floor;
        this.request = laid.request;
        this.policy = policy;
        this.prefill = prefill;
        this.decode = decode;
        this.room = laid.room / (prefill + decode);
        this.options = options;
        this.changes = changes;
        this.unlimited = unlimited;
    }

    /// A layout with one width of KV cache.
    record Laid(LayoutModel model, ReplicaModel replica, DeploymentFloor floor, ServingRequest request, int room) {}

    int replicas() {
        return prefill + decode;
    }

    int devices() {
        return replicas() * model.layout().devices();
    }

    void ran(int count, int sequences) {
        mostRunning.put(count, sequences);
    }

    /// Notes that a number of units misses the objectives.
    void miss(int count) {
        mostRunning.remove(count);
        missing.add(count);
    }

    boolean misses(int count) {
        return missing.contains(count);
    }

    /// Reports whether its limit of sequences has no effect: that many never ran without it. A run that was broken
    /// off says so too, since up to there both are the same.
    boolean isRepetition(int count) {
        return unlimited
                .map(usual -> usual.mostRunning.getOrDefault(count, Integer.MAX_VALUE) <= policy.maxSequences())
                .orElse(false);
    }
}
