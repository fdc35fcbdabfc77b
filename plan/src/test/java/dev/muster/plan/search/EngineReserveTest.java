// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.launch.PlanFacts;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.time.CoefficientTable;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// No plan fills a device to the brim, and what starts it says the same.
class EngineReserveTest {
    private static final ServingSearch SEARCH = ServingSearch.of(CoefficientTable.builtIn());
    private static final ServingRequest REQUEST =
            ServingTerms.request("llama-3.1-8b", "bf16", 8, ServingGoal.THROUGHPUT);
    private static final DevicePool POOL = ServingTerms.pool("h100-sxm", 1);

    @ParameterizedTest
    @EnumSource(names = {"VLLM", "SGLANG", "TENSORRT_LLM"})
    void leavesSomethingOnEachDevice(ServingEngine software) {
        for (ServingPlan plan : plans(software)) {
            assertThat(plan.memory().capacity()).isLessThan(POOL.device().memory());
        }
    }

    @Test
    void commandsSayWhatThePlanAssumed() {
        ServingPlan plan = plans(ServingEngine.SGLANG).getFirst();
        assertThat(PlanFacts.memoryFraction(plan)).isEqualTo("0.90");
        double share = Double.parseDouble(PlanFacts.staticFraction(plan));
        double planned = (plan.memory().capacity() - plan.memory().workspace())
                / POOL.device().memory();
        assertThat(share).isCloseTo(planned, within(0.01)).isLessThanOrEqualTo(planned);
    }

    private static List<ServingPlan> plans(ServingEngine software) {
        return SEARCH.find(REQUEST, POOL, software).find().orElseThrow().considered();
    }
}
