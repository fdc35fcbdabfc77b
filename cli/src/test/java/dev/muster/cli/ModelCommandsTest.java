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

/// `inspect`, `models`, `plan`, `quantize`, `train`, `cost` and `accuracy`, each as table, as JSON and in its errors.
class ModelCommandsTest {
    private static final String MODELS = "src/test/resources/fixtures/model/";
    private static final String FOLDER = MODELS + "tiny-llama__synthetic";
    private static final String GGUF = MODELS + "tiny-llama__q4_0__synthetic.gguf";
    private static final String SAVED_PLANS =
            "src/test/resources/golden/plan-serving-json.txt" + " src/test/resources/golden/plan-pareto-json.txt";
    private static final String PRICES = " --prices " + MODELS + "prices__synthetic.csv";

    private static final String UNLIKE = " --synthetic [rtx-4090,rtx-3060-12,cpu:96GiB]";

    static final List<Shown> PEOPLE = List.of(
            new Shown("inspect-folder", "inspect " + FOLDER),
            new Shown("inspect-gguf", "inspect " + GGUF),
            new Shown("inspect-tensors", "inspect --tensors " + GGUF),
            new Shown("inspect-yaml", "inspect -o yaml " + FOLDER),
            new Shown("models-llama", "models llama-3"),
            new Shown("models-one", "models meta-llama/Llama-3.1-8B-Instruct"),
            new Shown("models-latent", "models deepseek-v3"),
            new Shown("models-fit", "models qwen --fit --registry " + MusterRun.LAPTOP),
            new Shown("models-fit-one", "models llama-3.1-70b --fit --registry " + MusterRun.H100X8),
            new Shown("plan-mixed", "plan qwen3-32b --quant q6_k --engine llama.cpp" + UNLIKE),
            new Shown(
                    "plan-offload",
                    "plan gpt-oss-120b --quant mxfp4_moe --engine llama.cpp --offload --host-bandwidth 60" + UNLIKE),
            new Shown(
                    "plan-offload-dense",
                    "plan llama-3.1-70b --quant q8_0 --engine llama.cpp --offload --host-bandwidth 60" + UNLIKE),
            new Shown("plan-latency", "plan llama-3.1-70b --quant fp8 --synthetic [h100-sxm:8,nvswitch]" + PRICES),
            new Shown(
                    "plan-throughput",
                    "plan qwen3-30b-a3b --concurrency 256 --synthetic [h200-sxm:4,nvswitch]" + PRICES),
            new Shown(
                    "plan-llama-cpp",
                    "plan qwen3-32b --quant q4_k_m --engine llama.cpp --synthetic rtx-4090:2" + PRICES),
            new Shown("plan-fewest", "plan llama-3.1-70b --goal devices --synthetic [h100-sxm:8,nvswitch]" + PRICES),
            new Shown(
                    "plan-limits",
                    "plan llama-3.1-8b --concurrency 64 --max-ttft 2s --max-tpot 30ms --budget 100"
                            + " --synthetic [h100-sxm:8,nvswitch]" + PRICES),
            new Shown(
                    "plan-hosts",
                    "plan llama-3.1-405b --quant bf16,fp8 --engine sglang --concurrency 32 --hosts 2 --synthetic"
                            + " [h100-sxm:8,nvswitch,ib:8x400]" + PRICES),
            new Shown(
                    "plan-beyond-limits",
                    "plan llama-3.1-70b --quant fp8 --concurrency 64 --max-ttft 500ms --synthetic"
                            + " [h100-sxm:8,nvswitch]" + PRICES),
            new Shown(
                    "plan-cost", "plan llama-3.1-8b --concurrency 16 --goal cost --synthetic a100-sxm4-80:4" + PRICES),
            new Shown("plan-energy", "plan qwen3-30b-a3b --concurrency 8 --goal energy --synthetic l40s:4" + PRICES),
            new Shown("plan-memory", "plan llama-3.1-8b --goal memory --synthetic l40s:4" + PRICES),
            new Shown(
                    "plan-pareto",
                    "plan llama-3.1-70b --quant fp8 --concurrency 64 --pareto --synthetic [h100-sxm:8,nvswitch]"
                            + PRICES),
            new Shown(
                    "plan-explain",
                    "plan qwen3-30b-a3b --quant fp8 --concurrency 32 --explain --synthetic [h100-sxm:2,nvswitch]"
                            + PRICES),
            new Shown(
                    "plan-explain-llama-cpp",
                    "plan qwen3-32b --quant q4_k_m --engine llama.cpp --explain --synthetic rtx-4090:2" + PRICES),
            new Shown("fit", "fit llama-3.1-70b --concurrency 8 --synthetic [h100-sxm:4,nvswitch]"),
            new Shown("fit-llama-cpp", "fit qwen3-32b --context 8192 --engine llama.cpp --synthetic rtx-4090:1"),
            new Shown(
                    "compare", "compare h100-sxm:4 a100-sxm4-80:4 llama-3.1-70b --quant fp8 --concurrency 32" + PRICES),
            new Shown("compare-plans", "compare " + SAVED_PLANS),
            new Shown(
                    "compare-serving-with-training",
                    "compare src/test/resources/golden/plan-serving-json.txt"
                            + " src/test/resources/golden/train-plan-json.txt"),
            new Shown("compare-does-not-fit", "compare h100-sxm:4 l4:1 llama-3.1-70b --quant fp8" + PRICES),
            new Shown("plan-tensor", "plan llama-3.1-405b --rules --quant int8 --registry " + MusterRun.HGX),
            new Shown("plan-pipeline", "plan 35B --rules --quant bf16 --synthetic l4:4,pcie,cpu:64GiB"),
            new Shown("plan-one", "plan " + FOLDER + " --rules --registry " + MusterRun.LAPTOP),
            new Shown("quantize", "quantize llama-3.1-70b --registry " + MusterRun.H100X8),
            new Shown("quantize-assumed", "quantize 13B --synthetic l4:1"),
            new Shown("train", "train 7B --method qlora --rules"),
            new Shown("train-adapters", "train llama-3.1-8b --method lora --synthetic [h200-sxm:2,nvswitch]"),
            new Shown(
                    "train-cluster",
                    "train deepseek-v3 --batch 4096 --precision fp8 --hosts 128 --synthetic [h100-sxm:8,nvswitch,ib:8x400]"),
            new Shown(
                    "train-explain",
                    "train qwen3-30b-a3b --batch 64 --explain --hosts 2 --synthetic [h100-sxm:8,nvswitch,ib:8x400]"),
            new Shown(
                    "train-tokens",
                    "train llama-3.1-8b --tokens 100B --goal energy --deadline 30d --synthetic [h100-sxm:8,nvswitch]"
                            + PRICES),
            new Shown(
                    "train-limits",
                    "train llama-3.1-8b --tokens 1T --deadline 30d --synthetic [h100-sxm:8,nvswitch]" + PRICES),
            new Shown("train-unlike", "train llama-3.1-8b --batch 32 --synthetic [l40s:4,rtx-6000-ada:4]"),
            new Shown(
                    "train-offload", "train llama-3.1-8b --batch 16 --offload all --synthetic [rtx-4090:1,cpu:256GiB]"),
            new Shown("train-fewest", "train llama-3.1-70b --goal devices --hosts 4 --synthetic [h100-sxm:8,nvswitch]"),
            new Shown("cost", "cost llama-3.1-70b --quant int8" + PRICES),
            new Shown("accuracy", "accuracy"),
            new Shown("accuracy-rows", "accuracy --rows --data " + MODELS + "measured__synthetic"),
            new Shown("cost-one-provider", "cost 7B --provider google --spot" + PRICES));
    static final List<Shown> MACHINES = List.of(
            new Shown("inspect-folder-json", "inspect --json " + FOLDER),
            new Shown("inspect-gguf-json", "inspect --json " + GGUF),
            new Shown("inspect-tensors-json", "inspect --json --tensors " + FOLDER),
            new Shown("models-json", "models phi-4 --json"),
            new Shown("models-fit-json", "models gpt-oss-20b --fit --json --registry " + MusterRun.H100X8),
            new Shown("plan-mixed-json", "plan qwen3-32b --quant q6_k --engine llama.cpp --json" + UNLIKE),
            new Shown("plan-serving-json", "plan llama-3.1-8b --json --synthetic l40s:2" + PRICES),
            new Shown("plan-explain-json", "plan llama-3.1-8b --json --explain --synthetic a100-sxm4-80:1" + PRICES),
            new Shown(
                    "plan-pareto-json",
                    "plan llama-3.1-8b --json --concurrency 8 --max-tpot 20ms --pareto --synthetic a100-sxm4-80:2"
                            + PRICES),
            new Shown("fit-json", "fit llama-3.1-8b --json --quant fp8 --synthetic l40s:1"),
            new Shown("compare-plans-json", "compare --json " + SAVED_PLANS),
            new Shown("compare-json", "compare a100-sxm4-80:1 h100-sxm:1 llama-3.1-8b --json" + PRICES),
            new Shown("plan-json", "plan 200B --rules --quant bf16 --json --registry " + MusterRun.H100X7),
            new Shown("plan-pipeline-json", "plan 35B --rules --quant bf16 --json --synthetic l4:4,pcie,cpu:64GiB"),
            new Shown("plan-reference", "plan 70B --rules --reference --registry " + MusterRun.H100X8),
            new Shown("quantize-json", "quantize 8B --json --registry " + MusterRun.LAPTOP),
            new Shown(
                    "train-limits-json",
                    "train llama-3.2-1b --json --batch 8 --tokens 1B --budget 500 --synthetic a100-sxm4-80:1" + PRICES),
            new Shown(
                    "train-offload-json",
                    "train llama-3.1-8b --json --explain --batch 8 --offload optimizer --synthetic l40s:2"),
            new Shown("train-plan-json", "train llama-3.2-1b --json --batch 8 --synthetic l40s:2"),
            new Shown("train-json", "train 7B --method full --target tpu --rules --json"),
            new Shown("accuracy-json", "accuracy --json --rows --data " + MODELS + "measured__synthetic"),
            new Shown("cost-json", "cost llama-3.1-70b --quant int8 --json" + PRICES));

