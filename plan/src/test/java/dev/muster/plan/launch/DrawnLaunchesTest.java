// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import static dev.muster.testing.plan.PlanHosts.hosts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.ModelDimension;
import dev.muster.model.ModelSummary;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.model.memory.WeightFormat;
import dev.muster.plan.Planner;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.serving.ServingChoices;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.training.TrainingFramework;
import dev.muster.plan.training.TrainingMethod;
import dev.muster.plan.training.TrainingPlan;
import dev.muster.plan.training.TrainingPrecision;
import dev.muster.plan.training.TrainingRequest;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// A thousand drawn plans, as launches: models, devices, numbers, engines, formats and targets. All emitted text
/// satisfies the assertions of its engine, by [EngineAssertions].
class DrawnLaunchesTest {
    private static final int SERVING = 800;
    private static final int TRAINING = 200;
    private static final List<String> HOSTS = List.of(
            "v100-sxm2-32:4",
            "t4:4",
            "rtx-3090:2",
            "a100-sxm4-80:8",
            "a10g:4",
            "l4:8",
            "l40s:7",
            "rtx-4090:3",
            "h100-sxm:8",
            "2x[h100-sxm:8 nvswitch ib:8x400]",
            "h200-sxm:6",
            "3x[h200-sxm:4 ib:4x400]",
            "b200-sxm:8",
            "2x[b200-sxm:5 ib:1x100]",
            "rtx-5090:5",
            "mi300x:8",
            "p40:2");
    private static final List<String> FORMATS =
            List.of("bf16", "fp16", "fp8", "fp8-block", "awq-int4", "gptq-int4", "nf4", "nvfp4", "mxfp4", "int8");
    private static final List<ServingEngine> ENGINES =
            List.of(ServingEngine.VLLM, ServingEngine.SGLANG, ServingEngine.TENSORRT_LLM, ServingEngine.LLAMA_CPP);
    private static final List<LaunchTarget> AROUND =
            List.of(LaunchTarget.SLURM, LaunchTarget.MPIRUN, LaunchTarget.KUBERNETES);

    private final Random random = new Random(18);
    private final Map<LaunchTarget, Integer> emitted = new EnumMap<>(LaunchTarget.class);

    @Test
    void noDrawnServerBreaksARuleOfItsEngine() {
        int plans = 0;
        while (plans < SERVING) {
            ServingEngine engine = any(ENGINES);
            boolean isLlama = engine == ServingEngine.LLAMA_CPP;
            ServingRequest request = ServingRequest.of(model())
                    .withFormat(WeightFormat.parse(isLlama ? any(List.of("q4_k_m", "q8_0", "f16")) : any(FORMATS)))
                    .withConcurrency(random.nextInt(1, 200))
                    .withGoal(any(List.of(ServingGoal.LATENCY, ServingGoal.THROUGHPUT, ServingGoal.DEVICES)));
            ServingChoices choices = ServingChoices.USUAL.withEngine(engine);
            PlanAnswer<ServingPlan> answer = Planner.of(hosts(any(HOSTS)))
                    .serve(request, random.nextBoolean() ? choices : choices.withFormats(List.of(request.format())))
                    .answer();
            if (!answer.isFeasible()) {
                continue;
            }
            List<ServingPlan> considered = answer.considered();
            for (ServingPlan plan : List.of(considered.getFirst(), any(considered))) {
                plans++;
                List<LaunchTarget> targets =
                        List.of(LaunchTarget.find(engine.label()).orElseThrow(), any(AROUND), LaunchTarget.SGLANG);
                targets.forEach(target -> check(plan, target));
            }
        }
        assertThat(emitted.keySet())
                .contains(
                        LaunchTarget.VLLM,
                        LaunchTarget.SGLANG,
                        LaunchTarget.TENSORRT_LLM,
                        LaunchTarget.LLAMA_CPP,
                        LaunchTarget.SLURM,
                        LaunchTarget.MPIRUN,
                        LaunchTarget.KUBERNETES);
    }

