package dev.muster.plan.launch;

import dev.muster.plan.serving.ServingPlan;

/// What launches know of a plan, for tests of other packages.
public final class PlanFacts {
    private PlanFacts() {}

    /// The share of memory that an engine is told to take of each device.
    public static String memoryFraction(ServingPlan plan) {
        return ServingFacts.of(plan).find(LaunchFact.MEMORY_FRACTION).orElseThrow();
    }

    /// The share that SGLang is told to take for weights and KV cache.
    public static String staticFraction(ServingPlan plan) {
        return ServingFacts.of(plan).find(LaunchFact.STATIC_FRACTION).orElseThrow();
    }
}