    private final MusterRun pipe = MusterRun.inPipe();
    private final MusterRun terminal = MusterRun.onTerminal(100);

    /// A command line and the file that has its answer.
    record Shown(String golden, String words) {}

    @ParameterizedTest
    @FieldSource("PEOPLE")
    void forPeople(Shown shown) {
        Golden.assertMatches(shown.golden(), run(terminal, shown.words()).out());
    }

    @ParameterizedTest
    @FieldSource("MACHINES")
    void forMachines(Shown shown) {
        Outcome outcome = run(pipe, shown.words());
        Golden.assertMatches(shown.golden(), outcome.out());
        assertThat(outcome.code()).isZero();
    }

    @Test
    void whatDoesNotFitIsSaidAndTheExitCodeSaysNo() {
        Outcome plan = run(pipe, "plan 10T --rules --quant fp32 --registry " + MusterRun.LAPTOP);
        assertThat(plan.code()).isEqualTo(ExitCode.NO);
        Golden.assertMatches("plan-too-large", plan.out());
        Outcome serving = run(pipe, "plan llama-3.1-405b --concurrency 4 --synthetic l4:2" + PRICES);
        assertThat(serving.code()).isEqualTo(ExitCode.NO);
        Golden.assertMatches("plan-does-not-fit", serving.out());
        Outcome suggestion = run(pipe, "quantize 900B --registry " + MusterRun.LAPTOP);
        assertThat(suggestion.code()).isEqualTo(ExitCode.NO);
        Golden.assertMatches("quantize-too-large", suggestion.out());
        Outcome cost = run(pipe, "cost 10T" + PRICES);
        assertThat(cost.code()).isEqualTo(ExitCode.NO);
        Golden.assertMatches("cost-too-large", cost.out());
        Outcome models = run(pipe, "models deepseek-v3 --fit --registry " + MusterRun.LAPTOP);
        assertThat(models.code()).isEqualTo(ExitCode.NO);
        assertThat(models.err())
                .contains("intel-npu:0 (Intel AI Boost) is left out: its memory and memory bandwidth and rate of")
                .endsWith("muster: none of 1 models runs on these devices\n");
    }

