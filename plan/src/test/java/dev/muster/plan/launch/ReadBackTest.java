// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import static dev.muster.testing.plan.PlanHosts.hosts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.ModelSummary;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.model.memory.WeightFormat;
import dev.muster.plan.Planner;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.cost.TrainingRun;
import dev.muster.plan.engine.EngineRules;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Two thousand drawn plans: what a plan says is read back from the options of every file that is emitted for it.
class ReadBackTest {
    private static final int SERVING = 1400;
    private static final int TRAINING = 600;
    private static final List<String> HOSTS = List.of(
            "a100-sxm4-80:8",
            "l40s:7",
            "rtx-4090:3",
            "h100-sxm:8",
            "2x[h100-sxm:8 nvswitch ib:8x400]",
            "h200-sxm:6",
            "3x[h200-sxm:4 ib:4x400]",
            "b200-sxm:8",
            "2x[b200-sxm:5 ib:1x100]",
            "4x[h200-sxm:8 nvswitch ib:8x400]",
            "mi300x:8",
            "l4:8");
    private static final List<LaunchTarget> AROUND = List.of(
            LaunchTarget.SLURM,
            LaunchTarget.MPIRUN,
            LaunchTarget.KUBERNETES,
            LaunchTarget.DOCKER_COMPOSE,
            LaunchTarget.SYSTEMD);

    private final Random random = new Random(5);
    private final Map<LaunchTarget, Integer> emitted = new EnumMap<>(LaunchTarget.class);

    @Test
    void whatAServingPlanSaysIsInItsOptions() {
        int plans = 0;
        while (plans < SERVING) {
            ServingEngine engine = any(List.of(
                    ServingEngine.VLLM, ServingEngine.SGLANG, ServingEngine.TENSORRT_LLM, ServingEngine.LLAMA_CPP));
            boolean isLlama = engine == ServingEngine.LLAMA_CPP;
            WeightFormat format = WeightFormat.parse(
                    any(isLlama ? List.of("q4_k_m", "q8_0") : List.of("bf16", "bf16", "fp8", "nvfp4", "awq-int4")));
            ServingRequest request = ServingRequest.of(model())
                    .withFormat(format)
                    .withTokens(any(List.of(512, 2048, 6000)), any(List.of(128, 1000)))
                    .withContextLimit()
                    .withConcurrency(random.nextInt(1, 200))
                    .withGoal(any(List.of(ServingGoal.LATENCY, ServingGoal.THROUGHPUT, ServingGoal.DEVICES)));
            request = isLlama ? request : request.withKvBits(any(List.of(0, 0, 8, 16)));
            PlanAnswer<ServingPlan> answer = Planner.of(hosts(any(HOSTS)))
                    .serve(request, ServingChoices.USUAL.withEngine(engine).withFormats(List.of(format)))
                    .answer();
            if (!answer.isFeasible()) {
                continue;
            }
            for (ServingPlan plan : answer.considered().stream().limit(8).toList()) {
                plans++;
                LaunchTarget own = LaunchTarget.find(engine.label()).orElseThrow();
                check(plan, own, own);
                check(plan, any(AROUND), own);
                if (isLlama) {
                    check(plan, LaunchTarget.OLLAMA, LaunchTarget.OLLAMA);
                }
            }
        }
        assertThat(emitted.keySet()).containsAll(AROUND).contains(LaunchTarget.OLLAMA, LaunchTarget.TENSORRT_LLM);
        assertThat(emitted.values().stream().mapToInt(Integer::intValue).sum()).isGreaterThan(SERVING);
    }

