package dev.muster.plan.launch;

import dev.muster.plan.search.ServingPlan;

/// What launches know of a plan, for tests of other packages.
public final class PlanFacts {
    private PlanFacts() {}

    /// The facts of a plan to serve a model.
    public static LaunchFacts of(ServingPlan plan) {
        return ServingFacts.of(plan);
    }
}