    @Test
    void oldPricesAreSaid() {
        Outcome silent = run(pipe, "cost 1B --quant fp16 --provider azure" + PRICES);
        assertThat(silent.code()).isEqualTo(ExitCode.NO);
        assertThat(silent.out()).doesNotContain("Standard_").contains("--stale-prices");
        assertThat(run(pipe, "cost 1B --quant fp16 --provider azure --stale-prices" + PRICES)
                        .out())
                .contains(" days old: stale (more than 120 days)\n");
        assertThat(run(pipe, "cost 1B --quant fp16 --provider azure --stale-prices --json" + PRICES)
                        .out())
                .contains("\"areStale\":true");
        assertThat(run(pipe, "cost 70B --quant int8 --provider gcp" + PRICES).err())
                .isEmpty();
    }

    @Test
    void aPlanThatRestsOnAnOldPriceSaysSo() {
        String words = "plan llama-3.1-8b --quant int4 --synthetic t4:1" + PRICES;
        assertThat(run(pipe, words + " --goal cost").err())
                .contains("muster: the price used is more than 120 days old; check it, or give your own with "
                        + "--prices FILE\n");
        assertThat(run(pipe, words).err()).doesNotContain("old");
        assertThat(run(pipe, words).out().replaceAll("\\s+", " ")).contains(" days old: stale (more than 120 days))");
        assertThat(run(pipe, words + " --json").out()).contains("\"priceIsStale\":true");
    }