    /// A reader that sees no change would agree with any file.
    @Test
    void aChangedOptionIsSeen() {
        ServingPlan plan = Planner.of(hosts("h100-sxm:8"))
                .serve(
                        ServingRequest.of(ModelCatalogue.builtIn()
                                        .find("llama-3.1-70b")
                                        .orElseThrow()
                                        .toSummary())
                                .withContextLimit()
                                .withConcurrency(16)
                                .withGoal(ServingGoal.LATENCY),
                        ServingChoices.USUAL.withEngine(ServingEngine.VLLM))
                .answer()
                .findFirst()
                .orElseThrow();
        List<Artifact> artifacts = ((LaunchAnswer.Emitted) Launcher.emit(plan, LaunchTarget.VLLM)).artifacts();
        Artifact script = artifacts.getFirst();
        check(plan, LaunchTarget.VLLM, LaunchTarget.VLLM, artifacts);
        for (String option : List.of("--tensor-parallel-size ", "--max-model-len ", "--max-num-seqs ")) {
            String changed = script.text().replaceAll("(\\n    " + option + ")(\\d+)", "$11$2");
            assertThat(changed).isNotEqualTo(script.text());
            List<Artifact> other = List.of(new Artifact(script.name(), script.mediaType(), changed));
            assertThatThrownBy(() -> check(plan, LaunchTarget.VLLM, LaunchTarget.VLLM, other))
                    .isInstanceOf(AssertionError.class);
        }
    }

    private void check(ServingPlan plan, LaunchTarget target, LaunchTarget engine) {
        if (Launcher.emit(plan, target) instanceof LaunchAnswer.Emitted(List<Artifact> artifacts)) {
            emitted.merge(target, 1, Integer::sum);
            check(plan, target, engine, artifacts);
        }
    }

    private static void check(ServingPlan plan, LaunchTarget target, LaunchTarget engine, List<Artifact> artifacts) {
        LaunchOptions options = new LaunchOptions(artifacts);
        Map<String, Object> read = new LinkedHashMap<>();
        int replicaDevices =
                plan.layout().tp() * plan.layout().pp() * plan.layout().attentionDp();
        int perHost = Math.ceilDiv(plan.pool().count(), plan.pool().hosts());
        boolean spans = replicaDevices > perHost;
        boolean isGroup = target == LaunchTarget.KUBERNETES;
        int together = spans || isGroup ? 1 : Math.min(plan.replicas(), perHost / replicaDevices);
        Map<String, Object> said = new LinkedHashMap<>();
        said.put("devices", (long) replicaDevices * together);
        said.put("stages", (long) plan.layout().pp());
        said.put("attention", (long) plan.layout().attentionDp());
        int each = Math.ceilDiv(plan.request().concurrency(), plan.replicas());
        switch (engine) {
            case VLLM -> vllm(options, read, plan);
            case SGLANG -> sglang(options, read);
            case TENSORRT_LLM -> tensorRt(options, read, plan);
            case LLAMA_CPP, OLLAMA -> llama(options, read, plan, engine);
            default -> throw new AssertionError(engine);
        }
        if (engine != LaunchTarget.LLAMA_CPP && engine != LaunchTarget.OLLAMA) {
            said.put("tensor", (long) plan.layout().tp());
            said.put("expert", (long) plan.layout().ep());
            boolean isDefault = Long.valueOf(0).equals(read.get("kv"));
            said.put("kv", isDefault ? 0L : 8L * kvBytes(plan));
            if (isDefault) {
                assertThat(plan.request().kvBits()).isNotEqualTo(8);
            }
            LaunchOptions.format(options, model(options, engine)).ifPresent(format -> {
                if (!format.equals("own")) {
                    read.put("format", format);
                    said.put("format", plan.request().format().label());
                }
            });
        } else {
            // Layers lie on all devices, whose number alone is said.
            said.remove("stages");
            said.remove("attention");
        }
        said.put("context", (long) plan.request().tokens());
        said.put(
                "sequences",
                engine == LaunchTarget.VLLM || engine == LaunchTarget.TENSORRT_LLM
                        ? (long) Math.ceilDiv(each, plan.layout().attentionDp())
                        : (long) each);
        around(options, target, plan, said, read, spans ? replicaDevices / perHost : 1, together * replicaDevices);
        assertThat(read)
                .as("%s", (Object) artifacts.stream().map(Artifact::text).toList())
                .containsExactlyInAnyOrderEntriesOf(said);
    }

    private static long kvBytes(ServingPlan plan) {
        return EngineRules.of(
                        plan.software(),
                        plan.request().architecture(),
                        plan.request().format(),
                        plan.pool().device())
                .kvBytes(plan.request());
    }

    private static String model(LaunchOptions options, LaunchTarget engine) {
        return engine == LaunchTarget.SGLANG
                ? options.find("--model-path").orElseThrow()
                : options.command()
                        .get(options.command().lastIndexOf(engine == LaunchTarget.VLLM ? "serve" : "trtllm-serve") + 1);
    }

