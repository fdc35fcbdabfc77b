// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search.training;

import dev.muster.plan.answer.Remedy;
import dev.muster.plan.cost.TrainingRun.Offload;
import dev.muster.plan.time.ModelShape;
import dev.muster.plan.training.OffloadStore;
import dev.muster.plan.training.TrainingCluster;
import dev.muster.plan.training.TrainingFramework;
import dev.muster.plan.training.TrainingMemoryUse;
import dev.muster.plan.training.TrainingMethod;
import dev.muster.plan.training.TrainingRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Remedies if no plan fits: states on the host, shorter sequences, more devices, or a smaller method.
record NearestTraining(
        TrainingSearch search, TrainingRequest request, TrainingCluster cluster, TrainingFramework software) {
    private static final int MOST_DEVICES = 1 << 17;

    List<Remedy> remedies() {
        List<Remedy> remedies = new ArrayList<>();
        offload(remedies);
        for (int tokens = Integer.highestOneBit(request.sequence() - 1); tokens > 0; tokens /= 2) {
            if (search.fits(request.withSequence(tokens), cluster, software)) {
                remedies.add(new Remedy.Change("sequenceTokens", tokens, request.sequence()));
                break;
            }
        }
        devices(remedies);
        for (String method : List.of("lora", "qlora")) {
            TrainingMethod other = TrainingMethod.parse(method);
            if (!other.equals(request.method()) && search.fits(request.withMethod(other), cluster, software)) {
                remedies.add(new Remedy.Change("method", other, request.method()));
                break;
            }
        }
        return remedies;
    }

    private void offload(List<Remedy> remedies) {
        ModelShape shape = ModelShape.of(request.architecture()).orElseThrow();
        for (OffloadStore store : List.of(cluster.store(), cluster.store().onDrives())) {
            boolean isOther = !store.place().equals(cluster.store().place());
            for (Offload offload : Offload.values()) {
                if (offload != Offload.NONE && (isOther || offload.compareTo(request.offload()) > 0)) {
                    TrainingFramework able = able(shape.experts() > 0, offload);
                    Optional<TrainingMemoryUse> least = search.least(
                                    request.withOffload(offload), cluster.withStore(store), able)
                            .filter(TrainingMemoryUse::fits);
                    if (least.isPresent()) {
                        remedies.add(new Remedy.OffloadedStates(
                                offload, store.place(), able, least.get().hosted()));
                        return;
                    }
                }
            }
        }
    }

    /// Returns the framework itself if it can, else the usual one that can.
    private TrainingFramework able(boolean hasExperts, Offload offload) {
        return software.canOffload(request.method(), offload)
                ? software
                : TrainingFramework.usual(cluster.pool().device().family(), request.method(), hasExperts, offload)
                        .orElse(software);
    }

    private void devices(List<Remedy> remedies) {
        for (int count = 2 * cluster.devices(); count <= MOST_DEVICES; count *= 2) {
            if (search.fits(request, cluster.withDevices(count), software)) {
                remedies.add(new Remedy.MoreDevices(count, cluster.devices()));
                return;
            }
        }
    }
}
