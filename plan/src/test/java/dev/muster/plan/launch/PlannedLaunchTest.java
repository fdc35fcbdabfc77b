// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import static dev.muster.plan.launch.LaunchesThatStartTest.best;
import static dev.muster.plan.launch.LaunchesThatStartTest.engine;
import static dev.muster.plan.launch.LaunchesThatStartTest.serve;
import static dev.muster.plan.launch.LaunchesThatStartTest.target;
import static dev.muster.plan.launch.LaunchesThatStartTest.text;
import static dev.muster.testing.plan.PlanHosts.hosts;
import static dev.muster.testing.plan.PlanHosts.model;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.memory.WeightFormat;
import dev.muster.plan.Planner;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.answer.Shortfall;
import dev.muster.plan.answer.Shortfall.Cause;
import dev.muster.plan.serving.ServingChoices;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingLoad;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.serving.ServingSimulation.DeploymentPlan;
import dev.muster.plan.serving.SimulationRequest;
import dev.muster.plan.serving.Slo;
import dev.muster.plan.serving.Speculation;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Launches that load and run what was planned: checkpoint, format, context, KV cache, speculation, hosts.
class PlannedLaunchTest {
    /// Two replicas on the same hosts would wait for each other.
    @Test
    void replicasOfAJobGetHostsOfTheirOwn() {
        ServingPlan plan =
                serve("4x[h200-sxm:8 ib:8x400]", ServingEngine.VLLM, "llama-3.1-405b", "bf16").considered().stream()
                        .filter(one -> one.layout().devices() == 16 && one.replicas() == 2)
                        .findFirst()
                        .orElseThrow();
        List<String> hosts = List.of("a", "b", "c", "d");
        List<Artifact> jobs =
                ((LaunchAnswer.Emitted) Launcher.emit(plan, LaunchTarget.SLURM, Launcher.Site.of(hosts))).artifacts();
        assertThat(jobs).hasSize(2);
        assertThat(jobs.get(0).text()).contains("#SBATCH --nodes=2\n", "#SBATCH --nodelist=a,b\n");
        assertThat(jobs.get(1).text()).contains("#SBATCH --nodes=2\n", "#SBATCH --nodelist=c,d\n");
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
        SimulationRequest request = asked.asBenchmark()
                .withRequests(8)
                .withFleet(new SimulationRequest.Replicas(8, 1, 0, 50e9, SimulationRequest.Router.LEAST_LOADED))
                .withSpeculation(new Speculation(3, 0.7));
        return best(Planner.of(hosts("b200-sxm:8"))
                .deploy(request, new Slo(List.of()), ServingChoices.USUAL.withEngine(engine(engine))));
    }

    @ParameterizedTest
    @CsvSource({
        "gaudi3:8, llama-3.1-8b, bf16, 1, VLLM",
        "trn2:1, llama-3.1-8b, bf16, 1, VLLM",
        "gb10:1, llama-3.1-8b, bf16, 1, LLAMA_CPP",
        "gb10:1, llama-3.1-8b, awq-int4, 1, VLLM",
        "gb10:1, llama-3.1-8b, bf16, 256, VLLM",
        "arc-pro-b60:4, llama-3.1-8b, bf16, 256, VLLM",
        "rtx-4090:1, llama-3.1-8b, bf16, 1, VLLM"
    })
    void theEngineIsOneThatServesWhatIsAskedFor(
            String machine, String name, String format, int sequences, ServingEngine engine) {
        ServingRequest request = ServingRequest.of(model(name))
                .withFormat(WeightFormat.parse(format))
                .withConcurrency(sequences);
        assertThat(best(Planner.of(hosts(machine))
                                .serve(request, ServingChoices.USUAL.withFormats(List.of(request.format())))
                                .answer())
                        .software())
                .isEqualTo(engine);
    }
}
