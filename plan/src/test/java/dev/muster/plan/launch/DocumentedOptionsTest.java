// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.json.JsonValue;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.model.memory.WeightFormat;
import dev.muster.model.table.CsvRow;
import dev.muster.model.table.CsvTable;
import dev.muster.plan.Planner;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.answer.Shortfall;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.DeviceEntry;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.search.ServingSearch;
import dev.muster.plan.serving.ImageInput;
import dev.muster.plan.serving.ServingChoices;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.serving.Slo;
import dev.muster.plan.serving.TaskEngine;
import dev.muster.plan.serving.TaskPlan;
import dev.muster.plan.serving.TaskRequest;
import dev.muster.plan.time.CoefficientTable;
import dev.muster.testing.plan.PlanHosts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Every option of any emitted plan is one that the program documents, with an allowed value.
class DocumentedOptionsTest {
    private static final ModelCatalogue MODELS = ModelCatalogue.builtIn();
    private static final DeviceCatalogue DEVICES = DeviceCatalogue.builtIn();
    private static final ServingSearch SEARCH = ServingSearch.of(CoefficientTable.builtIn());
    private static final Random RANDOM = new Random(17);
    private static final List<String> NAMES =
            List.of("llama-3.1-8b", "llama-3.1-70b", "qwen3-30b-a3b", "mixtral-8x7b", "gemma-2-9b", "deepseek-v3");
    private static final List<String> KINDS = List.of("h100-sxm", "l40s", "mi300x", "b200-sxm", "rtx-4090", "gaudi3");
    private static final List<String> FORMATS =
            List.of("bf16", "fp16", "fp8", "awq-int4", "gptq-int4", "nf4", "nvfp4", "q4_k_m", "q8_0");
    private static final Map<LaunchTarget, LaunchTemplate> TEMPLATES =
            Arrays.stream(LaunchTarget.values()).collect(Collectors.toMap(target -> target, LaunchTemplate::of));
    private static final Map<LaunchTemplate, DocumentedOptions> DOCUMENTED = TEMPLATES.values().stream()
            .collect(Collectors.toMap(template -> template, DocumentedOptions::ofAnyRelease));
    private static final Pattern OPTION = Pattern.compile("--?[a-zA-Z][\\w-]*");
    /// Everything that was checked, so that the test cannot pass without checking.
    private static final Set<String> OPTIONS = new HashSet<>();

    private static final Set<LaunchTarget> EMITTED = EnumSet.noneOf(LaunchTarget.class);

    @ParameterizedTest
    @EnumSource(LaunchTarget.class)
    void everyOptionOfEveryTemplateIsDocumented(LaunchTarget target) {
        assertDocumented(template(target), DocumentedOptions.of(template(target)), "");
    }

    /// The template also holds for the newer releases that are started where they know the model.
    @ParameterizedTest
    @CsvSource({
        "vllm, 0.27.1",
        "sglang, 0.5.18",
        "llama.cpp, b10586",
        "megatron-lm, 0.19.0",
        "deepspeed, 0.19.5",
        "accelerate, 1.14.0"
    })
    void newerReleasesStillHaveEveryOption(String label, String release) {
        LaunchTarget target = LaunchTarget.find(label).orElseThrow();
        assertThat(LaunchTemplate.resource("targets.csv"))
                .contains(label + "," + template(target).version() + "," + release + ",");
        assertDocumented(template(target), DocumentedOptions.of(target, release), release);
    }

    private static void assertDocumented(LaunchTemplate template, DocumentedOptions documented, String release) {
        String program = "";
        int options = 0;
        for (TemplateRow row : template.rows()) {
            if (row.when().terms().stream().anyMatch(term -> isOfOther(term, template, release))) {
                continue;
            }
            switch (row.part()) {
                case RUN ->
                    program = documented
                            .findProgram(row.value().text())
                            .orElseThrow(() -> new AssertionError(
                                    template.target() + ": " + row.value().text()));
                case ARGUMENT ->
                    program = row.name().text().isEmpty() ? program : row.name().text();
                case OPTION, ENV -> {
                    assertAllowed(
                            template,
                            documented,
                            program,
                            row.name().text(),
                            row.value().text());
                    options++;
                }
                case CONFIG -> {
                    String setting = DocumentedOptions.setting(row.name().text());
                    for (String resource : List.of("nvidia.com/gpu", "amd.com/gpu", "habana.ai/gaudi")) {
                        String named = setting.replace("{resource}", resource);
                        assertAllowed(
                                template,
                                documented,
                                row.command(),
                                named,
                                row.value().text());
                    }
                    options++;
                }
                case REFUSE, TOGETHER, IMAGE, NOTE, REQUIRE, LINE, LINES -> {}
            }
        }
        assertThat(options).isPositive();
    }

