// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.ModelArchitecture;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.model.memory.WeightFormat;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.Parallelism;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.time.ModelShape;
import dev.muster.plan.training.TrainingFramework;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The assertions of engines, and the release that a plan is for.
class EngineRulesTest {
    @ParameterizedTest
    @CsvSource({
        "vllm, qwen2.5-7b, bf16, 7, TP divides the KV heads or is a multiple of them; and there are 4",
        "vllm, llama-4-scout, bf16, 5, TP divides the KV heads or is a multiple of them; and there are 8",
        "vllm, mixtral-8x22b, bf16, 6, TP divides the KV heads or is a multiple of them; and there are 8",
        "sglang, qwen3-14b, bf16, 5, TP divides the KV heads or is a multiple of them; and there are 8",
        "vllm, glm-4.5-air, bf16, 6, TP divides the KV heads or is a multiple of them; and there are 8",
        "tensorrt-llm, mixtral-8x22b, bf16, 6, TP divides the KV heads or is a multiple of them; and there are 8",
        "vllm, qwen2.5-7b, bf16, 3, TP divides the query heads; and there are 28",
        "sglang, qwen2.5-7b, bf16, 3, TP divides the query heads; and there are 28",
        "tensorrt-llm, qwen2.5-7b, bf16, 3, TP divides the query heads; and there are 28",
        "vllm, opt-66b, bf16, 9, TP divides the vocabulary of 50272; filled up to a multiple of 64",
        "vllm, baichuan2-13b, bf16, 5, TP divides the inner widths 13696",
        "vllm, qwen3-235b-a22b, fp8-block, 8, TP leaves each device whole blocks of 128 of the inner widths 1536 in"
                + " fp8-block",
        "sglang, qwen3-235b-a22b, fp8-block, 8, TP leaves each device whole blocks of 128 of the inner widths 1536 in"
                + " fp8-block",
        "vllm, llama-2-7b, awq-int4, 4, TP leaves each device whole groups of 128 of the inner widths 11008 in"
                + " awq-int4"
    })
    void namesTheRuleThatALayoutBreaks(String engine, String model, String format, int tensor, String sentence) {
        EngineRules rules = rules(engine, model, format, "h100-sxm");
        assertThat(rules.findBroken(shape(model), new Parallelism(tensor, 1, 1, 1))
                        .orElseThrow()
                        .sentence())
                .isEqualTo(sentence.replace(';', ','));
    }

    @Test
    void expertParallelKeepsExpertsWhole() {
        EngineRules rules = rules("vllm", "qwen3-235b-a22b", "fp8-block", "h100-sxm");
        assertThat(rules.findBroken(shape("qwen3-235b-a22b"), new Parallelism(8, 1, 8, 1)))
                .isEmpty();
    }

    @Test
    void mixtralHasNoDataParallelAttentionInSglang() {
        Parallelism layout = new Parallelism(1, 1, 8, 8);
        assertThat(rules("sglang", "mixtral-8x7b", "bf16", "h100-sxm").findBroken(shape("mixtral-8x7b"), layout))
                .isPresent();
        assertThat(rules("sglang", "qwen3-30b-a3b", "bf16", "h100-sxm").findBroken(shape("qwen3-30b-a3b"), layout))
                .isEmpty();
        assertThat(rules("vllm", "mixtral-8x7b", "bf16", "h100-sxm").findBroken(shape("mixtral-8x7b"), layout))
                .isEmpty();
    }