    private void check(ServingPlan plan, LaunchTarget target) {
        if (!(Launcher.emit(plan, target) instanceof LaunchAnswer.Emitted(List<Artifact> artifacts))) {
            return;
        }
        emitted.merge(target, 1, Integer::sum);
        String text = artifacts.getFirst().text();
        String engine = target.findEngine().orElse(plan.software()).label();
        EngineAssertions asserted = new EngineAssertions(
                engine,
                text,
                plan.request().architecture(),
                plan.request().format().label(),
                plan.pool().device().computeCapability().find().orElse(Double.NaN));
        asserted.assertKnown();
        asserted.assertTogether();
        asserted.assertListens(AROUND.contains(target));
        Map<String, String> options = asserted.options();
        switch (engine) {
            case "vllm" -> checkVllm(asserted, options);
            case "sglang" -> checkSglang(asserted, options);
            case "tensorrt-llm" -> checkTensorRt(asserted, options, artifacts, plan);
            case "llama.cpp" -> checkLlama(asserted, target);
            default -> throw new AssertionError(engine);
        }
        if (target == LaunchTarget.KUBERNETES && text.contains("image: \"")) {
            assertThat(text).containsPattern("image: \"[^\"]*" + asserted.release());
        }
    }

    private static void checkVllm(EngineAssertions asserted, Map<String, String> options) {
        long tensor = number(options, "--tensor-parallel-size");
        boolean isExpert = options.containsKey("--enable-expert-parallel");
        asserted.assertDivides(tensor, tensor, isExpert);
        asserted.assertCache(options.getOrDefault("--kv-cache-dtype", "").equals("fp8"));
        long data = number(options, "--data-parallel-size");
        long hosts = number(options, "--nnodes");
        long world = data * tensor * number(options, "--pipeline-parallel-size");
        assertThat(world % hosts).as(asserted.text()).isZero();
        assertThat(data % hosts == 0 || hosts % data == 0).as(asserted.text()).isTrue();
    }

    private static void checkSglang(EngineAssertions asserted, Map<String, String> options) {
        long devices = number(options, "--tp-size");
        boolean isDataParallel = options.containsKey("--enable-dp-attention");
        long groups = isDataParallel ? number(options, "--dp-size") : 1;
        boolean isExpert = number(options, "--ep-size") > 1;
        assertThat(devices % groups).isZero();
        asserted.assertAttention(isDataParallel);
        asserted.assertDivides(devices / groups, isExpert ? devices / groups : devices, isExpert);
    }

    private static void checkTensorRt(
            EngineAssertions asserted, Map<String, String> options, List<Artifact> artifacts, ServingPlan plan) {
        boolean isDataParallel = artifacts.stream().anyMatch(file -> file.text().contains("enable_attention_dp: true"));
        long devices = number(options, "--tp_size");
        asserted.assertAttention(isDataParallel);
        asserted.assertDivides(
                isDataParallel ? 1 : devices, isDataParallel ? 1 : devices, number(options, "--ep_size") > 1);
        long perRank = Math.ceilDiv(
                Math.ceilDiv(plan.request().concurrency(), plan.replicas()), isDataParallel ? (int) devices : 1);
        assertThat(number(options, "--max_batch_size")).isEqualTo(perRank);
    }

    private static void checkLlama(EngineAssertions asserted, LaunchTarget target) {
        if (target == LaunchTarget.KUBERNETES) {
            String program = asserted.rows("default").stream()
                    .filter(row -> EngineAssertions.names(row, "program"))
                    .findFirst()
                    .orElseThrow()
                    .require("value");
            assertThat(asserted.text()).contains(program + " \\").contains("name: MODEL_FILE");
        }
    }

