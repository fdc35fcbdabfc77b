package dev.muster.cli.model;

import static dev.muster.cli.model.PredictedFigures.figure;
import static dev.muster.cli.model.PredictedFigures.milliseconds;

import dev.muster.cli.render.Count;
import dev.muster.cli.render.Quantity;
import dev.muster.cli.render.Terminal;
import dev.muster.cli.render.TextTable;
import dev.muster.core.FixedText;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.core.unit.Bytes;
import dev.muster.plan.ModelSummary;
import dev.muster.plan.memory.PublishedFormat;
import dev.muster.plan.search.DeviceMemoryUse;
import dev.muster.plan.search.HostMemory;
import dev.muster.plan.search.MixedPlan;
import dev.muster.plan.search.MixedPlan.Placement;
import dev.muster.plan.search.ServingAnswer;
import dev.muster.plan.search.ServingPlan;
import dev.muster.plan.search.ServingRequest;
import dev.muster.plan.search.ServingSoftware;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// How a model is split over unlike devices, and what else was considered.
///
/// @param model the model
/// @param request what was asked
/// @param plans the best first, one for each number of devices
/// @param host what the host offers
/// @param others what was found on devices of one kind
public record MixedText(
        ModelSummary model, ServingRequest request, List<MixedPlan> plans, HostMemory host, ServingAnswer others) {
    private static final int BAR = 24;
    private static final double GIGA = 1e9;

    /// Copies the plans.
    public MixedText {
        plans = List.copyOf(plans);
    }

    /// For people.
    public String text(Terminal terminal) {
        MixedPlan best = plans.getFirst();
        FactLines lines = new FactLines(terminal).title(model.name());
        lines.add("parameters", model.parameters(), CheckpointText::parameters);
        lines.add("asked", RequestText.of(request));
        lines.add("answer", sentence(best));
        lines.add("speed", figure(best.tokensPerSecond()) + " tokens/s over all sequences");
        lines.add("per token", milliseconds(best.perToken()));
        lines.add("first token", milliseconds(best.firstToken()));
        lines.add("prompt", figure(best.promptTokensPerSecond()) + " tokens/s");
        lines.add("least room", leastRoom(best));
        lines.add("instead", instead());
        lines.add("rests on", basis(best));
        return lines + "\n" + table(best, terminal) + terminal.dim("w weights, k keys and values, + compute buffer")
                + "\n";
    }

    /// The plan in a sentence.
    public static String sentence(MixedPlan plan) {
        StringBuilder sentence = new StringBuilder(ServingSoftware.LLAMA_CPP.display() + " over "
                + Count.of(plan.devices(), "device") + (plan.usesHost() ? " and the host" : "") + ", split by layers");
        if (plan.hostExperts() > 0) {
            sentence.append("; routed experts of the first ")
                    .append(Count.of(plan.hostExperts(), "layer"))
                    .append(" on the host");
        }
        plan.idle().forEach(name -> sentence.append("; ").append(name).append(" idle"));
        return sentence.toString();
    }

    private static String leastRoom(MixedPlan plan) {
        Placement fullest = plan.placements().stream()
                .min(Comparator.comparingDouble(MixedText::room))
                .orElseThrow();
        return Quantity.of(bytes(room(fullest))) + " are left on " + fullest.device();
    }

    private static double room(Placement placement) {
        return placement.memory().capacity() - placement.memory().total();
    }

    private String instead() {
        List<String> parts = new ArrayList<>();
        for (MixedPlan plan : plans.subList(1, plans.size())) {
            parts.add(milliseconds(plan.perToken().p50()) + " per token over " + Count.of(plan.devices(), "device"));
        }
        parts.add(
                switch (others) {
                    case ServingAnswer.Feasible(ServingPlan best, var _) ->
                        milliseconds(best.perToken().p50()) + " on " + best.devices() + " x "
                                + best.pool().name() + " alone";
                    case ServingAnswer.Infeasible _ -> "devices of one kind do not hold it";
                });
        return String.join(", ", parts);
    }

    private String basis(MixedPlan plan) {
        String devices = plan.isMeasured()
                ? "measurements of llama.cpp on such devices"
                : "measurements of llama.cpp on other devices (bounds twice as wide, a guess)";
        return plan.usesHost()
                ? devices + ", and the host's memory at " + FixedText.of(host.bytesPerSecond() / GIGA, 0) + " GB/s "
                        + host.basis() + " (bounds twice as wide" + (plan.isMeasured() ? "" : " again") + ", a guess)"
                : devices;
    }

    private String table(MixedPlan plan, Terminal terminal) {
        TextTable table = new TextTable(
                terminal,
                List.of(
                        new TextTable.Column("DEVICE", false, 0, true),
                        new TextTable.Column("LAYERS", false, 0, false),
                        new TextTable.Column("WEIGHTS", true, 2, false),
                        new TextTable.Column("KEYS", true, 2, false),
                        new TextTable.Column("BUFFER", true, 3, false),
                        new TextTable.Column("OF", true, 1, false),
                        new TextTable.Column("MEMORY", false, 0, false)));
        for (Placement placement : plan.placements()) {
            DeviceMemoryUse memory = placement.memory();
            table.add(List.of(
                    cell(placement.device()),
                    cell(layers(placement)),
                    cell(Quantity.of(bytes(memory.weights()))),
                    cell(Quantity.of(bytes(memory.cache()))),
                    cell(Quantity.of(bytes(memory.workspace()))),
                    cell(Quantity.of(bytes(memory.capacity()))),
                    cell(bar(memory))));
        }
        return table.render(true);
    }

    private static String layers(Placement placement) {
        List<String> parts = new ArrayList<>();
        if (placement.layers() > 0) {
            parts.add(placement.firstLayer() + ".." + (placement.firstLayer() + placement.layers() - 1));
        }
        if (placement.hasHead()) {
            parts.add("head");
        }
        return parts.isEmpty() ? "experts" : String.join(" + ", parts);
    }

    private static String bar(DeviceMemoryUse memory) {
        return new MemoryBar(BAR, memory.total(), memory.capacity())
                .part('w', memory.weights())
                .part('k', memory.cache())
                .part('+', memory.workspace())
                .toString();
    }

    private static TextTable.Cell cell(String text) {
        return new TextTable.Cell(text, false);
    }

    private static Bytes bytes(double value) {
        return Bytes.of(Math.round(value));
    }

    /// For machines.
    public JsonValue json() {
        List<JsonValue> considered = new ArrayList<>();
        plans.forEach(plan -> considered.add(json(plan)));
        return JsonObject.builder()
                .put("schema", 1)
                .put("kind", "mixed-plan")
                .put("model", model.name())
                .put("format", request.format())
                .put("formatIsPublished", PublishedFormat.is(request.format(), request.architecture()))
                .put("inputTokens", request.input())
                .put("outputTokens", request.output())
                .put("concurrency", request.concurrency())
                .put("goal", request.goal().label())
                .put("fits", true)
                .put("plan", json(plans.getFirst()))
                .put("considered", considered)
                .build();
    }

    private static JsonValue json(MixedPlan plan) {
        List<JsonValue> placements = new ArrayList<>();
        plan.placements().forEach(placement -> placements.add(json(placement)));
        List<JsonValue> idle = new ArrayList<>();
        plan.idle().forEach(name -> idle.add(new JsonString(name)));
        return JsonObject.builder()
                .put("engine", ServingSoftware.LLAMA_CPP.label())
                .put("engineMeasured", plan.isMeasured())
                .put("devices", plan.devices())
                .put("deviceLayers", plan.deviceLayers())
                .put("usesHost", plan.usesHost())
                .put("hostExpertLayers", plan.hostExperts())
                .put("placements", placements)
                .put("idle", idle)
                .put("firstTokenSeconds", PredictedFigures.json(plan.firstToken()))
                .put("perTokenSeconds", PredictedFigures.json(plan.perToken()))
                .put("tokensPerSecond", PredictedFigures.json(plan.tokensPerSecond()))
                .put("promptTokensPerSecond", PredictedFigures.json(plan.promptTokensPerSecond()))
                .build();
    }

    private static JsonValue json(Placement placement) {
        DeviceMemoryUse memory = placement.memory();
        return JsonObject.builder()
                .put("device", placement.device())
                .put("host", placement.isHost())
                .put("firstLayer", placement.firstLayer())
                .put("layers", placement.layers())
                .put("head", placement.hasHead())
                .put("expertLayersOnHost", placement.expertsElsewhere())
                .put("weightBytes", Math.round(memory.weights()))
                .put("cacheBytes", Math.round(memory.cache()))
                .put("workspaceBytes", Math.round(memory.workspace()))
                .put("capacityBytes", Math.round(memory.capacity()))
                .build();
    }
}