    @Test
    void devicesWithoutAPriceAreLeftOutAloud() {
        Outcome plan = run(pipe, "plan llama-3.1-8b --goal cost --synthetic [h100-sxm:1,l40s:1]" + PRICES);
        assertThat(plan.code()).isZero();
        assertThat(plan.err()).contains("muster: L40S is left out: no price known for L40S\n");
    }

    @Test
    void anUnknownWeightFormatIsAUsageErrorThatNamesTheKnownOnes() {
        Outcome plan = run(pipe, "plan llama-3-8b --quant q99 --synthetic l4:1");
        assertThat(plan.code()).isEqualTo(ExitCode.USAGE);
        assertThat(plan.err()).startsWith("muster: --quant: unknown weight format 'q99'; known: fp32, bf16, fp16");
    }

    @Test
    void whatCannotBeLeftOnTheHostIsSaid() {
        assertThat(run(pipe, "plan llama-3-8b --offload --synthetic [gb10,cpu:64GiB]")
                        .err())
                .contains("GB10 (DGX Spark) has no memory but the host's, so there is nothing to leave there");
        assertThat(run(pipe, "plan llama-3-8b --offload --synthetic [l4:1,cpu:8GiB]")
                        .err())
                .contains("the memory of the host is taken to move 43 GB/s; say it with --host-bandwidth");
    }

    @Test
    void aMachineWithoutAnAcceleratorIsPlannedForWithLlamaCpp() {
        Outcome plan = run(pipe, "plan llama-3.1-8b --quant q4_k_m");
        assertThat(plan.code()).isEqualTo(ExitCode.OK);
        assertThat(plan.out()).contains("llama.cpp on 1 of 1 x");
    }

    @Test
    void aFrontOfNothingSaysSo() {
        Outcome plan = run(pipe, "plan llama-3.1-8b --pareto --max-tpot 1ms --synthetic h100-sxm:1" + PRICES);
        assertThat(plan.code()).isEqualTo(ExitCode.NO);
        assertThat(plan.out()).endsWith("\n\nno plan of 1 does\n");
    }

    @Test
    void trainSaysWhichBatchUsesAllDevices() {
        assertThat(run(pipe, "train llama-3.2-1b --batch 7 --framework pytorch --synthetic h100-sxm:8")
                        .err())
                .contains("7 sequences do not divide among 8 devices; with --batch 8, 8 work in place of 7");
    }

    @Test
    void trainSaysWhoIsIdleOrWaits() {
        assertThat(run(pipe, "train llama-3.1-8b --method lora --synthetic [h100-sxm:4,l4:2]")
                        .err())
                .contains("2 x L4 stay idle");
        assertThat(run(pipe, "train llama-3.1-8b --batch 32 --synthetic [l40s:4,rtx-6000-ada:4]")
                        .out())
                .contains("RTX 6000 Ada wait for the slowest");
    }

