// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.option.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/// `plan --emit`: what starts a plan, printed or written, and what cannot be started.
class EmitOptionTest {
    private static final String CLUSTER = " --hosts 128 --synthetic [h100-sxm:8,nvswitch,ib:8x400]";
    private static final String TWO_HOSTS = " --synthetic 2x[h100-sxm:8,nvswitch,ib:8x400]";
    private static final String GGUF = "src/test/resources/fixtures/model/tiny-llama__q4_0__synthetic.gguf";

    static final List<Emitted> EMITTED = List.of(
            new Emitted("emit-vllm", "plan llama-3.1-70b --quant fp8 --emit vllm --synthetic [h100-sxm:8,nvswitch]"),
            new Emitted("emit-vllm-copies", "plan llama-3.1-8b --concurrency 64 --emit vllm --synthetic l40s:4"),
            new Emitted(
                    "emit-vllm-experts",
                    "plan qwen3-30b-a3b --concurrency 256 --emit vllm --synthetic [h200-sxm:4,nvswitch]"),
            new Emitted("emit-vllm-two-hosts", "plan llama-3.1-405b --emit vllm" + TWO_HOSTS),
            new Emitted("emit-sglang-two-hosts", "plan llama-3.1-405b --emit sglang" + TWO_HOSTS),
            new Emitted(
                    "emit-tensorrt-llm",
                    "plan llama-3.1-70b --quant fp8 --engine tensorrt-llm --emit tensorrt-llm --synthetic h100-sxm:4"),
            new Emitted(
                    "emit-llama-cpp",
                    "plan llama-3.1-70b --quant q4_k_m --engine llama.cpp --emit llama.cpp --concurrency 2"
                            + " --synthetic rtx-4090:3"),
            new Emitted(
                    "emit-llama-cpp-file", "plan " + GGUF + " --engine llama.cpp --emit llama.cpp --synthetic l4:1"),
            new Emitted(
                    "emit-llama-cpp-unlike",
                    "plan gpt-oss-120b --quant mxfp4_moe --engine llama.cpp --offload --host-bandwidth 60 --emit llama.cpp"
                            + " --synthetic [rtx-4090,rtx-3060-12,cpu:96GiB]"),
            new Emitted("emit-megatron-lm", "train llama-3.1-405b --batch 2048 --emit megatron-lm" + CLUSTER),
            new Emitted("emit-megatron-lm-experts", "train deepseek-v3 --batch 4096 --emit megatron-lm" + CLUSTER),
            new Emitted("emit-accelerate", "train llama-3.1-8b --method lora --emit accelerate --synthetic h100-sxm:8"),
            new Emitted(
                    "emit-deepspeed-offload",
                    "train llama-3.1-8b --batch 16 --offload all --emit deepspeed --synthetic [rtx-4090:1,cpu:256GiB]"),
            new Emitted(
                    "emit-accelerate-offload",
                    "train llama-3.1-8b --batch 16 --offload all --offload-to disk --emit accelerate --synthetic rtx-4090:1"),
            new Emitted(
                    "emit-train-slurm", "train llama-3.1-70b --emit slurm --hosts 4 --synthetic [h100-sxm:8,nvswitch]"),
            new Emitted("emit-slurm", "plan llama-3.1-405b --emit slurm" + TWO_HOSTS),
            new Emitted("emit-mpirun", "plan llama-3.1-405b --engine tensorrt-llm --emit mpirun" + TWO_HOSTS),
            new Emitted("emit-kubernetes", "plan llama-3.1-405b --emit kubernetes" + TWO_HOSTS),
            new Emitted(
                    "emit-json",
                    "plan llama-3.1-8b --engine tensorrt-llm --quant fp8 --json --emit tensorrt-llm --synthetic l4:1"));

    private final MusterRun pipe = MusterRun.inPipe();

    /// A command line and the file that has its answer.
    record Emitted(String golden, String words) {}

