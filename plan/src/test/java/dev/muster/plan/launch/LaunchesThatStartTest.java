// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import static dev.muster.testing.plan.PlanHosts.hosts;
import static dev.muster.testing.plan.PlanHosts.model;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.memory.WeightFormat;
import dev.muster.plan.Planner;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.answer.PlanNote;
import dev.muster.plan.answer.PlanNote.Topic;
import dev.muster.plan.answer.Shortfall;
import dev.muster.plan.answer.Shortfall.Cause;
import dev.muster.plan.serving.ServingChoices;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.training.TrainingFramework;
import dev.muster.plan.training.TrainingMethod;
import dev.muster.plan.training.TrainingPlan;
import dev.muster.plan.training.TrainingRequest;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Launches that once ended at an assertion of their engine, or did something else than the plan.
class LaunchesThatStartTest {
    private static final String TWO_HOSTS = "2x[h200-sxm:8 nvswitch ib:8x400]";

    @Test
    void groupsThatAttendApartStartOnAllHosts() {
        ServingPlan plan = serve(TWO_HOSTS, ServingEngine.VLLM, "deepseek-v3", "fp8-block").considered().stream()
                .filter(one -> one.layout().attentionDp() == 16)
                .findFirst()
                .orElseThrow();
        assertThat(text(plan, LaunchTarget.VLLM))
                .contains("--data-parallel-size 16", "--nnodes 2", "--node-rank \"$NODE_RANK\"")
                .contains("--master-addr \"$HEAD_ADDRESS\"", "--distributed-executor-backend mp")
                .doesNotContain("ray ");
    }

    @ParameterizedTest
    @CsvSource({"h100-sxm, true", "a100-sxm4-80, true", "mi300x, true", "b200-sxm, false"})
    void megatronHasOneConnectionWithTensorParallelismBeforeBlackwell(String device, boolean isSet) {
        TrainingPlan plan = train("8x[" + device + ":8 ib:8x400]", "llama-3.1-70b").considered().stream()
                .filter(one -> one.run().tp() > 1)
                .findFirst()
                .orElseThrow();
        assertThat(text(plan, LaunchTarget.MEGATRON_LM).contains("\nenv CUDA_DEVICE_MAX_CONNECTIONS=1 torchrun"))
                .isEqualTo(isSet);
    }

    @Test
    void megatronWithSharedWeightsWritesTheirFormatAndHasManyConnections() {
        LaunchFacts facts = TrainingFacts.of(best(train("[h100-sxm:8]", "llama-3.1-8b")))
                .with(LaunchFact.ZERO_STAGE, 3)
                .with(LaunchFact.TENSOR, 2);
        assertThat(text(Launcher.emit(LaunchTarget.MEGATRON_LM, facts)))
                .contains("--use-megatron-fsdp", "--ckpt-format fsdp_dtensor")
                .doesNotContain("CUDA_DEVICE_MAX_CONNECTIONS");
    }

    @Test
    void megatronIsToldAllPartsOfAKnownArchitecture() {
        assertThat(text(best(train("16x[h100-sxm:8 ib:8x400]", "qwen3-235b-a22b")), LaunchTarget.MEGATRON_LM))
                .contains("--kv-channels 128", "--swiglu", "--normalization RMSNorm", "--qk-layernorm")
                .contains("--rotary-base 1000000", "--untie-embeddings-and-output-weights", "--disable-bias-linear")
                .contains("--group-query-attention", "--num-query-groups 4", "--moe-ffn-hidden-size 1536");
        assertThat(text(best(train("[h100-sxm:8]", "qwen2.5-0.5b")), LaunchTarget.MEGATRON_LM))
                .contains("--add-qkv-bias")
                .doesNotContain("--untie-embeddings-and-output-weights", "--qk-layernorm");
        assertThat(text(best(train("64x[h200-sxm:8 ib:8x400]", "deepseek-v3")), LaunchTarget.MEGATRON_LM))
                .contains("--multi-latent-attention", "--kv-lora-rank 512", "--q-lora-rank 1536", "--v-head-dim 128")
                .contains("--moe-layer-freq '([0]*3+[1]*58)'", "--moe-router-score-function sigmoid")
                .doesNotContain("--kv-channels");
    }