    private static void vllm(LaunchOptions options, Map<String, Object> read, ServingPlan plan) {
        long tensor = options.number("--tensor-parallel-size");
        long stages = options.number("--pipeline-parallel-size");
        long data = options.number("--data-parallel-size");
        boolean isShared =
                options.has("--enable-expert-parallel") || plan.layout().attentionDp() > 1;
        read.put("devices", tensor * stages * data * options.commands());
        read.put("tensor", tensor);
        read.put("stages", stages);
        read.put("attention", isShared ? data : 1);
        read.put("expert", options.has("--enable-expert-parallel") ? tensor * data : 1);
        read.put("context", options.number("--max-model-len"));
        read.put("sequences", options.number("--max-num-seqs"));
        read.put("kv", kv(options.find("--kv-cache-dtype")));
    }

    private static void sglang(LaunchOptions options, Map<String, Object> read) {
        boolean isShared = options.has("--enable-dp-attention");
        long devices = options.number("--tp-size");
        long data = options.number("--dp-size");
        long stages = options.number("--pp-size");
        assertThat(options.times("--tp-size")).isLessThan(2);
        read.put("devices", devices * stages * (isShared ? 1 : data) * options.commands());
        read.put("tensor", isShared ? devices / data : devices);
        read.put("stages", stages);
        read.put("attention", isShared ? data : 1);
        read.put("expert", options.number("--ep-size"));
        read.put("context", options.number("--context-length"));
        read.put("sequences", options.number("--max-running-requests"));
        read.put("kv", kv(options.find("--kv-cache-dtype")));
    }

    private static void tensorRt(LaunchOptions options, Map<String, Object> read, ServingPlan plan) {
        String settings = options.file("trtllm.yaml") + options.text();
        boolean isShared = settings.contains("enable_attention_dp: true");
        long devices = options.number("--tp_size");
        long stages = options.number("--pp_size");
        read.put("devices", devices * stages * options.commands());
        read.put("tensor", isShared ? 1L : devices);
        read.put("stages", stages);
        read.put("attention", isShared ? devices : 1);
        read.put("expert", options.number("--ep_size"));
        read.put("context", options.number("--max_seq_len"));
        read.put("sequences", options.number("--max_batch_size"));
        read.put("kv", settings.contains("dtype: fp8") ? 8L : plan.request().kvBits() == 8 ? -1L : 0L);
    }

    private static void llama(LaunchOptions options, Map<String, Object> read, ServingPlan plan, LaunchTarget engine) {
        long parallel = engine == LaunchTarget.OLLAMA
                ? Long.parseLong(options.variable("OLLAMA_NUM_PARALLEL").orElseThrow())
                : options.number("--parallel");
        long context = engine == LaunchTarget.OLLAMA
                ? options.count("PARAMETER num_ctx")
                : options.number("--ctx-size") / parallel;
        read.put("context", context);
        read.put("sequences", parallel);
        long devices = engine == LaunchTarget.OLLAMA
                ? plan.layout().pp()
                : options.find("--tensor-split")
                        .map(shares -> (long) shares.split(",", -1).length)
                        .orElse(1L);
        read.put("devices", devices * options.commands());
    }

    private static long kv(Optional<String> option) {
        return option.map(value -> value.startsWith("fp8") ? 8L : 16L).orElse(0L);
    }

    /// Hosts and devices as stated by a target around an engine.
    private static void around(
            LaunchOptions options,
            LaunchTarget target,
            ServingPlan plan,
            Map<String, Object> said,
            Map<String, Object> read,
            int hosts,
            int devices) {
        switch (target) {
            case KUBERNETES -> {
                said.put("replicas", (long) plan.replicas());
                said.put("hosts", (long) hosts);
                said.put("devices of a host", (long) devices / hosts);
                read.put("replicas", options.count("replicas:"));
                read.put("hosts", options.count("size:"));
                read.put(
                        "devices of a host",
                        options.value("nvidia.com/gpu:")
                                .or(() -> options.value("amd.com/gpu:"))
                                .map(Long::parseLong)
                                .orElse(0L));
            }
            case DOCKER_COMPOSE -> {
                options.value("count:").ifPresent(count -> {
                    said.put("container", (long) devices);
                    read.put("container", Long.parseLong(count));
                });
            }
            case SLURM -> {
                said.put("devices of a host", (long) devices / hosts);
                read.put("devices of a host", options.count("--gpus-per-node"));
            }
            default -> {}
        }
    }

