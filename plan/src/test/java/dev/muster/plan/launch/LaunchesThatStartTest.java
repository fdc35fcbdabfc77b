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
import dev.muster.plan.serving.LatencyTargets.ServiceLevel;
import dev.muster.plan.serving.ServingChoices;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingLoad;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.serving.ServingSimulation.DeploymentPlan;
import dev.muster.plan.serving.SimulationRequest;
import dev.muster.plan.training.TrainingFramework;
import dev.muster.plan.training.TrainingMethod;
import dev.muster.plan.training.TrainingPlan;
import dev.muster.plan.training.TrainingRequest;
import java.util.List;
import java.util.Map;
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
                .filter(one -> one.layout().attentionReplicas() == 16)
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
                .filter(one -> one.run().tensor() > 1)
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
                .filter(one -> one.run().stages() > 1)
                .findFirst()
                .orElseThrow();
        String pattern = text(plan, LaunchTarget.MEGATRON_LM)
                .split("--hybrid-layer-pattern '", 2)[1]
                .split("'", 2)[0];
        assertThat(pattern.chars().filter(letter -> letter == '|').count() + 1)
                .isEqualTo((long) (plan.run().stages() * Math.max(1, plan.run().virtualStages())));
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
                .filter(one -> one.layout().attentionReplicas() > 1)
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
                .noneMatch(one -> one.layout().attentionReplicas() > 1);
    }

    @Test
    void tensorRtCountsSequencesOfEachRankThatAttends() {
        ServingPlan plan =
                serve("h200-sxm:8", ServingEngine.TENSORRT_LLM, "qwen3-235b-a22b", "bf16").considered().stream()
                        .filter(one -> one.layout().attentionReplicas() == 8)
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

    /// The base repository has other weights, and may not even fit.
    @ParameterizedTest
    @CsvSource({
        "vllm, qwen2.5-72b, awq-int4, vllm serve \"$MODEL\"",
        "vllm, llama-3.1-70b, nvfp4, vllm serve \"$MODEL\"",
        "vllm, qwen2.5-72b, int8, vllm serve \"$MODEL\"",
        "sglang, llama-3.1-70b, fp8-block, --model-path \"$MODEL\"",
        "sglang, qwen2.5-72b, nf4, --model-path \"$MODEL\"",
        "tensorrt-llm, llama-3.1-70b, fp8, trtllm-serve \"$MODEL\"",
        "vllm, deepseek-v3, bf16, vllm serve \"$MODEL\""
    })
    void aFormatThatTheRepositoryLacksIsAskedFor(String engine, String name, String format, String command) {
        String script = text(best(serve("2x[b200-sxm:8 ib:8x400]", engine(engine), name, format)), target(engine));
        assertThat(script)
                .contains(": \"${MODEL:?set it to a checkpoint of the model in " + format + "}\"\n", command)
                .doesNotContain("\n    --quantization");
    }

    @ParameterizedTest
    @CsvSource({
        "vllm, qwen3-32b, awq-int4, Qwen/Qwen3-32B-AWQ",
        "vllm, deepseek-r1, nvfp4, nvidia/DeepSeek-R1-FP4",
        "sglang, qwen3-30b-a3b, fp8-block, Qwen/Qwen3-30B-A3B-FP8",
        "tensorrt-llm, llama-3.3-70b, nvfp4, nvidia/Llama-3.3-70B-Instruct-NVFP4"
    })
    void aRepositoryWithThePlannedFormatIsLaunched(String engine, String name, String format, String repository) {
        assertThat(text(best(serve("b200-sxm:8", engine(engine), name, format)), target(engine)))
                .contains("# " + repository + " is ")
                .containsPattern("(vllm serve|trtllm-serve|--model-path) " + repository + " ")
                .doesNotContain("\n    --quantization", "\n    --dtype", "MODEL:?");
    }

    /// vLLM and SGLang refuse --quantization fp8 for compressed-tensors and mxfp4; --dtype changes the rest.
    @ParameterizedTest
    @CsvSource({
        "deepseek-v3, fp8",
        "deepseek-v3, fp8-block",
        "gpt-oss-120b, mxfp4",
        "kimi-k2-thinking, awq-int4",
        "minimax-m2, fp8"
    })
    void aPublishedFormatIsLeftToTheCheckpoint(String name, String format) {
        for (String engine : List.of("vllm", "sglang")) {
            PlanAnswer<ServingPlan> plans = serve("2x[b200-sxm:8 ib:8x400]", engine(engine), name, format);
            assertThat(text(best(plans), target(engine)))
                    .doesNotContain("\n    --quantization", "\n    --dtype", "MODEL:?");
        }
    }

    @ParameterizedTest
    @CsvSource({"fp8, fp8", "fp8-block, fp8_per_block", "nf4, bitsandbytes"})
    void vllmMakesSomeFormatsWhileItLoads(String format, String option) {
        assertThat(text(best(serve("h100-sxm:8", ServingEngine.VLLM, "llama-3.1-70b", format)), LaunchTarget.VLLM))
                .contains("vllm serve meta-llama/Llama-3.1-70B", "\n    --quantization " + option + " \\\n");
    }

    @Test
    void aServerAdmitsSequencesAsLongAsModelAndMemoryAllowUnlessLimited() {
        ServingRequest request = ServingRequest.of(model("qwen3-8b")).withConcurrency(16);
        ServingPlan large = best(Planner.of(hosts("h100-sxm:1")).serve(request).answer());
        assertThat(text(large, LaunchTarget.VLLM))
                .contains("--max-model-len 40960 \\", "the plan is for 4096 tokens\n");
        ServingPlan small = best(Planner.of(hosts("rtx-4090:1"))
                .serve(request.withConcurrency(1))
                .answer());
        int tokens = Integer.parseInt(
                text(small, LaunchTarget.VLLM).replaceFirst("(?s).*\n    --max-model-len (\\d+).*", "$1"));
        assertThat(tokens).isBetween(4097, 40959).isEqualTo(tokens / 1024 * 1024);
        ServingPlan limited = best(Planner.of(hosts("h100-sxm:1"))
                .serve(request.withContextLimit())
                .answer());
        assertThat(text(limited, LaunchTarget.VLLM)).contains("--max-model-len 4096 \\");
    }

    @Test
    void aContextBeyondTheModelsIsRefused() {
        ServingRequest request = ServingRequest.of(model("qwen3-8b")).withTokens(50_000);
        assertThat(Launcher.emit(
                        best(Planner.of(hosts("h100-sxm:1")).serve(request).answer()), LaunchTarget.VLLM))
                .isEqualTo(new LaunchAnswer.Refused(
                        Shortfall.of(Cause.CONTEXT_TOO_LONG, "qwen3-8b", 40_960L, ServingEngine.VLLM, 50_000)));
    }

    @Test
    void theCacheIsThatOfTheEngineUnlessAnotherIsRequested() {
        ServingRequest request = ServingRequest.of(model("llama-3.1-70b")).withFormat(WeightFormat.parse("fp8"));
        Planner planner = Planner.of(hosts("h100-sxm:8"));
        for (int bits : List.of(0, 8, 16)) {
            ServingPlan plan = best(planner.serve(request.withKvBits(bits)).answer());
            String vllm = text(plan, LaunchTarget.VLLM);
            assertThat(vllm.contains("\n    --kv-cache-dtype fp8")).isEqualTo(bits == 8);
            assertThat(vllm.contains("\n    --kv-cache-dtype bfloat16")).isEqualTo(bits == 16);
            assertThat(text(plan, LaunchTarget.SGLANG).contains("--kv-cache-dtype fp8_e4m3"))
                    .isEqualTo(bits == 8);
        }
        ServingRequest narrow = ServingRequest.of(model("deepseek-v4-flash"));
        assertThat(text(best(Planner.of(hosts("h200-sxm:8")).serve(narrow).answer()), LaunchTarget.VLLM))
                .contains("\n    --kv-cache-dtype fp8");
    }

    @ParameterizedTest
    @CsvSource({
        "vllm, kimi-k2.5, --trust-remote-code, --tool-call-parser kimi_k2, --reasoning-parser kimi_k2",
        "vllm, minimax-m2, --trust-remote-code, --tool-call-parser minimax_m2, --enable-auto-tool-choice",
        "vllm, nemotron-3-nano-30b-a3b, --trust-remote-code, --tool-call-parser qwen3_coder, --reasoning-parser"
                + " nemotron_v3",
        "vllm, deepseek-v4-flash, --trust-remote-code, --tokenizer-mode deepseek_v4, --tool-call-parser deepseek_v4",
        "vllm, qwen3-32b, vllm serve, --tool-call-parser hermes, --reasoning-parser qwen3",
        "sglang, kimi-k2.5, --trust-remote-code, --tool-call-parser kimi_k2, --reasoning-parser kimi_k2",
        "sglang, deepseek-v4-flash, --trust-remote-code, --tool-call-parser deepseekv4, --reasoning-parser deepseek-v4"
    })
    void aFamilyGetsWhatItsDocumentsSet(String engine, String name, String one, String two, String three) {
        ServingRequest request = ServingRequest.of(model(name)).withConcurrency(16);
        ServingPlan plan = best(Planner.of(hosts("2x[b200-sxm:8 ib:8x400]"))
                .serve(request, ServingChoices.USUAL.withEngine(engine(engine)))
                .answer());
        assertThat(text(plan, target(engine))).contains(one, two, three);
    }

    @Test
    void plannedSpeculationIsLaunched() {
        for (String engine : List.of("vllm", "sglang", "tensorrt-llm")) {
            String own = launch(drafting("deepseek-v3", engine), target(engine));
            assertThat(own)
                    .contains(
                            switch (engine) {
                                case "vllm" ->
                                    "--speculative-config.method mtp \\\n    --speculative-config.num_speculative_tokens 3";
                                case "sglang" ->
                                    "--speculative-algorithm EAGLE \\\n    --speculative-num-steps 3 \\\n"
                                            + "    --speculative-eagle-topk 1 \\\n    --speculative-num-draft-tokens 4";
                                default -> "speculative_config:\n  decoding_type: MTP";
                            });
        }
        assertThat(launch(drafting("llama-3.1-70b", "vllm"), LaunchTarget.VLLM))
                .contains(": \"${DRAFT_MODEL:?set it to a draft model", "--speculative-config.model \"$DRAFT_MODEL\"");
        assertThat(Launcher.emit(drafting("llama-3.1-70b", "tensorrt-llm"), LaunchTarget.TENSORRT_LLM))
                .isInstanceOf(LaunchAnswer.Refused.class);
    }

    private static String launch(DeploymentPlan plan, LaunchTarget target) {
        StringBuilder text = new StringBuilder();
        ((LaunchAnswer.Emitted) Launcher.emit(plan, target))
                .artifacts()
                .forEach(artifact -> text.append(artifact.text()));
        return text.toString();
    }

    private static DeploymentPlan drafting(String name, String engine) {
        SimulationRequest asked = SimulationRequest.of(
                ServingRequest.of(model(name)).withTokens(512, 64).withGoal(ServingGoal.THROUGHPUT),
                new ServingLoad.Users(4));
        SimulationRequest request = new SimulationRequest(
                asked.serving(),
                asked.load(),
                8,
                Optional.empty(),
                1,
                0,
                asked.targets(),
                new SimulationRequest.Fleet(8, 1, 0, 50e9, SimulationRequest.Router.LEAST_LOADED),
                0,
                3,
                0.7,
                Map.of(),
                1);
        return best(Planner.of(hosts("b200-sxm:8"))
                .deploy(request, new ServiceLevel(List.of()), ServingChoices.USUAL.withEngine(engine(engine))));
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

    private static LaunchTarget target(String label) {
        return LaunchTarget.find(label).orElseThrow();
    }

    private static ServingEngine engine(String label) {
        return ServingEngine.find(label).orElseThrow();
    }

    private static PlanAnswer<ServingPlan> serve(String machine, ServingEngine engine, String name, String format) {
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

    private static <P> P best(PlanAnswer<P> answer) {
        return answer.findFirst().orElseThrow();
    }

    private static String text(ServingPlan plan, LaunchTarget target) {
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
