// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.cost.Fabric;
import dev.muster.plan.time.CoefficientTable;
import dev.muster.plan.time.TrainingShape;
import dev.muster.plan.training.TrainingCluster;
import dev.muster.plan.training.TrainingExplanation;
import dev.muster.plan.training.TrainingFramework;
import dev.muster.plan.training.TrainingMethod;
import dev.muster.plan.training.TrainingPlan;
import dev.muster.plan.training.TrainingPrecision;
import dev.muster.plan.training.TrainingRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrainingWorkTest {
    private static final TrainingSearch SEARCH = TrainingSearch.of(CoefficientTable.builtIn());

    @ParameterizedTest
    @CsvSource({
        "llama-3.1-8b, full, bf16, h100-sxm, 8, MEGATRON",
        "llama-3.1-70b, full, fp8, h100-sxm, 64, MEGATRON",
        "qwen3-30b-a3b, full, bf16, b200-sxm, 16, MEGATRON",
        "llama-3.1-8b, lora, bf16, h200-sxm, 2, PYTORCH",
        "llama-3.1-8b, qlora-4bit, bf16, l40s, 1, PYTORCH",
        "llama-3.1-8b, dpo, bf16, h200-sxm, 8, TORCHTITAN"
    })
    void theStepReachesWhatThePlanSaysAndNothingLiesAboveItsRoof(
            String model, String method, String precision, String device, int count, TrainingFramework software) {
        TrainingRequest request = request(model, method, precision);
        TrainingPlan plan = plan(request, device, count, software);
        TrainingExplanation work = TrainingWork.explain(plan, CoefficientTable.builtIn());
        double half = plan.cluster().pool().device().half();

        assertThat(work.wholeStep().rate() / half).isCloseTo(plan.utilization(), within(1e-9));
        assertThat(work.wholeStep().rate()).isLessThan(work.products().rate());
        assertThat(work.roofline().share(work.products())).isBetween(0.0, 1.0);
        assertThat(work.roofline().share(work.wholeStep())).isBetween(0.0, 1.0);
    }

    @Test
    void productsAreSixOperationsForEachNumberThatATokenPasses() {
        TrainingRequest request = request("llama-3.1-8b", "full", "bf16");
        TrainingShape shape = TrainingShape.of(request.architecture()).orElseThrow();
        double operations = TrainingWork.explain(
                        plan(request, "h100-sxm", 8, TrainingFramework.MEGATRON), CoefficientTable.builtIn())
                .products()
                .operations();
        assertThat(operations).isCloseTo(6 * (shape.denseElements() + shape.headElements()), within(1.0));
    }

    @Test
    void fewerBitsGoByFasterUnits() {
        TrainingRequest half = request("llama-3.1-8b", "full", "bf16");
        TrainingRequest eight = request("llama-3.1-8b", "full", "fp8");
        assertThat(TrainingWork.explain(
                                plan(half, "h100-sxm", 8, TrainingFramework.MEGATRON), CoefficientTable.builtIn())
                        .roofline()
                        .used()
                        .numbers())
                .isEqualTo("16-bit");
        assertThat(TrainingWork.explain(
                                plan(eight, "h100-sxm", 8, TrainingFramework.MEGATRON), CoefficientTable.builtIn())
                        .roofline()
                        .used()
                        .numbers())
                .isEqualTo("8-bit");
    }

    private static TrainingRequest request(String model, String method, String precision) {
        return TrainingRequest.of(
                        ModelCatalogue.builtIn().find(model).orElseThrow().toSummary(), TrainingMethod.parse(method))
                .withPrecision(TrainingPrecision.find(precision).orElseThrow())
                .withBatch(64);
    }

    private static TrainingPlan plan(TrainingRequest request, String id, int count, TrainingFramework software) {
        DeviceFigures device =
                DeviceFigures.of(DeviceCatalogue.builtIn().find(id).orElseThrow());
        TrainingCluster cluster = new TrainingCluster(DevicePool.of(device, id, count), 8, Fabric.of(device, 8, 50e9));
        return SEARCH.find(request, cluster, software)
                .find()
                .orElseThrow()
                .considered()
                .getFirst();
    }
}
