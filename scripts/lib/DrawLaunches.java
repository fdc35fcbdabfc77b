// SPDX-License-Identifier: Apache-2.0

import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelDimension;
import dev.muster.model.ModelSummary;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.model.memory.WeightFormat;
import dev.muster.plan.Planner;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.WhatIf;
import dev.muster.plan.launch.Artifact;
import dev.muster.plan.launch.LaunchAnswer;
import dev.muster.plan.launch.LaunchTarget;
import dev.muster.plan.launch.Launcher;
import dev.muster.plan.search.ServingWork;
import dev.muster.plan.serving.ServingChoices;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingLoad;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.serving.ServingSimulation.DeploymentPlan;
import dev.muster.plan.serving.SimulationRequest;
import dev.muster.plan.serving.Speculation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/// Draws plans of an engine and writes their launches, for scripts/check-engine-args: DrawLaunches FOLDER ENGINE COUNT
/// SEED. A folder for each has `launch.sh`, or `prefill.sh` and `decode.sh`, and `facts` with a line for each of what the
/// engine finds: the model, its family, the published quantization, the planned format, hosts, dimensions. One in eight
/// is of a load, with disaggregated prefill and decode or with speculative decoding.
final class DrawLaunches {
    private static final List<String> HOSTS = List.of(
            "t4:4",
            "a100-sxm4-80:8",
            "l4:8",
            "l40s:7",
            "rtx-4090:3",
            "h100-sxm:8",
            "2x[h100-sxm:8 nvswitch ib:8x400]",
            "h200-sxm:6",
            "3x[h200-sxm:4 ib:4x400]",
            "b200-sxm:8",
            "2x[b200-sxm:8 ib:8x400]",
            "rtx-5090:5");
    private static final List<String> FORMATS =
            List.of("", "", "bf16", "fp16", "fp8", "fp8-block", "awq-int4", "gptq-int4", "nf4", "nvfp4", "mxfp4", "int8");
    private static final List<String> GGUF = List.of("q4_k_m", "q8_0", "q5_k_m", "q6_k");
    /// Families whose configuration follows from the dimensions alone.
    private static final List<String> FAMILIES = List.of(
            "llama", "mistral", "mixtral", "qwen2", "qwen3", "qwen3_moe", "deepseek_v3", "gpt_oss", "glm4_moe", "minimax_m2");
    private static final int MOST_TRIES = 40;
    private static final int LOADS = 8;
    private static final int DRAFT = 3;

