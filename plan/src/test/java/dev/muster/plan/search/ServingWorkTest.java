// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.muster.model.memory.StandardFormat;
import dev.muster.model.memory.WeightFormat;
import dev.muster.model.tensor.StoredWeights;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.cost.Parallelism;
import dev.muster.plan.cost.Roofline;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingExplanation;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.time.CoefficientTable;
import dev.muster.plan.time.WeightParts;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServingWorkTest {
    private static final ServingSearch SEARCH = ServingSearch.of(CoefficientTable.builtIn());

    /// One token passes all weights, and looks at keys and values that take little beside them.
    @Test
    void oneSequenceDoesTwoOperationsForEachNumberOfTheWeights() {
        ServingRequest request = request("llama-3.1-8b", "bf16", 1);
        Roofline.RooflinePoint decode =
                work(request, "h100-sxm", 1, new Parallelism(1, 1, 1, 1)).decode();
        WeightParts weights = WeightParts.of(StoredWeights.of(request.architecture(), StandardFormat.BF16)
                .find()
                .orElseThrow());
        double numbers = weights.denseElements();
        // 32 layers, 32 heads of 128 for keys and for values, 3968 tokens on average.
        double attention = 2.0 * 32 * 3968 * 32 * 256;
        // 8 heads are kept, in 16 bits.
        double cache = 2.0 * 32 * 3968 * 8 * 256;
        assertThat(decode.operations()).isCloseTo(2 * numbers + attention, within(1e-6 * numbers));
        assertThat(decode.bytes()).isCloseTo(2 * numbers + cache, within(1e-3 * numbers));
        assertThat(decode.intensity()).isBetween(1.0, 1.3);
    }

    @Test
    void devicesThatShareMatricesDoTheirShareEach() {
        ServingRequest request = request("llama-3.1-70b", "fp8", 8);
        Roofline.RooflinePoint one =
                work(request, "h200-sxm", 1, new Parallelism(1, 1, 1, 1)).decode();
        Roofline.RooflinePoint eight =
                work(request, "h200-sxm", 8, new Parallelism(8, 1, 1, 1)).decode();
        assertThat(eight.operations()).isCloseTo(one.operations() / 8, within(1e-6 * one.operations()));
        assertThat(eight.intensity()).isCloseTo(one.intensity(), within(1e-6 * one.intensity()));
    }

    @Test
    void moreSequencesMakeMoreOfEachByte() {
        Parallelism layout = new Parallelism(1, 1, 1, 1);
        double few = work(request("llama-3.1-8b", "bf16", 4), "h200-sxm", 1, layout)
                .decode()
                .intensity();
        double many = work(request("llama-3.1-8b", "bf16", 64), "h200-sxm", 1, layout)
                .decode()
                .intensity();
        assertThat(many).isGreaterThan(2 * few);
    }

    @Test
    void aPromptIsLimitedByArithmeticAndADecodeStepByMemory() {
        ServingRequest request = request("llama-3.1-8b", "bf16", 1);
        ServingExplanation work = work(request, "h100-sxm", 1, new Parallelism(1, 1, 1, 1));
        assertThat(work.roofline().isMemoryBound(work.decode())).isTrue();
        assertThat(work.roofline().isMemoryBound(work.prefill())).isFalse();
        assertThat(work.prefill().operations() / work.decode().operations()).isBetween(3000.0, 4200.0);
    }

    @Test
    void productsGoByTheUnitsOfTheFormat() {
        Parallelism layout = new Parallelism(8, 1, 1, 1);
        assertThat(numbers("bf16", "b200-sxm", layout)).isEqualTo("16-bit");
        assertThat(numbers("fp8", "b200-sxm", layout)).isEqualTo("8-bit");
        assertThat(numbers("nvfp4", "b200-sxm", layout)).isEqualTo("4-bit");
        assertThat(numbers("nvfp4", "h100-sxm", layout)).isEqualTo("16-bit");
    }

    /// Predictions are never faster than the data sheet: else operations, bytes or times
    /// contradict each other.
    @ParameterizedTest
    @CsvSource({
        "llama-3.1-70b, fp8, h100-sxm, VLLM",
        "qwen3-30b-a3b, bf16, h200-sxm, VLLM",
        "deepseek-v3, fp8, b200-sxm, VLLM",
        "gemma-2-9b, bf16, l40s, VLLM",
        "mixtral-8x7b, bf16, a100-sxm4-80, TENSORRT_LLM",
        "qwen3-32b, q4_k_m, rtx-4090, LLAMA_CPP"
    })
    void noPlanLiesAboveItsRoof(String model, String format, String device, ServingEngine software) {
        for (int concurrency : List.of(1, 16, 256)) {
            ServingRequest request = request(model, format, concurrency);
            for (ServingPlan plan : SEARCH.listAll(request, pool(device, 8), software, false)
                    .find()
                    .orElseThrow()) {
                ServingExplanation work = ServingWork.explain(plan, ServingTerms.COEFFICIENTS);
                Roofline roofline = work.roofline();
                assertThat(roofline.share(work.decode()))
                        .as("decode of " + plan)
                        .isBetween(0.0, 1.0);
                assertThat(roofline.share(work.prefill()))
                        .as("prompt of " + plan)
                        .isBetween(0.0, 1.0);
            }
        }
    }

    private static String numbers(String format, String device, Parallelism layout) {
        return work(request("llama-3.1-8b", format, 1), device, 8, layout)
                .roofline()
                .used()
                .numbers();
    }

    private static ServingExplanation work(ServingRequest request, String device, int count, Parallelism layout) {
        return SEARCH.listAll(request, pool(device, count), ServingEngine.VLLM, false).find().orElseThrow().stream()
                .filter(plan -> plan.layout().equals(layout))
                .findFirst()
                .map(plan -> ServingWork.explain(plan, ServingTerms.COEFFICIENTS))
                .orElseThrow();
    }

    private static ServingRequest request(String model, String format, int concurrency) {
        return ServingRequest.of(ServingTerms.model(model))
                .withFormat(WeightFormat.parse(format))
                .withConcurrency(concurrency)
                .withGoal(ServingGoal.THROUGHPUT);
    }

    private static DevicePool pool(String id, int count) {
        DeviceFigures device =
                DeviceFigures.of(DeviceCatalogue.builtIn().find(id).orElseThrow());
        return DevicePool.of(device, id, count);
    }
}