    /// Facts that Megatron needs of an unknown family are left to the user, and named.
    @Test
    void partsOfAnUnknownFamilyAreAskedFor() {
        assertThat(text(best(train("[h100-sxm:8]", "gemma-2-2b")), LaunchTarget.MEGATRON_LM))
                .contains("# Also append the options of the model: --swiglu, --normalization")
                .doesNotContain("\n    --swiglu");
    }

    @Test
    void aHybridOfMambaGoesToItsOwnScriptWithItsPattern() {
        assertThat(text(best(train("2x[h100-sxm:8 ib:8x400]", "nemotron-3-nano-30b-a3b")), LaunchTarget.MEGATRON_LM))
                .contains("pretrain_hybrid.py", "--hybrid-layer-pattern 'MEMEM*EMEMEM*")
                .contains("--mamba-num-heads 64", "--mamba-state-dim 128", "--position-embedding-type none")
                .doesNotContain("pretrain_gpt.py");
    }

    @Test
    void aStageOfAHybridEndsAtABar() {
        TrainingPlan plan = train("8x[h100-sxm:8 ib:8x400]", "nemotron-3-nano-30b-a3b").considered().stream()
                .filter(one -> one.run().pp() > 1)
                .findFirst()
                .orElseThrow();
        String pattern = text(plan, LaunchTarget.MEGATRON_LM)
                .split("--hybrid-layer-pattern '", 2)[1]
                .split("'", 2)[0];
        assertThat(pattern.chars().filter(letter -> letter == '|').count() + 1)
                .isEqualTo((long) (plan.run().pp() * Math.max(1, plan.run().virtualStages())));
        assertThat(pattern.replace("|", "")).hasSize(52);
    }

    @Test
    void aHybridOfOtherStatesIsRefused() {
        assertThat(Launcher.emit(best(train("4x[h100-sxm:8 ib:8x400]", "qwen3.5-27b")), LaunchTarget.MEGATRON_LM))
                .isEqualTo(new LaunchAnswer.Refused(Shortfall.of(
                        Cause.TARGET_LIMIT,
                        "Megatron-LM supports only Mamba-2 hybrids, and 48 layers of this model have another kind of"
                                + " state")));
    }

    @ParameterizedTest
    @CsvSource({
        "deepspeed, fp8",
        "deepspeed, mxfp8",
        "deepspeed, nvfp4",
        "accelerate, mxfp8",
        "accelerate, nvfp4",
        "megatron-lm, nvfp4"
    })
    void aPrecisionThatATargetHasNoSettingForIsRefused(String target, String precision) {
        LaunchFacts facts =
                TrainingFacts.of(best(train("[b200-sxm:8]", "llama-3.1-8b"))).with(LaunchFact.PRECISION, precision);
        assertThat(Launcher.emit(LaunchTarget.find(target).orElseThrow(), facts))
                .isInstanceOfSatisfying(
                        LaunchAnswer.Refused.class,
                        refused -> assertThat(refused.reason().values())
                                .singleElement()
                                .asString()
                                .contains("<precision>"));
    }

    @Test
    void devicesWithoutBf16TrainInFp16() {
        TrainingPlan plan = best(train("[v100-sxm2-32:8]", "llama-3.2-1b"));
        assertThat(train("[v100-sxm2-32:8]", "llama-3.2-1b").notes())
                .contains(PlanNote.of(Topic.FP16_TRAINING, "V100 SXM2 32GB"));
        assertThat(text(plan, LaunchTarget.MEGATRON_LM)).contains("--fp16").doesNotContain("--bf16");
    }

    @ParameterizedTest
    @CsvSource({
        "vllm, qwen3.5-27b, vllm/vllm-openai:v0.27.1",
        "vllm, glm-5, vllm/vllm-openai:v0.27.1",
        "vllm, minimax-m2.5, vllm/vllm-openai:v0.27.1",
        "sglang, minimax-m2.5, lmsysorg/sglang:v0.5.18",
        "tensorrt-llm, llama-3.1-8b, nvcr.io/nvidia/tensorrt-llm/release:1.2.1",
        "tensorrt-llm, minimax-m2.5, nvcr.io/nvidia/tensorrt-llm/release:1.3.0rc29"
    })
    void theImageIsOfAReleaseThatKnowsTheModel(String engine, String name, String image) {
        ServingPlan plan = best(serve("b200-sxm:8", engine(engine), name, "fp8"));
        assertThat(text(plan, LaunchTarget.KUBERNETES)).contains("image: \"" + image + "\"");
    }