    /// Reports whether a condition says that the row is for another release.
    private static boolean isOfOther(TemplateRow.Condition.Term term, LaunchTemplate template, String release) {
        boolean isOldest = release.isEmpty();
        return term.fact() == LaunchFact.RELEASE
                && (term.sign().equals("=")
                        ? !isOldest
                        : isOldest && term.values().contains(template.version() + ".0"));
    }

    /// A value that is a fact is held to the choices when it is known.
    private static void assertAllowed(
            LaunchTemplate template, DocumentedOptions documented, String program, String option, String value) {
        String shown = template.target() + ": " + program + " " + option;
        assertThat(documented.has(program, option)).as(shown).isTrue();
        List<String> choices = documented.choices(program, option);
        if (!choices.isEmpty() && !value.contains("{")) {
            assertThat(choices).as(shown).contains(value);
        }
    }

    /// Parsers and modes of model families are names that the release has.
    @Test
    void everyParserOfAFamilyIsOneOfTheEngine() {
        DocumentedOptions vllm = DocumentedOptions.of(LaunchTarget.VLLM, "0.27.1");
        for (CsvRow row :
                CsvTable.parse(LaunchTemplate.resource("practice.csv")).rows()) {
            if (row.require("engine").equals("vllm")) {
                row.find("tool_parser")
                        .ifPresent(name -> assertThat(vllm.choices("vllm serve", "--tool-call-parser"))
                                .contains(name));
                row.find("reasoning_parser")
                        .ifPresent(name -> assertThat(vllm.choices("vllm serve", "--reasoning-parser"))
                                .contains(name));
            }
        }
    }

    @RepeatedTest(400)
    void everyOptionThatIsEmittedForServingIsDocumented() {
        ServingEngine software = any(List.of(
                ServingEngine.VLLM,
                ServingEngine.VLLM,
                ServingEngine.TENSORRT_LLM,
                ServingEngine.LLAMA_CPP,
                ServingEngine.OPTIMUM_HABANA));
        ServingRequest request = new ServingRequest(
                MODELS.find(any(NAMES)).orElseThrow().toSummary(),
                WeightFormat.parse(any(FORMATS)),
                RANDOM.nextInt(1, 8000),
                RANDOM.nextInt(1, 1000),
                RANDOM.nextInt(1, 300),
                any(List.of(ServingGoal.values())),
                Slo.NONE,
                Optional.empty(),
                any(List.of(0, 8, 16)),
                RANDOM.nextBoolean(),
                ImageInput.NONE);
        DeviceEntry entry = DEVICES.find(any(KINDS)).orElseThrow();
        int hosts = RANDOM.nextInt(1, 4);
        DevicePool pool = DevicePool.of(DeviceFigures.of(entry), entry.name(), hosts * RANDOM.nextInt(1, 9))
                .withHosts(hosts);
        List<ServingPlan> plans = SEARCH.find(request, pool, software)
                .find()
                .map(PlanAnswer::considered)
                .orElse(List.of());
        if (plans.isEmpty()) {
            return;
        }
        ServingPlan plan = any(plans);
        for (LaunchTarget target : LaunchTarget.values()) {
            check(target, Launcher.emit(plan, target));
        }
    }

    @RepeatedTest(150)
    void everyOptionThatIsEmittedForTrainingIsDocumented() {
        LaunchFacts facts = training();
        for (LaunchTarget target : LaunchTarget.values()) {
            check(target, Launcher.emit(target, facts));
        }
    }

