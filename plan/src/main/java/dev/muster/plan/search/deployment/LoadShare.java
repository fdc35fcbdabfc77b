// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search.deployment;

import dev.muster.plan.serving.ServingLoad;
import dev.muster.plan.serving.SimulationRequest;
import dev.muster.plan.serving.Slo;
import dev.muster.plan.simulate.Deployment;
import dev.muster.plan.simulate.Loads;
import dev.muster.plan.simulate.SimulatedRun;
import dev.muster.plan.simulate.Workload;
import java.util.HashMap;
import java.util.Map;

/// The load of each of several units that take turns, and the load of all. Computes each once; confined to one
/// thread.
final class LoadShare {
    private static final int OF_RATE = 1000;
    private static final int MOST_OF_RATE = 100_000;

    private final SimulationRequest asked;
    private final Map<Part, Workload> shares = new HashMap<>();

    /// A steady load has as many requests as its quantiles need, however many are asked for: of two loads that differ
    /// in nothing else, one must not keep by chance what the other misses by chance.
    LoadShare(SimulationRequest asked, Slo slo) {
        this.asked = (asked.isSteady() ? asked.withRequests(0) : asked).withTargets(slo);
    }

    private record Part(int units, int times) {}

    SimulationRequest asked() {
        return asked;
    }

    Workload of(int units) {
        return of(new Part(units, 1));
    }

    private Workload of(Part part) {
        return shares.computeIfAbsent(part, one -> Loads.of(asked.share(one.units), one.times, turns(one.units)));
    }

    private int turns(int units) {
        return asked.fleet().router() == SimulationRequest.Router.ROUND_ROBIN ? units : 1;
    }

    /// Simulates the load of one of several units.
    SimulatedRun run(int units, Deployment deployment, Slo slo) {
        return Loads.run(times -> of(new Part(units, times)), deployment, slo);
    }

    /// Simulates the load of all units together: of a rate with as many requests for each as the share of one has.
    SimulatedRun runWhole(int units, Deployment deployment, Slo slo) {
        boolean isUsualRate = asked.load() instanceof ServingLoad.Rate && asked.requests() == 0 && !asked.isSteady();
        SimulationRequest whole =
                isUsualRate ? asked.withRequests((int) Math.min((long) OF_RATE * units, MOST_OF_RATE)) : asked;
        return Loads.run(times -> Loads.of(whole, times, 1), deployment, slo);
    }
}
