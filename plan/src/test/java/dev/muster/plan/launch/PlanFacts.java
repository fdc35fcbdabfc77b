// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import dev.muster.plan.engine.EngineRules;
import dev.muster.plan.serving.ServingPlan;

/// Launch facts of a plan, for tests of other packages.
public final class PlanFacts {
    private PlanFacts() {}

    /// Returns the share of memory that an engine is told to take of each device.
    public static String memoryFraction(ServingPlan plan) {
        return facts(plan).find(LaunchFact.MEMORY_FRACTION).orElseThrow();
    }

    static LaunchFacts facts(ServingPlan plan) {
        EngineRules rules = EngineRules.of(
                plan.software(),
                plan.request().architecture(),
                plan.request().format(),
                plan.pool().device());
        return ServingFacts.of(plan, plan.software(), rules);
    }

    /// Returns the share that SGLang is told to take for weights and KV cache.
    public static String staticFraction(ServingPlan plan) {
        return facts(plan).find(LaunchFact.STATIC_FRACTION).orElseThrow();
    }
}