    /// A test that draws nothing for a target would pass with any template.
    /// Models that do not write text, with the programs that run them.
    @ParameterizedTest
    @CsvSource({
        "bge-m3, tei",
        "bge-reranker-v2-m3, vllm",
        "whisper-large-v3, whisper.cpp",
        "whisper-large-v3, vllm",
        "flux.1-dev, diffusers",
        "wan2.1-t2v-14b, diffusers",
        "flux.1-dev, sglang"
    })
    void everyOptionForOtherKindsOfModelsIsDocumented(String model, String target) {
        TaskRequest request = TaskRequest.of(MODELS.find(model).orElseThrow().toSummary());
        PlanAnswer<TaskPlan> answer = Planner.of(PlanHosts.hosts("h100-sxm:2")).run(request, TaskEngine.find(target));
        LaunchTarget wanted = LaunchTarget.find(target).orElseThrow();
        LaunchAnswer launch = Launcher.emit(answer.findFirst().orElseThrow(), wanted);
        assertThat(launch).isInstanceOf(LaunchAnswer.Emitted.class);
        check(wanted, launch);
    }

    @ParameterizedTest
    @CsvSource({"bf16", "q4_k_m"})
    void everyOptionOnAppleSiliconIsDocumented(String format) {
        ServingRequest request = ServingRequest.of(
                        MODELS.find("llama-3.1-8b").orElseThrow().toSummary())
                .withFormat(WeightFormat.parse(format));
        ServingPlan plan = Planner.of(PlanHosts.hosts("m4-max-40c:1"))
                .serve(request, ServingChoices.USUAL.withFormats(List.of(request.format())))
                .answer()
                .findFirst()
                .orElseThrow();
        check(LaunchTarget.MLX, Launcher.emit(plan, LaunchTarget.MLX));
    }

    @AfterAll
    static void everyTargetWasEmitted() {
        assertThat(EMITTED).containsExactlyInAnyOrder(LaunchTarget.values());
        assertThat(OPTIONS)
                .hasSizeGreaterThan(100)
                .contains(
                        "vllm serve --kv-cache-dtype",
                        "vllm serve --nnodes",
                        "sglang.launch_server --enable-dp-attention",
                        "trtllm-serve --ep_size",
                        "llama-server --tensor-split",
                        "pretrain_gpt.py --data-parallel-sharding-strategy",
                        "script --deepspeed_config",
                        "accelerate launch --fsdp_sharding_strategy",
                        "#SBATCH --gpus-per-node",
                        "mpirun --map-by");
    }

    static LaunchFacts training() {
        LaunchFacts facts = LaunchFacts.NONE
                .with(LaunchTarget.LaunchKind.TRAINING)
                .with(LaunchFact.ENGINE, any(List.of("torchrun", "deepspeed", "megatron-lm", "accelerate")))
                .with(LaunchFact.MODEL, "some/model")
                .with(LaunchFact.HOSTS, RANDOM.nextInt(1, 5))
                .with(LaunchFact.DEVICES_PER_HOST, RANDOM.nextInt(1, 9))
                .withArchitecture(MODELS.find(any(NAMES)).orElseThrow().architecture());
        Map<LaunchFact, List<String>> values = Map.ofEntries(
                Map.entry(LaunchFact.METHOD, List.of("full", "full", "lora", "qlora")),
                Map.entry(LaunchFact.PRECISION, List.of("bf16", "fp16", "fp8", "fp32")),
                Map.entry(LaunchFact.RECOMPUTE, List.of("none", "selective", "full")),
                Map.entry(LaunchFact.ZERO_STAGE, List.of("0", "1", "2", "3")),
                Map.entry(LaunchFact.TENSOR, List.of("1", "1", "2", "8")),
                Map.entry(LaunchFact.STAGES, List.of("1", "1", "2", "4")),
                Map.entry(LaunchFact.CONTEXT_PARALLEL, List.of("1", "1", "2")),
                Map.entry(LaunchFact.EXPERT, List.of("1", "1", "4")),
                Map.entry(LaunchFact.VIRTUAL_STAGES, List.of("1", "2")),
                Map.entry(LaunchFact.LAYERS_PER_VIRTUAL_STAGE, List.of("5")),
                Map.entry(LaunchFact.MICRO_BATCH, List.of("1", "4")),
                Map.entry(LaunchFact.ACCUMULATION, List.of("1", "16")),
                Map.entry(LaunchFact.GLOBAL_BATCH, List.of("128")),
                Map.entry(LaunchFact.REPLICAS, List.of("1", "4")),
                Map.entry(LaunchFact.SEQUENCE, List.of("4096")),
                Map.entry(LaunchFact.FAMILY, List.of("nvidia-hbm", "amd-hbm", "gaudi", "neuron", "tpu", "apple")));
        for (Map.Entry<LaunchFact, List<String>> value : values.entrySet()) {
            if (RANDOM.nextInt(10) > 0) {
                facts = facts.with(value.getKey(), any(value.getValue()));
            }
        }
        return facts;
    }