    @Test
    void noDrawnTrainingBreaksARuleOfMegatron() {
        int plans = 0;
        while (plans < TRAINING) {
            TrainingRequest request = TrainingRequest.of(
                            model(), TrainingMethod.parse(any(List.of("full", "full", "lora"))))
                    .withSequence(any(List.of(512, 1000, 2048, 4096, 4098, 8192)))
                    .withBatch(any(List.of(1, 7, 16, 48, 64)))
                    .withPrecision(any(List.of(TrainingPrecision.values())));
            Optional<TrainingFramework> framework =
                    random.nextInt(3) > 0 ? Optional.of(TrainingFramework.MEGATRON) : Optional.empty();
            PlanAnswer<TrainingPlan> answer = Planner.of(hosts(any(HOSTS)))
                    .withHosts(any(List.of(1, 1, 2, 4)))
                    .train(request, framework, false);
            if (!answer.isFeasible()) {
                continue;
            }
            plans++;
            TrainingPlan plan = answer.considered().getFirst();
            for (LaunchTarget target : List.of(
                    LaunchTarget.MEGATRON_LM,
                    LaunchTarget.DEEPSPEED,
                    LaunchTarget.ACCELERATE,
                    LaunchTarget.SLURM,
                    LaunchTarget.KUBERNETES)) {
                check(plan, target);
            }
        }
        assertThat(emitted.keySet())
                .contains(
                        LaunchTarget.MEGATRON_LM,
                        LaunchTarget.DEEPSPEED,
                        LaunchTarget.ACCELERATE,
                        LaunchTarget.KUBERNETES);
    }

    private void check(TrainingPlan plan, LaunchTarget target) {
        if (!(Launcher.emit(plan, target) instanceof LaunchAnswer.Emitted(List<Artifact> artifacts))) {
            return;
        }
        emitted.merge(target, 1, Integer::sum);
        String text = artifacts.getFirst().text();
        double capability =
                plan.cluster().pool().device().computeCapability().find().orElse(Double.NaN);
        TrainingPrecision precision = plan.request().precision();
        for (String program : List.of("deepspeed", "accelerate")) {
            if (target.label().equals(program)) {
                EngineAssertions asserted =
                        new EngineAssertions(program, text, plan.request().architecture(), "", capability);
                assertThat(asserted.rowsOfAnyRelease("no-precision"))
                        .isNotEmpty()
                        .noneMatch(row -> EngineAssertions.names(row, precision.label()));
            }
        }
        if (target == LaunchTarget.DEEPSPEED) {
            assertThat(artifacts.get(1).text()).contains(capability < 8 ? "fp16" : "bf16");
        }
        if (target == LaunchTarget.ACCELERATE) {
            assertThat(text.contains("--fp8_backend te")).isEqualTo(precision == TrainingPrecision.FP8);
        }
        if (target == LaunchTarget.KUBERNETES) {
            assertThat(text).containsPattern("kind: Job(Set)?\n").doesNotContain("LeaderWorkerSet");
        }
        if (text.contains(" pretrain_")) {
            checkMegatron(plan, text, capability);
        }
    }

    private static void checkMegatron(TrainingPlan plan, String text, double capability) {
        EngineAssertions asserted =
                new EngineAssertions("megatron", text, plan.request().architecture(), "", capability);
        Map<String, String> options = asserted.options();
        long tensor = number(options, "--tensor-model-parallel-size");
        long context = number(options, "--context-parallel-size");
        long expert = number(options, "--expert-model-parallel-size");
        long sequence = number(options, "--seq-length");
        asserted.assertDivides(tensor, tensor, expert > 1);
        assertThat(sequence % (tensor * context)).as(text).isZero();
        assertThat(context == 1 || sequence % (2 * context) == 0).as(text).isTrue();
        long experts = asserted.dimension(ModelDimension.EXPERTS);
        assertThat(experts % expert).as(text).isZero();
        asserted.assertTogether();
        if (!asserted.architecture().hasLatentAttention()) {
            assertThat(number(options, "--kv-channels"))
                    .isEqualTo(asserted.architecture()
                            .find(ModelDimension.HEAD_SIZE)
                            .orElse(1));
        }
        boolean isHybrid = asserted.architecture().layerPattern().isKnown();
        assertThat(text.contains("pretrain_hybrid.py")).isEqualTo(isHybrid);
        assertThat(options.containsKey("--fp16")).isEqualTo(capability < 8);
    }

    private ModelSummary model() {
        List<String> ids = ModelCatalogue.builtIn().ids();
        return ModelCatalogue.builtIn().find(any(ids)).orElseThrow().toSummary();
    }

    private static long number(Map<String, String> options, String name) {
        return Long.parseLong(options.getOrDefault(name, "1"));
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
