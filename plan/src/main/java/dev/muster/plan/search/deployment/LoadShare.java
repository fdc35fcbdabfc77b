// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search.deployment;

import dev.muster.plan.serving.LatencyTargets.ServiceLevel;
import dev.muster.plan.serving.ServingLoad;
import dev.muster.plan.serving.SimulationRequest;
import dev.muster.plan.simulate.Loads;
import dev.muster.plan.simulate.Workload;
import java.util.HashMap;
import java.util.Map;

/// The load of each of several units that take turns, and the load of all. Computes each once; confined to one
/// thread.
final class LoadShare {
    private static final int OF_RATE = 1000;
    private static final int MOST_OF_RATE = 100_000;

    private final SimulationRequest asked;
    private final Map<Integer, Workload> shares = new HashMap<>();

    LoadShare(SimulationRequest asked, ServiceLevel level) {
        this.asked = asked.withTargets(level.targets());
    }

    SimulationRequest asked() {
        return asked;
    }

    Workload of(int units) {
        return shares.computeIfAbsent(units, count -> Loads.of(asked.share(count)));
    }

    /// Returns the load of all units together: of a rate as many requests for each as the share of one has.
    Workload whole(int units) {
        boolean isUsualRate = asked.load() instanceof ServingLoad.Rate && asked.requests() == 0;
        return Loads.of(isUsualRate ? asked.withRequests((int) Math.min((long) OF_RATE * units, MOST_OF_RATE)) : asked);
    }
}
