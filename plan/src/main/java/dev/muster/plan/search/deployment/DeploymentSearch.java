// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search.deployment;

import dev.muster.core.Reading;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.answer.Shortfall.Cause;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.cost.Rental;
import dev.muster.plan.search.Attempt;
import dev.muster.plan.search.RentalOffers;
import dev.muster.plan.search.ServingSearch;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.serving.ServingSimulation.DeploymentPlan;
import dev.muster.plan.serving.SimulationRequest;
import dev.muster.plan.serving.Slo;
import dev.muster.plan.time.Coefficients;
import java.util.List;
import java.util.Optional;

/// Finds the deployment on devices of one kind that keeps objectives under a load and is best for a goal. Bounds of the
/// cost model leave out what cannot keep them, the simulation decides on the rest: exact over [DeploymentSpace].
/// Immutable and safe to share between threads.
public record DeploymentSearch(Coefficients coefficients, RentalOffers rentals) {
    /// Returns a search that predicts with these coefficients and counts with these prices.
    public static DeploymentSearch of(Coefficients coefficients, RentalOffers rentals) {
        return new DeploymentSearch(coefficients, rentals);
    }

    /// Returns the best deployment and its alternatives; unknown if the architecture, the format or a price is.
    /// Without a plan to consider if no layout fits at all.
    ///
    /// @param asked the load, with the goal and the limits of its request
    /// @throws IllegalArgumentException if an option of the engine is not known, or the goal is none under load
    public Attempt<PlanAnswer<DeploymentPlan>> find(
            SimulationRequest asked, Slo slo, DevicePool pool, ServingEngine software) {
        return open(asked, slo, pool, software).map(DeploymentWalk::answer);
    }

    /// Returns the best deployment; empty if none keeps the objectives.
    public Attempt<Optional<DeploymentPlan>> findBest(
            SimulationRequest asked, Slo slo, DevicePool pool, ServingEngine software) {
        return open(asked, slo, pool, software).map(DeploymentWalk::findBest);
    }

    /// Returns the Pareto front of deployments by tokens per second of each user and of each device, the most
    /// interactive first: those with the engine's own token budget and limit of sequences, whether they keep the
    /// objectives or not.
    public Attempt<List<DeploymentPlan>> front(
            SimulationRequest asked, Slo slo, DevicePool pool, ServingEngine software) {
        return open(asked, slo, pool, software).map(DeploymentWalk::front);
    }

    private Attempt<DeploymentWalk> open(SimulationRequest asked, Slo slo, DevicePool pool, ServingEngine software) {
        ServingRequest request = SimulatedLoad.typical(asked);
        SimulationRequest typical = asked.withServing(request);
        ServingSearch search = ServingSearch.of(coefficients, rentals);
        boolean counts = request.goal() == ServingGoal.COST || request.hasBudget();
        Reading<Rental> price = rentals.cheapest(pool, 1);
        if (counts && !price.isKnown()) {
            return Attempt.failed(Cause.UNKNOWN_FACT, price);
        }
        return DeploymentSpace.of(search, typical, pool, software)
                .map(units -> new DeploymentWalk(this, typical, slo, pool, software, units));
    }

    /// Reports whether anything keeps the objectives.
    boolean isFeasible(SimulationRequest asked, Slo slo, DevicePool pool, ServingEngine software) {
        return findBest(asked, slo, pool, software).find().flatMap(best -> best).isPresent();
    }
}
