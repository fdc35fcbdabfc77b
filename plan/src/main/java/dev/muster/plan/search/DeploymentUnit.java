// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.simulate.SchedulerPolicy;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// What a deployment has several of: a replica under some options of its engine, or a few that prefill with a few that
/// decode. Confined to one thread.
final class DeploymentUnit {
    final LayoutModel model;
    final ReplicaModel replica;
    final DeploymentFloor floor;
    /// The request with the bits of its KV cache.
    final ServingRequest request;
    /// That of all ranks of a replica together.
    final SchedulerPolicy policy;
    final int prefill;
    final int decode;
    /// How many find room.
    final int room;
    /// Options that are not the engine's defaults, by its own names.
    final Map<String, String> options;
    /// How many choices are not the usual ones: options, bits of the KV cache, prefill and decode apart.
    final int changes;
    /// The same with as many sequences as the engine lets run by default; empty for that one itself.
    final Optional<DeploymentUnit> unlimited;

    /// The most sequences that ran on a replica, by how many units there were.
    private final Map<Integer, Integer> mostRunning = new HashMap<>();

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

    /// What one unit did says nothing of all of them together.
    void forget(int count) {
        mostRunning.remove(count);
    }

    /// Whether its limit of sequences changes nothing: so many never ran without it. A run that was broken off says so
    /// too, since up to there both are the same.
    boolean isRepetition(int count) {
        return unlimited
                .map(usual -> usual.mostRunning.getOrDefault(count, Integer.MAX_VALUE) <= policy.maxSequences())
                .orElse(false);
    }
}