    private DrawLaunches() {}

    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        ServingEngine engine = ServingEngine.find(arguments[1]).orElseThrow();
        int count = Integer.parseInt(arguments[2]);
        Random random = new Random(Long.parseLong(arguments[3]));
        List<String> models = ModelCatalogue.builtIn().ids().stream()
                .filter(id -> FAMILIES.contains(
                        ModelCatalogue.builtIn().find(id).orElseThrow().architecture().family().find().orElse("")))
                .toList();
        int written = 0;
        for (int tries = 0; written < count && tries < MOST_TRIES * count; tries++) {
            ModelSummary model = ModelCatalogue.builtIn()
                    .find(models.get(random.nextInt(models.size())))
                    .orElseThrow()
                    .toSummary();
            boolean isLlama = engine == ServingEngine.LLAMA_CPP;
            List<String> formats = isLlama ? GGUF : FORMATS;
            String format = formats.get(random.nextInt(formats.size()));
            ServingRequest request = ServingRequest.of(model)
                    .withConcurrency(random.nextInt(1, 200))
                    .withKvBits(isLlama ? 0 : List.of(0, 0, 8, 16).get(random.nextInt(4)))
                    .withGoal(random.nextBoolean() ? ServingGoal.THROUGHPUT : ServingGoal.LATENCY);
            request = format.isEmpty() ? request : request.withFormat(WeightFormat.parse(format));
            request = random.nextInt(3) == 0 ? request.withContextLimit() : request;
            ServingChoices choices = ServingChoices.USUAL.withEngine(engine).withFormats(List.of(request.format()));
            String hosts = HOSTS.get(random.nextInt(HOSTS.size()));
            LaunchTarget target = LaunchTarget.find(engine.label()).orElseThrow();
            if ((engine == ServingEngine.VLLM || engine == ServingEngine.SGLANG) && random.nextInt(LOADS) == 0) {
                Optional<DeploymentPlan> deployment = deployment(hosts, ServingRequest.of(model), choices, random);
                if (deployment.isPresent()
                        && Launcher.emit(deployment.get(), target) instanceof LaunchAnswer.Emitted(var artifacts)) {
                    write(folder.resolve(String.valueOf(written++)), artifacts, facts(deployment.get()));
                }
                continue;
            }
            PlanAnswer<ServingPlan> answer = Planner.of(WhatIf.synthetic(hosts, DeviceCatalogue.builtIn()))
                    .serve(request, choices)
                    .answer();
            if (!answer.isFeasible()) {
                continue;
            }
            List<ServingPlan> considered = answer.considered();
            ServingPlan plan = random.nextBoolean()
                    ? considered.getFirst()
                    : considered.get(random.nextInt(considered.size()));
            if (plan.memory().fits() && Launcher.emit(plan, target) instanceof LaunchAnswer.Emitted(var artifacts)) {
                write(folder.resolve(String.valueOf(written++)), artifacts, facts(plan));
            }
        }
        System.out.println(written);
    }

    private static void write(Path folder, List<Artifact> artifacts, String facts) throws IOException {
        Files.createDirectories(folder);
        for (Artifact artifact : artifacts) {
            Files.writeString(folder.resolve(artifact.name()), artifact.text());
        }
        Files.writeString(folder.resolve("facts"), facts);
    }

    /// Returns a deployment for a load, with separate replicas for prefill and decode or with draft tokens, if it fits.
    private static Optional<DeploymentPlan> deployment(
            String hosts, ServingRequest request, ServingChoices choices, Random random) {
        boolean drafts = random.nextBoolean();
        int decode = drafts ? 0 : random.nextInt(1, 3);
        int prefill = random.nextInt(1, 3);
        SimulationRequest load = SimulationRequest.of(
                        request.withTokens(256, 16), new ServingLoad.Users(2 * (prefill + decode)))
                .asBenchmark()
                .withRequests(8);
        SimulationRequest asked = drafts
                ? load.withSpeculation(new Speculation(DRAFT, 0.7))
                : load.withFleet(new SimulationRequest.Replicas(
                        1 << random.nextInt(4), prefill + decode, decode, 50e9, SimulationRequest.Router.LEAST_LOADED));
        return Planner.of(WhatIf.synthetic(hosts, DeviceCatalogue.builtIn()))
                .simulate(asked, choices.withFormats(List.of(asked.serving().format())))
                .findFirst()
                .map(found -> new DeploymentPlan(found, Map.of(), List.of()));
    }

    private static String facts(DeploymentPlan deployment) {
        ServingPlan plan = deployment.plan();
        long longest = Math.max(
                deployment.simulation().longest(), ServingWork.longestContext(plan, 1));
        return facts(plan)
                .replaceFirst("admitted\\t.*", "admitted\t" + longest)
                .replaceFirst("draft\\t.*", "draft\t" + deployment.simulation().draft())
                + "disaggregated\t" + (deployment.isDisaggregated() ? 1 : 0) + "\n";
    }

    private static String facts(ServingPlan plan) {
        ModelArchitecture architecture = plan.request().architecture();
        StringBuilder text = new StringBuilder();
        line(text, "model", plan.request().model().source());
        line(text, "family", architecture.family().find().orElse(""));
        line(text, "published", architecture.quantization().find().map(how -> how.method()).orElse(""));
        line(text, "format", plan.request().format().label());
        boolean limits = plan.request().limitsContext();
        int longest = limits ? plan.request().tokens() : ServingWork.longestContext(plan, 1);
        line(text, "admitted", String.valueOf(longest));
        line(text, "tensor", String.valueOf(plan.layout().tp()));
        line(text, "stages", String.valueOf(plan.layout().pp()));
        line(text, "attention", String.valueOf(plan.layout().attentionDp()));
        line(text, "kv", String.valueOf(plan.request().kvBits()));
        line(text, "draft", "0");
        line(text, "hosts", String.valueOf(plan.pool().hosts()));
        line(text, "devices", String.valueOf(plan.devices()));
        line(text, "capability", plan.pool().device().computeCapability().find().map(String::valueOf).orElse(""));
        line(text, "tied", architecture.tiedEmbeddings().find().orElse(false) ? "1" : "0");
        for (Map.Entry<String, ModelDimension> one : Map.of(
                        "layers", ModelDimension.LAYERS,
                        "hidden", ModelDimension.HIDDEN_SIZE,
                        "heads", ModelDimension.HEADS,
                        "kvHeads", ModelDimension.KV_HEADS,
                        "headSize", ModelDimension.HEAD_SIZE,
                        "feedForward", ModelDimension.FEED_FORWARD_SIZE,
                        "vocabulary", ModelDimension.VOCABULARY,
                        "experts", ModelDimension.EXPERTS,
                        "expertSize", ModelDimension.EXPERT_FEED_FORWARD_SIZE,
                        "context", ModelDimension.CONTEXT)
                .entrySet()) {
            architecture.find(one.getValue()).ifPresent(value -> line(text, one.getKey(), String.valueOf(value)));
        }
        return text.toString();
    }

    private static void line(StringBuilder text, String name, String value) {
        text.append(name).append('\t').append(value).append('\n');
    }
}