    /// The chosen release, or the reason why there is none.
    @ParameterizedTest
    @CsvSource({
        "vllm, llama-3.1-8b, bf16, h100-sxm, 0.27.1,",
        "vllm, llama-3.1-8b, fp16, v100-sxm2-32, 0.11.0,",
        "vllm, llama-3.1-8b, bf16, v100-sxm2-32, 0.27.1, it needs compute capability 7.5 or more",
        "vllm, llama-3.1-8b, fp8, v100-sxm2-32, 0.27.1, it needs compute capability 7.5 or more",
        "vllm, llama-3.1-8b, bf16, t4, 0.27.1, bf16 needs compute capability 8.0 or more",
        "vllm, llama-3.1-8b, fp8, t4, 0.27.1,",
        "sglang, llama-3.1-8b, fp8, t4, 0.5.18, fp8 needs compute capability 8.0 or more",
        "sglang, llama-3.1-8b, fp16, v100-sxm2-32, 0.5.18, it needs compute capability 7.5 or more",
        "vllm, qwen3.5-27b, fp16, v100-sxm2-32, 0.27.1, it needs compute capability 7.5 or more",
        "vllm, qwen3.5-27b, bf16, h100-sxm, 0.27.1,",
        "vllm, glm-5, bf16, h200-sxm, 0.27.1,",
        "vllm, minimax-m2.5, bf16, h200-sxm, 0.27.1,",
        "tensorrt-llm, llama-3.1-8b, bf16, h100-sxm, 1.2.1,",
        "tensorrt-llm, glm-5, fp8, b200-sxm, 1.3.0rc29,",
        "tensorrt-llm, llama-3.1-8b, nf4, h100-sxm, 1.2.1, it reads no weights in nf4",
        "tensorrt-llm, llama-3.1-8b, fp8, a100-sxm4-80, 1.2.1, fp8 needs compute capability 8.9 or more",
        "tensorrt-llm, llama-3.1-8b, awq-int4, b200-sxm, 1.2.1, awq-int4 needs compute capability 8.0-9.0",
        "tensorrt-llm, llama-3.1-8b, fp16, t4, 1.2.1, it needs compute capability 8.0 or more",
        "llama.cpp, qwen3.5-27b, q4_k_m, p40, b10586,",
        "optimum-habana, llama-3.1-8b, bf16, gaudi3, '',"
    })
    void takesTheReleaseThatRunsModelAndDevice(
            String engine, String model, String format, String device, String release, String refusal) {
        EngineRules rules = rules(engine, model, format, device);
        assertThat(rules.release()).isEqualTo(release);
        assertThat(rules.findRefusal().map(EngineRules.Broken::sentence).orElse(""))
                .startsWith(refusal == null ? "" : refusal);
        assertThat(rules.findRefusal().isPresent()).isEqualTo(refusal != null);
    }

