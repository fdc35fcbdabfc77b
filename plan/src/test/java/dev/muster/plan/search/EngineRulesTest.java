package dev.muster.plan.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.plan.answer.DevicePool;
import dev.muster.plan.catalogue.ModelCatalogue;
import dev.muster.plan.cost.StepLayout;
import dev.muster.plan.memory.StandardFormat;
import dev.muster.plan.memory.WeightFormat;
import dev.muster.plan.model.ModelSummary;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.serving.ServingSoftware;
import dev.muster.plan.time.ModelShape;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Engines refuse layouts; plans keep to their rules.
class EngineRulesTest {
    private static final List<String> DEVICES = List.of("l4", "l40s", "a100-sxm4-80", "h100-sxm", "h200-sxm", "b200");

    @ParameterizedTest
    @CsvSource({
        "vllm, qwen2.5-7b, bf16, 7, KV_HEADS",
        "vllm, llama-4-scout, bf16, 5, KV_HEADS",
        "vllm, mixtral-8x22b, bf16, 6, KV_HEADS",
        "sglang, qwen3-14b, bf16, 5, KV_HEADS",
        "vllm, glm-4.5-air, bf16, 6, KV_HEADS",
        "vllm, qwen2.5-7b, bf16, 3, HEADS",
        "vllm, qwen3-235b-a22b, fp8-block, 8, BLOCK",
        "sglang, qwen3-235b-a22b, fp8-block, 8, BLOCK"
    })
    void namesTheRuleThatALayoutBreaks(String engine, String model, String format, int tensor, EngineRules.Kind kind) {
        assertThat(broken(engine, model, format, new StepLayout(tensor, 1, 1, 1)))
                .isEqualTo(kind);
    }

    @Test
    void expertParallelKeepsExpertsWhole() {
        assertThat(EngineRules.findBroken(
                        ServingSoftware.VLLM,
                        shape("qwen3-235b-a22b"),
                        StandardFormat.FP8_BLOCK,
                        new StepLayout(8, 1, 8, 1)))
                .isEmpty();
    }

    /// Every model of the catalogue, on drawn devices in drawn numbers: no plan that is listed breaks a rule, by
    /// arithmetic of its own.
    @Test
    void noDrawnPlanIsRefusedByItsEngine() {
        Random random = new Random(18);
        int drawn = 0;
        while (drawn < 1000) {
            List<String> ids = ModelCatalogue.builtIn().ids();
            String id = ids.get(random.nextInt(ids.size()));
            ServingSoftware engine = random.nextBoolean() ? ServingSoftware.VLLM : ServingSoftware.SGLANG;
            WeightFormat format = WeightFormat.parse(random.nextBoolean() ? "bf16" : "fp8-block");
            DevicePool pool = ServingTerms.pool(DEVICES.get(random.nextInt(DEVICES.size())), 1 + random.nextInt(16));
            ModelSummary model = ModelCatalogue.builtIn().find(id).orElseThrow().toSummary();
            ServingRequest request = ServingRequest.of(model)
                    .withFormat(format)
                    .withGoal(random.nextBoolean() ? ServingGoal.THROUGHPUT : ServingGoal.LATENCY);
            List<ServingPlan> plans = ServingTerms.SEARCH
                    .listAll(request, pool, engine, false)
                    .find()
                    .orElse(List.of());
            ModelShape shape = shape(id);
            for (ServingPlan plan : plans) {
                drawn++;
                int tensor = plan.layout().tensor();
                double kv = shape.kvHeads();
                assertThat(shape.heads() % tensor).as(id).isZero();
                assertThat(Math.min(kv % tensor, tensor % kv)).as(id).isZero();
            }
        }
    }

    private static EngineRules.Kind broken(String engine, String model, String format, StepLayout layout) {
        return EngineRules.findBroken(
                        ServingSoftware.find(engine).orElseThrow(), shape(model), WeightFormat.parse(format), layout)
                .orElseThrow()
                .kind();
    }

    private static ModelShape shape(String model) {
        return ModelShape.of(ModelCatalogue.builtIn().find(model).orElseThrow().architecture())
                .orElseThrow();
    }
}
