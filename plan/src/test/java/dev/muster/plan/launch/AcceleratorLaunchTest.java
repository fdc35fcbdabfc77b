// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import static dev.muster.testing.plan.PlanHosts.hosts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.model.memory.WeightFormat;
import dev.muster.plan.Planner;
import dev.muster.plan.answer.Shortfall;
import dev.muster.plan.serving.ServingChoices;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Launches on accelerators other than GPUs: what their plugins of vLLM, their images and their clusters want said.
class AcceleratorLaunchTest {
    private static ServingPlan plan(String model, String format, ServingEngine engine, String host) {
        ServingRequest request = ServingRequest.of(
                        ModelCatalogue.builtIn().find(model).orElseThrow().toSummary())
                .withFormat(WeightFormat.parse(format))
                .withConcurrency(64);
        return Planner.of(hosts(host))
                .serve(request, ServingChoices.USUAL.withEngine(engine).withFormats(List.of(request.format())))
                .answer()
                .findFirst()
                .orElseThrow();
    }

    private static String text(ServingPlan plan, LaunchTarget target) {
        return switch (Launcher.emit(plan, target)) {
            case LaunchAnswer.Emitted(List<Artifact> artifacts) ->
                artifacts.getFirst().text();
            case LaunchAnswer.Refused(Shortfall reason) -> "refused " + reason;
        };
    }

    /// The tensor parallel degree is one of NeuronCores, four in a chip of Trainium2, and each server has cores of its
    /// own.
    @Test
    void trainiumCountsCores() {
        ServingPlan plan = plan("llama-3.3-70b", "bf16", ServingEngine.VLLM, "trn2:16");
        String script = text(plan, LaunchTarget.VLLM);
        int cores = 4 * plan.layout().tp();
        assertThat(plan.replicas()).isGreaterThan(1);
        assertThat(script)
                .contains("--tensor-parallel-size " + cores + " ", "--block-size 32 ", "--num-gpu-blocks-override ")
                .contains("NEURON_RT_VISIBLE_CORES=0-" + (cores - 1) + " ")
                .contains("NEURON_RT_VISIBLE_CORES=" + cores + "-" + (2 * cores - 1) + " ")
                .doesNotContain("--data-parallel-size", "--gpu-memory-utilization");
        long blocks = Long.parseLong(script.replaceAll("(?s).*--num-gpu-blocks-override (\\d+) \\\\.*", "$1"));
        long each = Math.ceilDiv(plan.request().concurrency(), plan.replicas());
        assertThat(32 * blocks).isGreaterThanOrEqualTo(each * plan.request().tokens());
    }

    @Test
    void trainiumMakesNoWeights() {
        assertThat(text(plan("llama-3.1-8b", "fp8", ServingEngine.VLLM, "trn2:1"), LaunchTarget.VLLM))
                .contains("refused", "makes no weights in fp8");
    }

    @ParameterizedTest
    @CsvSource({
        "trn2:4, public.ecr.aws/neuron/pytorch-inference-vllm-neuronx:0.24, aws.amazon.com/neuron:",
        "gaudi3:2, vault.habana.ai/gaudi-docker/, habana.ai/gaudi:",
        "mi300x:2, vllm/vllm-openai-rocm:v, amd.com/gpu:",
        "tpu-v6e:4, vllm/vllm-tpu:v, google.com/tpu: 4"
    })
    void theImageIsOfTheMakerOfTheDevice(String host, String image, String resource) {
        ServingPlan plan = plan("llama-3.1-8b", "bf16", ServingEngine.VLLM, host);
        assertThat(text(plan, LaunchTarget.KUBERNETES)).contains("image: \"" + image, resource);
        assertThat(text(plan, LaunchTarget.DOCKER_COMPOSE)).contains("image: \"" + image);
    }

    /// A pod on GKE takes all chips of its node, so one pod has all replicas.
    @Test
    void aPodTakesAllChipsOfATpuHost() {
        String pods = text(plan("llama-3.1-8b", "bf16", ServingEngine.VLLM, "tpu-v6e:8"), LaunchTarget.KUBERNETES);
        assertThat(pods)
                .contains("gke-tpu-accelerator: tpu-v6e-slice", "gke-tpu-topology: \"2x4\"")
                .contains("google.com/tpu: 8", "\n  replicas: 1 ");
        assertThat(text(plan("llama-3.1-8b", "bf16", ServingEngine.VLLM, "tpu-v6e:3"), LaunchTarget.KUBERNETES))
                .contains("refused", "1, 4 or 8 chips");
    }

    @Test
    void mlxLoadsWhatIsWholeAndAsksForTheRest() {
        String whole = text(plan("qwen3-8b", "bf16", ServingEngine.LLAMA_CPP, "m4-max-40c:1"), LaunchTarget.MLX);
        assertThat(whole)
                .contains("mlx_lm.server \\\n    --model Qwen/Qwen3-8B \\\n", "--decode-concurrency 64 ")
                .doesNotContain("MODEL:?");
        assertThat(text(plan("qwen3-8b", "q4_k_m", ServingEngine.LLAMA_CPP, "m4-max-40c:1"), LaunchTarget.MLX))
                .contains(": \"${MODEL:?", "--model \"$MODEL\"");
        assertThat(text(plan("qwen3-8b", "q4_k_m", ServingEngine.LLAMA_CPP, "rtx-4090:1"), LaunchTarget.MLX))
                .contains("refused", "Apple silicon");
    }

    @Test
    void ollamaAndMlxNameTheirOwnReleases() {
        assertThat(text(plan("qwen3-8b", "q4_k_m", ServingEngine.LLAMA_CPP, "rtx-4090:1"), LaunchTarget.OLLAMA))
                .contains("those of Ollama 0.32.", "\"release\":\"0.32\"");
    }

    /// Nothing starts with a placeholder in place of a checkpoint.
    @Test
    void composeAsksForWhatIsNotPublished() {
        assertThat(text(
                        plan("qwen3-32b", "nvfp4", ServingEngine.TENSORRT_LLM, "b200-sxm:1"),
                        LaunchTarget.DOCKER_COMPOSE))
                .contains("MODEL: \"${MODEL:?is a checkpoint of the model in nvfp4}\"");
        assertThat(text(plan("qwen3-8b", "q4_k_m", ServingEngine.LLAMA_CPP, "rtx-4090:1"), LaunchTarget.DOCKER_COMPOSE))
                .contains("MODEL_FILE: \"${MODEL_FILE:?");
    }

    /// Its ranks would lie across the hosts, and the stages within them.
    @Test
    void vllmHasNoStagesOfDataParallelAttention() {
        ServingRequest request = ServingRequest.of(ModelCatalogue.builtIn()
                        .find("deepseek-v3")
                        .orElseThrow()
                        .toSummary())
                .withConcurrency(256);
        List<ServingPlan> plans = Planner.of(hosts("2x[h100-sxm:8 nvswitch ib:8x400]"))
                .serve(request, ServingChoices.USUAL.withEngine(ServingEngine.VLLM))
                .answer()
                .considered();
        assertThat(plans)
                .isNotEmpty()
                .noneMatch(
                        plan -> plan.layout().attentionDp() > 1 && plan.layout().pp() > 1);
    }
}