    @Test
    void whatATrainingPlanSaysIsInItsOptions() {
        int plans = 0;
        while (plans < TRAINING) {
            TrainingFramework framework = any(List.of(
                    TrainingFramework.MEGATRON,
                    TrainingFramework.MEGATRON,
                    TrainingFramework.PYTORCH,
                    TrainingFramework.TORCHTITAN));
            TrainingRequest request = TrainingRequest.of(
                            model(), TrainingMethod.parse(any(List.of("full", "full", "lora"))))
                    .withSequence(any(List.of(1024, 2048, 4096, 8192)))
                    .withBatch(any(List.of(16, 48, 64, 256)))
                    .withPrecision(any(List.of(TrainingPrecision.values())));
            PlanAnswer<TrainingPlan> answer = Planner.of(hosts(any(HOSTS)))
                    .withHosts(any(List.of(1, 1, 2, 4)))
                    .train(request, Optional.of(framework), false);
            if (!answer.isFeasible()) {
                continue;
            }
            for (TrainingPlan plan : answer.considered().stream().limit(4).toList()) {
                plans++;
                LaunchTarget own = switch (framework) {
                    case MEGATRON -> LaunchTarget.MEGATRON_LM;
                    case PYTORCH -> any(List.of(LaunchTarget.ACCELERATE, LaunchTarget.DEEPSPEED));
                    default -> LaunchTarget.TORCHRUN;
                };
                check(plan, own);
                check(plan, any(AROUND));
            }
        }
        assertThat(emitted.keySet())
                .containsAll(AROUND)
                .contains(
                        LaunchTarget.MEGATRON_LM,
                        LaunchTarget.ACCELERATE,
                        LaunchTarget.DEEPSPEED,
                        LaunchTarget.TORCHRUN);
    }

    private void check(TrainingPlan plan, LaunchTarget target) {
        if (!(Launcher.emit(plan, target) instanceof LaunchAnswer.Emitted(List<Artifact> artifacts))) {
            return;
        }
        emitted.merge(target, 1, Integer::sum);
        LaunchOptions options = new LaunchOptions(artifacts);
        TrainingRun run = plan.run();
        Map<String, Object> said = new LinkedHashMap<>();
        Map<String, Object> read = new LinkedHashMap<>();
        said.put("devices", (long) plan.devices());
        said.put("hosts", (long) plan.hosts());
        String program = options.command().stream()
                .filter(word -> List.of("torchrun", "accelerate", "deepspeed").contains(word))
                .findFirst()
                .orElseThrow();
        switch (program) {
            case "torchrun" -> {
                read.put("devices", options.number("--nnodes") * options.number("--nproc-per-node"));
                read.put("hosts", options.number("--nnodes"));
            }
            case "accelerate" -> {
                read.put("devices", options.number("--num_processes"));
                read.put("hosts", options.number("--num_machines"));
                said.put("sharded", run.sharding() == TrainingRun.Sharding.WEIGHTS);
                read.put("sharded", options.has("--use_fsdp"));
                said.put("precision", precision(plan));
                read.put("precision", options.find("--mixed_precision").orElse(""));
            }
            default -> {
                read.put("devices", options.number("--num_nodes") * options.number("--num_gpus"));
                read.put("hosts", options.number("--num_nodes"));
            }
        }
        if (options.has("--deepspeed_config")) {
            String settings = options.file("ds_config.json") + options.text();
            said.put("micro", (long) run.microBatch());
            read.put("micro", number(settings, "\"train_micro_batch_size_per_gpu\": "));
            said.put("stage", run.sharding() == TrainingRun.Sharding.WEIGHTS ? 3L : 0L);
            read.put("stage", number(settings, "\"stage\": "));
        }
        if (options.command().stream().anyMatch(word -> word.startsWith("pretrain_"))) {
            megatron(options, plan, said, read);
        }
        switch (target) {
            case SLURM -> {
                said.put("nodes", (long) plan.hosts());
                read.put("nodes", options.count("--nodes"));
                said.put("devices of a host", (long) plan.devices() / plan.hosts());
                read.put("devices of a host", options.count("--gpus-per-node"));
            }
            case KUBERNETES -> {
                said.put("devices of a host", (long) plan.devices() / plan.hosts());
                read.put(
                        "devices of a host",
                        options.value("nvidia.com/gpu:")
                                .or(() -> options.value("amd.com/gpu:"))
                                .map(Long::parseLong)
                                .orElse(0L));
                said.put("pods", (long) plan.hosts());
                read.put("pods", options.count("parallelism:"));
            }
            default -> {}
        }
        assertThat(read)
                .as("%s", (Object) artifacts.stream().map(Artifact::text).toList())
                .containsExactlyInAnyOrderEntriesOf(said);
    }

