package dev.muster.plan.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.muster.plan.cost.CoefficientTable;
import dev.muster.plan.launch.LaunchFact;
import dev.muster.plan.launch.LaunchFacts;
import dev.muster.plan.launch.PlanFacts;
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
    void leavesSomethingOnEachDevice(ServingSoftware software) {
        for (ServingPlan plan : plans(software)) {
            assertThat(plan.memory().capacity()).isLessThan(POOL.device().memory());
        }
    }

    @Test
    void commandsSayWhatThePlanAssumed() {
        ServingPlan plan = plans(ServingSoftware.SGLANG).getFirst();
        LaunchFacts facts = PlanFacts.of(plan);
        assertThat(facts.find(LaunchFact.MEMORY_FRACTION)).contains("0.90");
        double share = Double.parseDouble(facts.find(LaunchFact.STATIC_FRACTION).orElseThrow());
        double planned = (plan.memory().capacity() - plan.memory().workspace())
                / POOL.device().memory();
        assertThat(share).isCloseTo(planned, within(0.01)).isLessThanOrEqualTo(planned);
    }

    private static List<ServingPlan> plans(ServingSoftware software) {
        return SEARCH.find(REQUEST, POOL, software).find().orElseThrow().considered();
    }
}