    @ParameterizedTest
    @FieldSource("EMITTED")
    void standardOutputHoldsWhatStartsThePlan(Emitted emitted) {
        Outcome outcome = run(emitted.words());
        assertThat(outcome.code()).as(outcome.err()).isZero();
        Golden.assertMatches(emitted.golden(), outcome.out());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            plan llama-3.1-8b --emit vlm --synthetic l4:1 | --emit is one of vllm, sglang, tensorrt-llm, llama.cpp, \
            ollama, mlx, tei, whisper.cpp, diffusers, \
            torchrun, deepspeed, megatron-lm, accelerate, slurm, mpirun, kubernetes, docker-compose, systemd, \
            kserve, not 'vlm'; did you mean vllm?
            plan 8B --rules --emit vllm | --emit does not apply: ai-hwaccel's --rules compute memory only; \
            see 'muster help'
            plan llama-3.1-8b --write x --synthetic l4:1 | --write does not apply: it sets the folder for the files of --emit; \
            see 'muster help'
            """)
    void whatMakesNoSenseIsRefused(String words, String sentence) {
        run(words).assertRefused(ExitCode.USAGE, "muster: " + sentence);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            vllm --engine llama.cpp | cannot emit vllm: this plan is for llama.cpp; plan with --engine vllm for vLLM
            llama.cpp --engine vllm | cannot emit llama.cpp: this plan is for vLLM, which splits models differently; plan with --engine llama.cpp for llama.cpp
            deepspeed | cannot emit deepspeed: DeepSpeed trains models, and this plan serves one
            """)
    void aTargetThatCannotRunThePlanSaysWhy(String target, String sentence) {
        Outcome outcome = run("plan llama-3.1-8b --replace l40s:1 --emit " + target);
        assertThat(outcome.code()).isEqualTo(ExitCode.NO);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err()).endsWith("muster: " + sentence + "\n");
    }

    @Test
    void aTargetThatIsAnEngineImpliesIt() {
        assertThat(run("plan llama-3.1-8b --synthetic h100-sxm:1 --emit tensorrt-llm")
                        .out())
                .contains("trtllm-serve");
    }

    @Test
    void aServerIsPlannedForAsManySequencesAsFitUnlessTheyAreSaid() {
        Outcome outcome = run("plan llama-3.1-8b --synthetic l40s:1 --emit vllm");
        assertThat(outcome.out()).contains("--max-num-seqs 47");
        assertThat(outcome.err())
                .contains("planned for 47 sequences of 4096 tokens at once, as many as the memory holds");
    }

    /// The number of sequences that fit decides nothing about the engine, or the second plan would be another's.
    @Test
    void theEngineIsThatOfThePlanWhoseMemoryIsFilled() {
        Outcome outcome = run("plan qwen3-32b --synthetic gb10 --emit docker-compose");
        assertThat(outcome.code()).as(outcome.err()).isZero();
        assertThat(outcome.out()).contains("with llama.cpp, on 1 x GB10");
    }

    @Test
    void aTargetThatDoesNotConnectRolesGetsServersForBoth() {
        String load = " --users 8 --requests 16 --synthetic [b200-sxm:8,nvswitch] --engine tensorrt-llm";
        assertThat(run("plan qwen3.5-397b-a17b --quant nvfp4" + load).out()).contains("of the replicas prefill");
        Outcome outcome = run("plan qwen3.5-397b-a17b --quant nvfp4 --emit tensorrt-llm" + load);
        assertThat(outcome.code()).as(outcome.err()).isZero();
        assertThat(outcome.out()).contains("trtllm-serve ");
        assertThat(outcome.err()).contains("TensorRT-LLM does not connect separate servers for prefill and decode");
    }

    @ParameterizedTest
    @CsvSource({
        "torchrun, torchrun 2.9",
        "accelerate, Accelerate 1.0",
        "deepspeed, DeepSpeed 0.18",
        "megatron-lm, Megatron-LM 0.19.0"
    })
    void theReleaseIsThatOfTheTarget(String target, String release) {
        assertThat(run("train llama-3.1-8b --synthetic h100-sxm:8 --emit " + target)
                        .out())
                .contains("The options are those of " + release + ".\n");
    }

    @Test
    void aRemovedDeviceIsNotTheOneThatIsMadeVisible() {
        assertThat(run("plan llama-3.1-8b --goal devices --synthetic l40s:4 --remove cuda:0 --emit vllm")
                        .out())
                .contains("\nCUDA_DEVICE_ORDER=PCI_BUS_ID CUDA_VISIBLE_DEVICES=1 vllm serve");
    }

    @Test
    void devicesOfOneKindBesideAnotherAreMadeVisible() {
        assertThat(run("plan llama-3.1-8b --concurrency 64 --synthetic [a100-sxm4-40:1,l40s:4] --emit vllm")
                        .out())
                .contains("CUDA_VISIBLE_DEVICES=1,2,3,4 vllm serve");
    }

    @Test
    void anEngineWithoutATargetSaysSo() {
        assertThat(run("plan llama-3.1-8b --engine optimum-habana --synthetic gaudi2:8 --emit slurm")
                        .err())
                .contains(
                        "cannot emit slurm: no launch target exists for Optimum Habana; plan with an engine among vllm");
    }

    /// The second fits, but no plan keeps its limit.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "plan llama-3.1-405b --replace l4:1 --emit vllm",
                "plan llama-3.1-8b --replace h100-sxm:1 --max-tpot 1ms --emit vllm"
            })
    void whatDoesNotFitOrKeepsNoLimitIsNotStarted(String words) {
        Outcome outcome = run(words);
        assertThat(outcome.code()).isEqualTo(ExitCode.NO);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err())
                .endsWith("muster: the model does not fit within the limits, so there is nothing to start; run the "
                        + "command without --emit to see what would fit\n");
    }

    @Test
    void filesAreWrittenOnceAndNothingElseIsOverwritten(@TempDir Path folder) throws IOException {
        Path made = folder.resolve("a/b");
        String words = "plan llama-3.1-405b --engine tensorrt-llm --emit mpirun --write " + made + TWO_HOSTS;
        Outcome first = run(words);
        assertThat(first.code()).as(first.err()).isZero();
        assertThat(first.out()).isEmpty();
        assertThat(first.err())
                .endsWith("muster: wrote 3 files into '" + made
                        + "': mpirun.sh, trtllm.yaml, hosts; nothing was started\n");
        assertThat(Files.readString(made.resolve("hosts"))).contains("host-1 slots=8\n");

        assertThat(run(words).code()).isZero();

        Files.writeString(made.resolve("hosts"), "mine\n");
        Outcome refused = run(words);
        assertThat(refused.code()).isEqualTo(ExitCode.NO);
        assertThat(refused.err())
                .endsWith("muster: '" + made.resolve("hosts")
                        + "' exists with other content; remove it, or choose another folder with --write\n");
        assertThat(Files.readString(made.resolve("hosts"))).isEqualTo("mine\n");
    }

    @Test
    void aFolderThatIsAFileIsSaid(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("taken"), "");
        Outcome outcome = run("plan llama-3.1-8b --replace l40s:1 --emit vllm --write " + file);
        assertThat(outcome.code()).isEqualTo(ExitCode.NO);
        assertThat(outcome.err()).contains("muster: cannot write into '" + file + "': ");
    }

    private Outcome run(String words) {
        return pipe.run(List.of(words.split(" +")));
    }
}