    private static void check(LaunchTarget target, LaunchAnswer answer) {
        switch (answer) {
            case LaunchAnswer.Refused refused ->
                refused.reason().values().stream()
                        .filter(value -> refused.reason().cause() == Shortfall.Cause.TARGET_LIMIT)
                        .forEach(value -> assertThat(value.toString())
                                .isNotBlank()
                                .doesNotContain("{", "\n", "--")
                                .matches(".*[A-Za-z0-9)>]"));
            case LaunchAnswer.Emitted(List<Artifact> artifacts) -> {
                EMITTED.add(target);
                artifacts.forEach(DocumentedOptionsTest::check);
            }
        }
    }

    private static void check(Artifact artifact) {
        if (artifact.mediaType().equals("application/json")) {
            assertThat(JsonValue.parse(artifact.text())).isInstanceOf(JsonValue.JsonObject.class);
            return;
        }
        // What KServe chooses by itself is an empty object.
        assertThat(artifact.text().replace(": {}\n", ""))
                .doesNotContain("{}", "null")
                .endsWith("\n");
        for (List<String> command : commands(artifact.text())) {
            checkCommand(command);
        }
    }

    /// Command lines of a script, also of one that stands in another, and directives.
    private static List<List<String>> commands(String script) {
        List<List<String>> commands = new ArrayList<>();
        String joined = script.replace("\\\n", " ");
        for (String line : joined.split("\n", -1)) {
            String text =
                    line.strip().replaceFirst("^until |^[A-Z_]+=[0-9,]+ ", "").replaceFirst("; do$", "");
            if (text.startsWith("#SBATCH") || !text.startsWith("#")) {
                commands.add(List.of(text.replace('=', ' ').split(" +", -1)));
            }
        }
        return commands;
    }

    private static void checkCommand(List<String> words) {
        String program = "";
        Optional<LaunchTemplate> template = Optional.empty();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            Optional<String> known = findProgram(words.subList(0, i + 1));
            if (known.isPresent()) {
                program = known.get();
                template = Optional.of(templateOf(program));
            } else if (word.endsWith(".py")) {
                boolean megatron = word.startsWith("pretrain_");
                program = megatron ? "pretrain_gpt.py" : "script";
                template = Optional.of(template(megatron ? LaunchTarget.MEGATRON_LM : LaunchTarget.DEEPSPEED));
            }
            if (template.isPresent() && OPTION.matcher(word).matches() && !word.equals("-c")) {
                DocumentedOptions options = options(template.get());
                assertThat(options.has(program, word))
                        .as(program + " " + word + " in " + words)
                        .isTrue();
                List<String> choices = options.choices(program, word);
                if (!choices.isEmpty()) {
                    assertThat(choices).as(program + " " + word).contains(words.get(i + 1));
                }
                OPTIONS.add(program + " " + word);
            }
        }
    }

    private static Optional<String> findProgram(List<String> words) {
        String text = String.join(" ", words);
        for (LaunchTarget target : LaunchTarget.values()) {
            for (TemplateRow row : template(target).rows()) {
                if (row.part() == TemplateRow.Part.RUN
                        && text.equals(row.value().text().replace('=', ' '))) {
                    return options(template(target)).findProgram(text);
                }
            }
        }
        return Optional.empty();
    }

    private static LaunchTemplate templateOf(String program) {
        for (LaunchTarget target : LaunchTarget.values()) {
            LaunchTemplate template = template(target);
            if (options(template).findProgram(program).isPresent() && !program.equals("torchrun")) {
                return template;
            }
        }
        return template(LaunchTarget.MEGATRON_LM);
    }

    private static LaunchTemplate template(LaunchTarget target) {
        return Objects.requireNonNull(TEMPLATES.get(target));
    }

    private static DocumentedOptions options(LaunchTemplate template) {
        return Objects.requireNonNull(DOCUMENTED.get(template));
    }

    private static <T> T any(List<T> list) {
        return list.get(RANDOM.nextInt(list.size()));
    }
}