    private static long number(String text, String before) {
        String rest = text.substring(text.indexOf(before) + before.length());
        return Long.parseLong(
                rest.substring(0, rest.indexOf(rest.replaceAll("^\\d+", "").charAt(0))));
    }

    private static String precision(TrainingPlan plan) {
        return plan.request().precision() == TrainingPrecision.BF16
                        && !plan.cluster().pool().device().hasBf16()
                ? "fp16"
                : plan.request().precision().label();
    }

    private static void megatron(
            LaunchOptions options, TrainingPlan plan, Map<String, Object> said, Map<String, Object> read) {
        TrainingRun run = plan.run();
        said.put("tensor", (long) run.tp());
        said.put("stages", (long) run.pp());
        said.put("context", (long) run.cp());
        said.put("expert", (long) run.ep());
        said.put("replicas", (long) run.replicas());
        said.put("micro", (long) run.microBatch());
        said.put("batch", (long) plan.request().batch());
        said.put("sequence", (long) plan.request().sequence());
        said.put("recompute", run.recompute().name().toLowerCase(Locale.ROOT));
        said.put("optimizer", run.sharding() != TrainingRun.Sharding.NONE);
        said.put("precision", precision(plan));
        said.put("virtual", (long) Math.max(1, run.virtualStages()));
        long tensor = options.number("--tensor-model-parallel-size");
        long stages = options.number("--pipeline-model-parallel-size");
        long context = options.number("--context-parallel-size");
        read.put("tensor", tensor);
        read.put("stages", stages);
        read.put("context", context);
        read.put("expert", options.number("--expert-model-parallel-size"));
        read.put(
                "replicas",
                options.number("--nnodes") * options.number("--nproc-per-node") / (tensor * stages * context));
        read.put("micro", options.number("--micro-batch-size"));
        read.put("batch", options.number("--global-batch-size"));
        read.put("sequence", options.number("--seq-length"));
        read.put("recompute", options.find("--recompute-granularity").orElse("none"));
        read.put("optimizer", options.has("--use-distributed-optimizer"));
        read.put(
                "precision",
                options.find("--fp8-recipe").filter("mxfp8"::equals).isPresent()
                        ? "mxfp8"
                        : options.has("--fp8-format") ? "fp8" : options.has("--fp16") ? "fp16" : "bf16");
        read.put("virtual", virtualStages(options, plan, stages));
    }

    private static long virtualStages(LaunchOptions options, TrainingPlan plan, long stages) {
        Optional<String> pattern = options.find("--hybrid-layer-pattern");
        Optional<String> layout = options.find("--pipeline-model-parallel-layout");
        if (pattern.isPresent()) {
            return pattern.get().split("\\|", -1).length / stages;
        }
        if (layout.isPresent()) {
            String all = Pattern.compile("\\(([^)]*)\\)\\*(\\d+)")
                    .matcher(layout.get())
                    .replaceAll(
                            match -> Matcher.quoteReplacement(match.group(1).repeat(Integer.parseInt(match.group(2)))));
            long parts = all.split("\\|", -1).length;
            return parts / stages;
        }
        return options.find("--num-layers-per-virtual-pipeline-stage")
                .map(layers -> plan.layers() / stages / Long.parseLong(layers))
                .orElse(1L);
    }

    private ModelSummary model() {
        List<String> ids = ModelCatalogue.builtIn().ids();
        return ModelCatalogue.builtIn().find(any(ids)).orElseThrow().toSummary();
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