    @ParameterizedTest
    @CsvSource({
        "vllm, llama-3.1-8b, fp8, 2",
        "vllm, gpt-oss-20b, mxfp4, 2",
        "sglang, llama-3.3-70b, nvfp4, 2",
        "vllm, deepseek-v4-flash, mxfp4, 1",
        "sglang, deepseek-v4-flash, mxfp4, 1"
    })
    void theCacheHasSixteenBitsUnlessTheEngineHasNoOthersForTheFamily(
            String engine, String model, String format, int bytes) {
        ServingRequest request = request(model).withFormat(WeightFormat.parse(format));
        EngineRules rules = rules(engine, model, format, "h200-sxm");
        assertThat(rules.kvBytes(request)).isEqualTo(bytes);
        assertThat(rules.kvBytes(request.withKvBits(8))).isEqualTo(1);
        assertThat(rules.kvBytes(request.withKvBits(16))).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({
        "vllm, a100-sxm4-80, true",
        "vllm, rtx-3090, true",
        "vllm, l40s, false",
        "vllm, h100-sxm, false",
        "vllm, mi300x, false",
        "tensorrt-llm, h100-sxm, false"
    })
    void aRequestedCacheOfEightBitsIsRefusedWhereDevicesHaveNone(String engine, String device, boolean isRefused) {
        ServingRequest request = request("llama-3.1-8b");
        EngineRules rules = rules(engine, "llama-3.1-8b", "bf16", device);
        assertThat(rules.findRefusal(request)).isEmpty();
        assertThat(rules.findRefusal(request.withKvBits(8)).isPresent()).isEqualTo(isRefused);
    }

    private static ServingRequest request(String model) {
        return ServingRequest.of(
                ModelCatalogue.builtIn().find(model).orElseThrow().toSummary());
    }

    @Test
    void megatronOfBeforeWantsWholeKvHeads() {
        List<EngineRule> rules = EngineRule.listAll("megatron");
        assertThat(EngineRule.of(rules, "0.14.0")).anyMatch(rule -> rule.kind() == RuleKind.KV_HEADS_WHOLE);
        EngineRules newest = EngineRules.of(TrainingFramework.MEGATRON, model("qwen2.5-7b"), device("h100-sxm"));
        assertThat(newest.release()).isEqualTo("0.19.0");
        assertThat(newest.findBroken(shape("qwen2.5-7b"), new Parallelism(7, 1, 1, 1), 4096, 1))
                .isPresent();
        assertThat(newest.findBroken(shape("qwen2.5-7b"), new Parallelism(4, 1, 1, 1), 4096, 1))
                .isEmpty();
        assertThat(newest.findBroken(shape("qwen2.5-7b"), new Parallelism(4, 1, 1, 1), 4098, 1))
                .map(EngineRules.Broken::sentence)
                .hasValue("TP divides the part of a sequence that each CP rank has");
        assertThat(newest.findBroken(shape("qwen2.5-7b"), new Parallelism(1, 1, 1, 1), 4098, 2))
                .map(EngineRules.Broken::sentence)
                .hasValue("a sequence has 2 pieces of one length for each CP rank");
        assertThat(newest.findBroken(shape("qwen3-30b-a3b"), new Parallelism(1, 1, 3, 1), 4096, 1))
                .map(EngineRules.Broken::sentence)
                .hasValue("EP divides the experts, and there are 128");
    }

    @ParameterizedTest
    @CsvSource({"0.11.0, 0.17.0, -1", "0.27.1, 0.17.0, 1", "b6327, b10586, -1", "1.3.0rc29, 1.3.0, 1", "0.5, 0.5.0, 0"})
    void comparesReleases(String one, String other, int order) {
        assertThat(Integer.signum(EngineRule.compareReleases(one, other))).isEqualTo(order);
    }

    /// Every row can be read, says where it comes from, and holds of something: a range, a number, or names.
    @Test
    void everyRuleHasItsSource() {
        List<EngineRule> all = new ArrayList<>();
        Stream.of("vllm", "sglang", "tensorrt-llm", "llama.cpp", "megatron", "deepspeed", "accelerate")
                .forEach(engine -> all.addAll(EngineRule.listAll(engine)));
        assertThat(all).hasSizeGreaterThan(150);
        assertThat(Arrays.asList(RuleKind.values()))
                .allSatisfy(kind -> assertThat(all).anyMatch(rule -> rule.kind() == kind));
        for (EngineRule rule : all) {
            assertThat(rule.source()).matches("[\\w./-]+(:\\d+(-\\d+)?)?(, \\w+,)?( at [0-9a-f]{12})?");
            switch (rule.kind()) {
                case DEVICE, WEIGHTS, KV_CACHE -> assertThat(rule.value()).matches("\\d+\\.\\d(\\+|-\\d+\\.\\d)");
                case VOCABULARY, BLOCK, GROUP, SEQUENCE ->
                    assertThat(rule.number()).isPositive();
                case MODEL, UNREAD, ATTENTION_DP, LOADS_FIRST, NOT_FP16, NARROW_CACHE, MADE ->
                    assertThat(rule.on()).isNotBlank();
                case WITH, WITHOUT, DEFAULT -> {
                    assertThat(rule.on()).isNotBlank();
                    assertThat(rule.value()).isNotBlank();
                }
                case NO_PRECISION -> assertThat(rule.on()).isNotBlank();
                case HEADS, KV_HEADS, KV_HEADS_WHOLE, WIDTH, EXPERTS, SEQUENCE_TP, ATTENTION_DP_STAGES ->
                    assertThat(rule.value()).isEmpty();
            }
        }
    }

    private static EngineRules rules(String engine, String model, String format, String device) {
        return EngineRules.of(
                ServingEngine.find(engine).orElseThrow(), model(model), WeightFormat.parse(format), device(device));
    }

    private static DeviceFigures device(String id) {
        return DeviceFigures.of(DeviceCatalogue.builtIn().find(id).orElseThrow());
    }

    private static ModelArchitecture model(String id) {
        return ModelCatalogue.builtIn().find(id).orElseThrow().architecture();
    }

    private static ModelShape shape(String model) {
        return ModelShape.of(model(model)).orElseThrow();
    }
}