    @ParameterizedTest
    @EnumSource(
            value = LaunchTarget.class,
            names = {"SLURM", "MPIRUN", "KUBERNETES"})
    void whatASchedulerStartsIsReachedFromOtherHosts(LaunchTarget target) {
        for (String engine : List.of("sglang", "tensorrt-llm", "llama.cpp")) {
            String format = engine.equals("llama.cpp") ? "q4_k_m" : "bf16";
            assertThat(text(best(serve("h100-sxm:2", engine(engine), "llama-3.1-8b", format)), target))
                    .contains("--host 0.0.0.0");
        }
    }

    @Test
    void llamaCppOnKubernetesHasItsProgramAndItsModel() {
        assertThat(text(
                        best(serve("h100-sxm:1", engine("llama.cpp"), "llama-3.1-8b", "q4_k_m")),
                        LaunchTarget.KUBERNETES))
                .contains(
                        "/app/llama-server \\",
                        "- name: MODEL_FILE",
                        "image: \"ghcr.io/ggml-org/llama.cpp:server-cuda-b10586\"");
    }

    @Test
    void mixtralIsNotHandedToSglangWithDataParallelAttention() {
        ServingPlan plan = serve("h100-sxm:8", ServingEngine.VLLM, "mixtral-8x7b", "bf16").considered().stream()
                .filter(one -> one.layout().attentionDp() > 1)
                .findFirst()
                .orElseThrow();
        assertThat(text(plan, LaunchTarget.VLLM)).contains("--data-parallel-size");
        assertThat(Launcher.emit(plan, LaunchTarget.SGLANG))
                .isInstanceOfSatisfying(
                        LaunchAnswer.Refused.class,
                        refused -> assertThat(refused.reason().values().subList(0, 3))
                                .satisfies(values -> {
                                    assertThat(values.get(0)).isEqualTo("SGLang");
                                    assertThat(values.get(1)).isEqualTo("0.5.18");
                                    assertThat(values.get(2).toString()).startsWith("attention is not data parallel");
                                }));
        assertThat(serve("h100-sxm:8", ServingEngine.SGLANG, "mixtral-8x7b", "bf16")
                        .considered())
                .noneMatch(one -> one.layout().attentionDp() > 1);
    }

    @Test
    void tensorRtCountsSequencesOfEachRankThatAttends() {
        ServingPlan plan =
                serve("h200-sxm:8", ServingEngine.TENSORRT_LLM, "qwen3-235b-a22b", "bf16").considered().stream()
                        .filter(one -> one.layout().attentionDp() == 8)
                        .findFirst()
                        .orElseThrow();
        assertThat(text(plan, LaunchTarget.TENSORRT_LLM)).contains("--max_batch_size 8 ");
    }

    /// vLLM makes fp8 layer by layer; SGLang loads the original weights first, 66 GiB a card that has 44.
    @Test
    void weightsThatAreMadeWhileLoadingHaveRoomOrAreNamed() {
        assertThat(text(best(serve("l40s:2", ServingEngine.VLLM, "llama-3.1-70b", "fp8")), LaunchTarget.VLLM))
                .contains("vllm serve meta-llama/Llama-3.1-70B", "--quantization fp8");
        assertThat(text(best(serve("l40s:2", ServingEngine.SGLANG, "llama-3.1-70b", "fp8")), LaunchTarget.SGLANG))
                .contains("fp8 would take 65.7 GiB of each device first")
                .contains(": \"${MODEL:?set it to a checkpoint of the model in fp8}\"")
                .contains("--model-path \"$MODEL\"")
                .doesNotContain("\n    --quantization");
        assertThat(text(best(serve("h100-sxm:8", ServingEngine.SGLANG, "llama-3.1-70b", "fp8")), LaunchTarget.SGLANG))
                .contains("--model-path meta-llama/Llama-3.1-70B", "\n    --quantization fp8");
    }