    @Test
    void fitWithoutAModelListsThoseThatRun() {
        Outcome fit = run(pipe, "fit --registry " + MusterRun.LAPTOP);
        assertThat(fit.out())
                .isNotEmpty()
                .isEqualTo(
                        run(pipe, "models --fit --registry " + MusterRun.LAPTOP).out());
        assertThat(run(pipe, "fit deepseek-v3 --synthetic l4:1").code()).isEqualTo(ExitCode.NO);
    }

    @Test
    void aModelIsPlannedAsItIsPublished() {
        String words = "plan gpt-oss-120b --synthetic h100-sxm:1 --json" + PRICES;
        assertThat(run(pipe, words).out()).contains("\"format\":\"mxfp4\",\"formatIsPublished\":true");
        assertThat(run(pipe, words + " --quant bf16").out())
                .contains("\"format\":\"bf16\",\"formatIsPublished\":false");
        assertThat(run(pipe, "plan deepseek-v3 --synthetic h200-sxm:8" + PRICES).out())
                .contains("weights in fp8 (as published)");
        assertThat(run(pipe, "fit gpt-oss-20b --synthetic h100-sxm:1").out()).contains("mxfp4 (as published)");
    }

    @Test
    void publishedWeightsThatAnEngineDoesNotRunGiveWayAloud() {
        Outcome plan = run(pipe, "plan deepseek-v3 --engine llama.cpp --synthetic h200-sxm:8 --json" + PRICES);
        assertThat(plan.err())
                .contains("muster: the weights are published as fp8, which llama.cpp does not run on")
                .contains("planned with q8_0");
        assertThat(plan.out()).contains("\"format\":\"q8_0\",\"formatIsPublished\":false");
    }

    @Test
    void aComparisonSaysWhyAModelDoesNotFitAndWhatWould() {
        Outcome compare = run(pipe, "compare l4:1 h100-sxm:8 llama-3.1-70b" + PRICES);
        assertThat(compare.out())
                .contains("A is short")
                .contains("it does not fit on 1 x")
                .contains("remedy");
        assertThat(run(pipe, "compare l4:1 h100-sxm:8 llama-3.1-70b --json" + PRICES)
                        .out())
                .contains("\"reason\":\"it does not fit on 1 x")
                .contains("\"nearest\":[\"");
    }

    @Test
    void aSavedMachineIsComparedAsItself() {
        Outcome same = run(pipe, "compare " + MusterRun.H100X8 + " " + MusterRun.H100X8 + " llama-3.1-8b --json");
        assertThat(same.code()).isZero();
        assertThat(same.out()).contains("\"ratios\":{\"tokensPerSecond\":1");
        assertThat(run(pipe, "compare l4:1 h100-sxm:8 llama-3.1-405b").code()).isEqualTo(ExitCode.NO);
    }