    @Test
    void gptOssRunsOnHopperInTheBackEndOfTriton() {
        ServingPlan plan = best(serve("h200-sxm:8", ServingEngine.TENSORRT_LLM, "gpt-oss-120b", "mxfp4"));
        List<Artifact> files = ((LaunchAnswer.Emitted) Launcher.emit(plan, LaunchTarget.TENSORRT_LLM)).artifacts();
        assertThat(files.get(0).text()).contains("--extra_llm_api_options trtllm.yaml");
        assertThat(files.get(1).text()).contains("moe_config:\n  backend: TRITON", "enable_chunked_prefill: true");
        ServingPlan newer = best(serve("b200-sxm:8", ServingEngine.TENSORRT_LLM, "gpt-oss-120b", "mxfp4"));
        assertThat(Launcher.emit(newer, LaunchTarget.TENSORRT_LLM).toString()).doesNotContain("TRITON");
        assertThat(serve("h200-sxm:8", ServingEngine.TENSORRT_LLM, "deepseek-v4-flash", "mxfp4"))
                .isInstanceOf(PlanAnswer.Unanswered.class);
    }

    @Test
    void eachHostOfAnMpiJobStartsItsOwnServers() {
        ServingPlan plan =
                serve("2x[h100-sxm:8 ib:8x400]", ServingEngine.TENSORRT_LLM, "llama-3.1-8b", "bf16")
                        .considered()
                        .stream()
                        .filter(one -> one.layout().devices() * one.replicas() > 8)
                        .findFirst()
                        .orElseThrow();
        assertThat(text(plan, LaunchTarget.MPIRUN)).contains("mpirun \\\n    -n 2 \\\n", "--map-by ppr:1:node");
    }

    @ParameterizedTest
    @CsvSource({"1, 'kind: Job\n'", "2, 'kind: JobSet\n'"})
    void trainingOnKubernetesEndsWhenItIsDone(int hosts, String kind) {
        TrainingPlan plan = best(train(hosts + "x[h100-sxm:8 ib:8x400]", "llama-3.1-8b"));
        assertThat(text(plan, LaunchTarget.KUBERNETES))
                .contains(kind, "restartPolicy: Never")
                .doesNotContain("LeaderWorkerSet");
    }

    @Test
    void anUnknownNetworkIsNoBetterThanAStatedOne() {
        double unknown =
                best(train("2x[h100-sxm:8]", "llama-3.1-70b")).tokensPerSecond().p50();
        double stated = best(train("2x[h100-sxm:8 ib:1x400]", "llama-3.1-70b"))
                .tokensPerSecond()
                .p50();
        assertThat(unknown).isLessThan(stated);
        assertThat(train("2x[h100-sxm:8]", "llama-3.1-70b").notes()).anyMatch(note -> note.topic() == Topic.NETWORK);
    }

    static LaunchTarget target(String label) {
        return LaunchTarget.find(label).orElseThrow();
    }

    static ServingEngine engine(String label) {
        return ServingEngine.find(label).orElseThrow();
    }

    static PlanAnswer<ServingPlan> serve(String machine, ServingEngine engine, String name, String format) {
        ServingRequest request = ServingRequest.of(model(name))
                .withFormat(WeightFormat.parse(format))
                .withConcurrency(64)
                .withGoal(ServingGoal.THROUGHPUT);
        return Planner.of(hosts(machine))
                .serve(request, ServingChoices.USUAL.withEngine(engine).withFormats(List.of(request.format())))
                .answer();
    }

    private static PlanAnswer<TrainingPlan> train(String machine, String name) {
        return Planner.of(hosts(machine))
                .train(
                        TrainingRequest.of(model(name), TrainingMethod.parse("full"))
                                .withBatch(256),
                        Optional.of(TrainingFramework.MEGATRON),
                        false);
    }

    static <P> P best(PlanAnswer<P> answer) {
        return answer.findFirst().orElseThrow();
    }

    static String text(ServingPlan plan, LaunchTarget target) {
        return text(Launcher.emit(plan, target));
    }

    private static String text(TrainingPlan plan, LaunchTarget target) {
        return text(Launcher.emit(plan, target));
    }

    private static String text(LaunchAnswer answer) {
        assertThat(answer).isInstanceOf(LaunchAnswer.Emitted.class);
        return ((LaunchAnswer.Emitted) answer).artifacts().getFirst().text();
    }
}