    @Test
    void aTableOfOnesOwnExtendsTheModels(@TempDir Path folder) throws IOException {
        Path own = Files.writeString(
                folder.resolve("own.csv"), "model_id,params_total_b,source,date\nour-model,12.5,in-house,2026-11-01\n");
        assertThat(run(pipe, "train our-model --rules --models " + own).out()).contains("12.5 B (12500000000)");
        Path wrong = Files.writeString(folder.resolve("wrong.csv"), "model_id,size\n");
        assertThat(run(pipe, "models --models " + wrong))
                .satisfies(outcome -> assertThat(outcome.code()).isEqualTo(ExitCode.NO))
                .satisfies(outcome -> assertThat(outcome.err()).contains("line 1: column 'params_total_b' is missing"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            inspect | inspect needs a model file or folder: muster inspect FILE; see 'muster help'
            plan 7B --rules --goal latency | --goal does not apply: ai-hwaccel's --rules compute memory only; see 'muster help'
            plan llama-3-8b --goal speed | --goal is one of throughput, latency, devices, memory, \
            cost, energy, not 'speed'; see 'muster help'
            plan llama-3-8b --engine x --synthetic l4:1 | --engine is one of vllm, sglang, tensorrt-llm, llama.cpp, \
            optimum-habana, transformers-neuronx, not 'x'; see 'muster help'
            plan llama-3-8b --engine vllm --offload --synthetic l4:1 | --offload needs llama.cpp; ask for it with --engine; \
            see 'muster help'
            cost 9e18 | cannot estimate the memory: 9000000000000000000 parameters at BF16 take more than 2^64-1 bits: no \
            model is that large; see 'muster help'
            plan llama-3-8b --budget 0 | --budget must be a number of dollars per hour above 0, such as 20 or 12.50, not '0'; see 'muster help'
            plan llama-3-8b --budget 1e3 | --budget must be a number of dollars per hour above 0, such as 20 or 12.50, not '1e3'; \
            see 'muster help'
            plan llama-3-8b --max-tpot 30us | --max-tpot must be a time from 1ms to 10m, not \
            '30us'; see 'muster help'
            fit --concurrency 3 | --concurrency does not apply: without a model, the models that run are listed; \
            see 'muster help'
            compare l4:1 | compare needs two machines and a model, or two saved plans: muster compare h100-sxm:8 h200-sxm:8 \
            llama-3.1-70b; see 'muster help'
            compare l4:1 l40s:1 llama-3-8b --add l4:1 | --add does not apply: compare takes its machines as A and B; \
            see 'muster help'
            compare l4:1 nothing.json llama-3-8b | 'nothing.json' is not a known machine: neither 'here', nor a saved registry or recorded host, nor a synthetic machine such as 'h100-sxm:8 nvswitch': character 1: unknown device 'nothing.json'; write a \
            name of the device catalogue, such as h100-sxm, a100-sxm4-80 or mi300x; see 'muster help'
            plan llama-3-8b --context 1e6 | --context must be an integer from 2 to 100000000, not '1e6'; see 'muster help'
            plan llama-3-8b --context 100 --generate 100 | --generate 100 leaves no token of --context 100 for the \
            prompt; the context is prompt and answer together; see 'muster help'
            train 7B --target tpu | --target does not apply: without --rules, the machine determines the device; \
            see 'muster help'
            train 7B --rules --seq 2048 | --seq does not apply: ai-hwaccel's --rules compute memory only; see 'muster help'
            train 7B --batch 0 --synthetic l4:1 | --batch must be an integer from 1 to 100000000, not '0'; see 'muster help'
            train llama-3-8b --rank 8 --synthetic l4:1 | --rank does not apply: only adapters (lora, qlora) have a rank; \
            see 'muster help'
            train llama-3-8b --host-bandwidth 90 --synthetic l4:1 | --host-bandwidth does not apply: nothing is offloaded without \
            --offload optimizer or all; see 'muster help'
            train llama-3-8b --deadline 2d --synthetic l4:1 | --deadline does not apply: it limits a whole training; add --tokens; \
            see 'muster help'
            train llama-3-8b --tokens many --synthetic l4:1 | --tokens must be a number of tokens from 1 to 10^18, such as 300B or \
            15T, not 'many'; see 'muster help'
            train llama-3-8b --tokens 1B --deadline 3s --synthetic l4:1 | --deadline must be a time from 1m to 3650d, not '3s'; \
            see 'muster help'
            train llama-3-8b --tokens 1B --budget no --synthetic l4:1 | --budget must be a number of dollars above 0, such as 500 or 120000, \
            not 'no'; see 'muster help'
            train llama-3-8b --goal fast | --goal is one of speed, cost, devices, energy, not 'fast'; see 'muster help'
            train llama-3-8b --hosts 1000000 --synthetic l4:8 | --hosts: 1000000 machines with 8 devices each are more than the 1048576 devices that can be planned for; see 'muster help'
            plan llama-3-8b --engine llama.cpp --offload --host-bandwidth 1e9 --synthetic [l4:1,cpu:8GiB] | \
            --host-bandwidth must be a number of GB/s above 0 and up to 100000, not '1e9'; see 'muster help'
            plan 7B --rules --hosts 2 | --hosts does not apply: ai-hwaccel's --rules compute memory only; see 'muster help'
            plan 7B --rules --offload | --offload does not apply: ai-hwaccel's --rules compute memory only; \
            see 'muster help'
            plan --rules | plan needs a model: a size such as 70B, a name such as llama-3.1-8b, a file or a folder; \
            see 'muster help'
            plan 70 --rules | '70' would be a model of 70 parameters; did you mean 70B?
            plan 0B --rules | '0B' is not a possible model size; write a number with M, B or T, as in 125M, \
            1.5B or 70B, or a count as in 7e9; see 'muster help'
            plan lama-3.1-8b --rules | 'lama-3.1-8b' is not a known model: neither a size such as 70B, nor a name \
            listed by 'muster models', nor a file or folder; did you mean llama-3.1-8b or \
            llama-3.1-nemotron-nano-8b or skywork-reward-llama-3.1-8b-v0.2?
            plan 7B --rules --quant int5 | --quant: 'int5' is not a quantization level; use fp32, fp16, bf16, int8 or \
            int4; see 'muster help'
            train 7B --rules --method sft | --method: 'sft' is not a training method; known are full, lora, qlora-4bit, \
            qlora-8bit, prefix, dpo, rlhf and distillation; see 'muster help'
            plan 9e18 --rules | cannot plan: 9000000000000000000 parameters at FP16 take more than 2^64-1 bits: no model \
            is that large; see 'muster help plan'
            quantize 9e18 | cannot plan: 9000000000000000000 parameters at FP16 take more than 2^64-1 bits: no model is \
            that large; see 'muster help quantize'
            train 7B --rules --target dsp | --target is one of gpu, tpu, gaudi, cpu, not 'dsp'; see 'muster help'
            models xyzzy | no model name contains 'xyzzy'; see 'muster help'
            cost 7B --synthetic l4:2 | --synthetic does not apply: cost considers rented machines only; \
            see 'muster help'
            inspect x --registry y | --registry does not apply: inspect reads a file, not a machine; \
            see 'muster help'
            train 7B --rules --host y | --host does not apply: ai-hwaccel's --rules do not examine a machine; see 'muster help'
            accuracy --host y | --host does not apply: accuracy does not examine a machine; see 'muster help'
            models --add l4:2 | --add does not apply: without --fit, models does not examine a machine; see 'muster help'
            models -o csv | --output is one of table, json, yaml, not 'csv'; see 'muster help'
            """)
    void whatMakesNoSenseIsRefused(String words, String sentence) {
        run(pipe, words).assertRefused(ExitCode.USAGE, "muster: " + sentence);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            inspect nothing.gguf | cannot read the model: 'nothing.gguf' does not exist
            inspect pom.xml | cannot read the model: 'pom.xml' is not a supported model file; supported are \
            safetensors, GGUF, ONNX and PyTorch archives
            inspect src | cannot read the model: 'src' holds no model: neither config.json nor weights of a \
            supported format
            plan ./pom.xml --rules | cannot read the model: 'pom.xml' is not a supported model file; supported are \
            safetensors, GGUF, ONNX and PyTorch archives
            plan 70B --synthetic h100-sxm:8 | cannot plan '70B': the architecture of the model is not known; give a model \
            by name, file or folder, and a format as in bf16, fp8 or q4_k_m
            train 70B --synthetic h100-sxm:8 | cannot plan '70B': the architecture of the model is not known; give a \
            model by name, file or folder
            train mixtral-8x7b --framework pytorch --synthetic h100-sxm:8 | cannot plan 'mixtral-8x7b': PyTorch without a \
            framework was measured on dense models alone
            train llama-3-8b --precision fp8 --synthetic a100-sxm4-80:8 | cannot plan 'llama-3-8b': A100 SXM4 80GB has no \
            units for fp8; bf16 it has
            train llama-3-8b --method lora --precision fp8 --synthetic h100-sxm:8 | cannot plan 'llama-3-8b': PyTorch \
            without a framework was measured in bf16 alone
            plan llama-3-8b --engine tensorrt-llm --synthetic mi300x:2 | cannot plan 'llama-3-8b': TensorRT-LLM does not run \
            on Instinct MI300X; choose another --quant, --engine or other devices
            plan llama-3-8b --engine tensorrt-llm --quant q4_k_m --synthetic h100-sxm:2 | cannot plan 'llama-3-8b': \
            TensorRT-LLM reads no weights in q4_k_m; choose another --quant, --engine or other devices
            train llama-3-8b --tokens 1B --budget 9 --synthetic p40:1 | cannot plan 'llama-3-8b': no price known for Tesla \
            P40; give prices of such devices with --prices FILE
            train llama-3-8b --framework megatron --offload all --synthetic h100-sxm:8 | cannot plan 'llama-3-8b': Megatron \
            leaves none of that on hosts; PyTorch and torchtitan can
            train llama-3-8b --framework megatron --synthetic tpu-v5e:8 | cannot plan 'llama-3-8b': Megatron does not run on \
            TPU v5e (chip)
            plan llama-3-8b --engine vllm --synthetic warboy:2 | cannot plan 'llama-3-8b': no device is left: furiosa:0 \
            (Warboy) is left out: its rate of operations is unknown; add a row for it with --device-catalogue FILE, or \
            measure it with 'muster calibrate' (and 2 more)
            plan llama-3-8b --goal cost --synthetic rtx-5080:1 | cannot plan 'llama-3-8b': no price known for GeForce RTX \
            5080; give a model by name, file or folder, and a format as in bf16, fp8 or q4_k_m, and prices of such devices \
            with --prices FILE
            fit 70B --synthetic l4:1 | cannot plan '70B': the architecture is not complete; give a model by name, file \
            or folder, and a format as in bf16, fp8 or q4_k_m
            compare l4:1 l40s:1 | file 'l4:1' not found
            compare pom.xml pom.xml | cannot read a plan from 'pom.xml': line 1, column 1: this is not a JSON value
            compare l4:1 pom.xml llama-3-8b | cannot read a registry from 'pom.xml': the document is a <project>, not the \
            <topology> of hwloc (line 3)
            accuracy --data src | folder 'src' has none of the files inference.csv, serving.csv, disaggregated.csv, \
            training.csv, memory.csv, other.csv, h200_inference_measured.csv, h200_training_measured.csv, \
            h200_llama_cpp_measured.csv
            accuracy --data nothing | file or folder 'nothing' not found
            train llama-3-8b | cannot plan 'llama-3-8b': no accelerator was found, and training is not planned for a \
            processor; plan for a hypothetical machine, such as with --synthetic h100-sxm:8
            train llama-3-8b --framework pytorch | cannot plan 'llama-3-8b': no accelerator was found, and training is not \
            planned for a processor; plan for a hypothetical machine, such as with --synthetic h100-sxm:8
            cost 7B --prices nothing.csv | file 'nothing.csv' not found
            """)
    void whatCannotBeReadIsSaid(String words, String sentence) {
        run(pipe, words).assertRefused(ExitCode.NO, "muster: " + sentence);
    }

    @Test
    void aModelWithTooManyLayersIsSaidToHaveThem(@TempDir Path folder) throws IOException {
        Files.writeString(
                folder.resolve("config.json"),
                "{\"model_type\":\"llama\",\"num_hidden_layers\":999999999,\"hidden_size\":64,\"vocab_size\":100,"
                        + "\"num_attention_heads\":4,\"intermediate_size\":256}");
        for (String command : List.of("plan ", "train ")) {
            Outcome outcome = run(pipe, command + folder + " --synthetic l4:1");
            assertThat(outcome.code()).isEqualTo(ExitCode.NO);
            assertThat(outcome.err())
                    .contains("the architecture of the model is not known; there are more than ")
                    .doesNotContain("give a model by name");
        }
    }

    @Test
    void pricesThatListNoMachineAreSaidTo(@TempDir Path folder) throws IOException {
        String header = Files.readAllLines(Path.of(MODELS + "prices__synthetic.csv")).stream()
                .filter(line -> !line.startsWith("#"))
                .findFirst()
                .orElseThrow();
        Path empty = Files.writeString(folder.resolve("prices.csv"), header + "\n");
        assertThat(run(pipe, "cost 7B --prices " + empty).out())
                .contains("the price list has no machine; give another with --prices")
                .doesNotContain("fewer bits");
    }

    @Test
    void aPickleIsRefusedWithWhatToDo(@TempDir Path folder) throws IOException {
        Path pickle = Files.write(folder.resolve("model.bin"), new byte[] {(byte) 0x80, 2, 'c', 'o', 's'});
        run(pipe, "inspect " + pickle)
                .assertRefused(
                        ExitCode.NO,
                        "muster: cannot read the model: 'model.bin' is a pickle, which runs code when it is opened;"
                                + " if you trust it, convert it to safetensors");
    }

    private static Outcome run(MusterRun program, String words) {
        return program.run(List.of(words.split(" +")));
    }
}
