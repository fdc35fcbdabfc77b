package dev.muster.cli.model;

import dev.muster.cli.render.Count;
import dev.muster.cli.render.Quantity;
import dev.muster.cli.render.Terminal;
import dev.muster.cli.render.TextTable;
import dev.muster.core.FixedText;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.core.unit.Bytes;
import dev.muster.plan.ModelSummary;
import dev.muster.plan.search.DeviceMemoryUse;
import dev.muster.plan.search.Estimate;
import dev.muster.plan.search.ServingAnswer;
import dev.muster.plan.search.ServingPlan;
import dev.muster.plan.search.ServingRequest;
import dev.muster.plan.time.StepLayout;
import dev.muster.plan.time.StepTime;
import java.util.ArrayList;
import java.util.List;

/// How a model is served best, and what else was considered.
///
/// @param model the model
/// @param request what was asked
/// @param answer what was found
public record ServingText(ModelSummary model, ServingRequest request, ServingAnswer answer) {
    private static final int SHOWN = 8;
    private static final int BAR = 40;
    private static final double MILLI = 1e3;
    private static final double PERCENT = 100;

    /// For people.
    public String text(Terminal terminal) {
        FactLines lines = new FactLines(terminal).title(model.name());
        lines.add("parameters", model.parameters(), CheckpointText::parameters);
        lines.add(
                "asked",
                Count.of(request.concurrency(), "sequence") + " of " + request.input() + " tokens in and "
                        + request.output() + " out, weights as " + request.format() + ", "
                        + request.goal().display());
        switch (answer) {
            case ServingAnswer.Feasible(ServingPlan best, var _) -> describe(lines, best);
            case ServingAnswer.Infeasible(var considered, var nearest) ->
                lines.add(
                        "answer",
                        "it does not fit on " + devices(considered.getFirst()) + ": "
                                + Quantity.of(
                                        bytes(considered.getFirst().memory().total()))
                                + " are needed on each device that has "
                                + Quantity.of(
                                        bytes(considered.getFirst().memory().capacity()))
                                + (nearest.isEmpty() ? "" : "; what would fit: " + String.join(", or ", nearest)));
        }
        return lines + "\n" + table(terminal);
    }

    private static String devices(ServingPlan plan) {
        return plan.pool().count() + " x " + plan.pool().name();
    }

    private static void describe(FactLines lines, ServingPlan best) {
        lines.add("answer", sentence(best));
        lines.add("speed", tokens(best.tokensPerSecond()) + " tokens/s over all sequences");
        lines.add("per token", milliseconds(best.perToken()));
        lines.add("first token", milliseconds(best.firstToken()) + " on an idle copy");
        lines.add("step", terms(best.step()));
        DeviceMemoryUse memory = best.memory();
        lines.add(
                "each device",
                Quantity.of(bytes(memory.weights())) + " weights (w), " + Quantity.of(bytes(memory.cache()))
                        + " keys and values (k), " + Quantity.of(bytes(memory.workspace())) + " workspace (+) of "
                        + Quantity.of(bytes(memory.capacity())));
        lines.add("", bar(memory));
        lines.add("rests on", basis(best));
    }

    private static String basis(ServingPlan plan) {
        String device = plan.pool().isMeasured() ? "what 'muster calibrate' measured here" : "a data sheet";
        return plan.isMeasured()
                ? "measurements of " + plan.software().display() + " on such devices, and " + device
                : "measurements of " + plan.software().display() + " on other devices, and " + device
                        + "; the bounds are twice as wide, which is a guess";
    }

    /// The plan in a sentence.
    public static String sentence(ServingPlan plan) {
        return plan.software().display() + " on " + plan.devices() + " of " + devices(plan) + ": "
                + (plan.copies() == 1 ? "one copy" : plan.copies() + " copies") + " over " + shape(plan.layout())
                + (plan.copies() > 1 ? " each" : "")
                + (plan.idle() > 0 ? "; " + Count.of(plan.idle(), "device") + " idle" : "");
    }

    private static String shape(StepLayout layout) {
        List<String> parts = new ArrayList<>();
        if (layout.tensor() > 1) {
            parts.add(layout.tensor() + " that share matrices");
        }
        if (layout.stages() > 1) {
            parts.add(layout.stages() + " stages");
        }
        if (layout.replicas() > 1) {
            parts.add(layout.replicas() + " that share experts");
        }
        return parts.isEmpty() ? "one device" : String.join(" x ", parts);
    }

    private static String bar(DeviceMemoryUse memory) {
        int weights = width(memory.weights(), memory);
        int cache = width(memory.cache(), memory);
        int workspace = width(memory.workspace(), memory);
        int free = Math.max(0, BAR - weights - cache - workspace);
        return "[" + "w".repeat(weights) + "k".repeat(cache) + "+".repeat(workspace) + ".".repeat(free) + "] "
                + FixedText.of(PERCENT * memory.total() / memory.capacity(), 0) + " %";
    }

    private static int width(double part, DeviceMemoryUse memory) {
        return (int) Math.min(BAR, Math.round(BAR * part / Math.max(memory.capacity(), memory.total())));
    }

    private static String terms(StepTime step) {
        return FixedText.of(MILLI * step.products(), 2) + " ms products, "
                + (step.experts() > 0 ? FixedText.of(MILLI * step.experts(), 2) + " experts, " : "")
                + FixedText.of(MILLI * step.attention(), 2) + " attention, " + FixedText.of(MILLI * step.head(), 2)
                + " head, " + FixedText.of(MILLI * step.host(), 2) + " host, " + FixedText.of(MILLI * step.links(), 2)
                + " links";
    }

    private static String tokens(Estimate estimate) {
        return FixedText.of(estimate.p50(), digits(estimate.p50())) + " ("
                + FixedText.of(estimate.p10(), digits(estimate.p10())) + " to "
                + FixedText.of(estimate.p90(), digits(estimate.p90())) + ")";
    }

    private static String milliseconds(Estimate estimate) {
        return FixedText.of(MILLI * estimate.p50(), 1) + " ms (" + FixedText.of(MILLI * estimate.p10(), 1) + " to "
                + FixedText.of(MILLI * estimate.p90(), 1) + ")";
    }

    private static int digits(double value) {
        return value < 100 ? 1 : 0;
    }

    private static Bytes bytes(double value) {
        return Bytes.of(Math.round(value));
    }

    private String table(Terminal terminal) {
        TextTable table = new TextTable(
                terminal,
                List.of(
                        new TextTable.Column("", false, 0, false),
                        new TextTable.Column("COPIES", true, 0, false),
                        new TextTable.Column("TENSOR", true, 0, false),
                        new TextTable.Column("STAGES", true, 0, false),
                        new TextTable.Column("EXPERT", true, 2, false),
                        new TextTable.Column("DEVICES", true, 1, false),
                        new TextTable.Column("MEMORY", true, 0, false),
                        new TextTable.Column("MS/TOKEN", true, 0, false),
                        new TextTable.Column("TOKENS/S", true, 0, false),
                        new TextTable.Column("VERDICT", false, 0, false)));
        List<ServingPlan> plans = answer.considered();
        boolean first = true;
        for (ServingPlan plan : plans.subList(0, Math.min(SHOWN, plans.size()))) {
            table.add(row(plan, first && plan.memory().fits(), terminal));
            first = false;
        }
        int more = plans.size() - SHOWN;
        return table.render(true) + (more > 0 ? terminal.dim(more + " more were considered") + "\n" : "");
    }

    private List<TextTable.Cell> row(ServingPlan plan, boolean chosen, Terminal terminal) {
        StepLayout layout = plan.layout();
        return List.of(
                cell(chosen ? QuantizationText.mark(terminal) : ""),
                cell(String.valueOf(plan.copies())),
                cell(String.valueOf(layout.tensor())),
                cell(String.valueOf(layout.stages())),
                cell(String.valueOf(layout.expert())),
                cell(String.valueOf(plan.devices())),
                cell(FixedText.of(
                                PERCENT * plan.memory().total() / plan.memory().capacity(), 0) + " %"),
                cell(FixedText.of(MILLI * plan.perToken().p50(), 1)),
                cell(FixedText.of(
                        plan.tokensPerSecond().p50(),
                        digits(plan.tokensPerSecond().p50()))),
                cell(verdict(plan, chosen)));
    }

    private String verdict(ServingPlan plan, boolean chosen) {
        if (chosen) {
            return "chosen";
        }
        if (!plan.memory().fits()) {
            return "does not fit";
        }
        ServingPlan best = answer.considered().getFirst();
        return switch (request.goal()) {
            case THROUGHPUT ->
                percent(1
                                - plan.tokensPerSecond().p50()
                                        / best.tokensPerSecond().p50()) + " fewer tokens";
            case LATENCY -> percent(plan.perToken().p50() / best.perToken().p50() - 1) + " slower";
            case DEVICES ->
                plan.devices() == best.devices()
                        ? percent(plan.perToken().p50() / best.perToken().p50() - 1) + " slower"
                        : Count.of(plan.devices() - best.devices(), "device") + " more";
        };
    }

    private static String percent(double share) {
        return FixedText.of(PERCENT * share, 0) + " %";
    }

    private static TextTable.Cell cell(String text) {
        return new TextTable.Cell(text, false);
    }

    /// For machines.
    public JsonValue json() {
        JsonObject.Builder object = JsonObject.builder()
                .put("schema", 1)
                .put("kind", "serving-plan")
                .put("model", model.name())
                .put("format", request.format())
                .put("inputTokens", request.input())
                .put("outputTokens", request.output())
                .put("concurrency", request.concurrency())
                .put("goal", request.goal().label());
        List<JsonValue> considered = new ArrayList<>();
        answer.considered().forEach(plan -> considered.add(json(plan)));
        switch (answer) {
            case ServingAnswer.Feasible(ServingPlan best, var _) ->
                object.put("fits", true).put("plan", json(best));
            case ServingAnswer.Infeasible(var _, var nearest) -> {
                List<JsonValue> sentences = new ArrayList<>();
                nearest.forEach(sentence -> sentences.add(new JsonString(sentence)));
                object.put("fits", false).put("nearest", sentences);
            }
        }
        return object.put("considered", considered).build();
    }

    private static JsonValue json(ServingPlan plan) {
        return JsonObject.builder()
                .put("engine", plan.software().label())
                .put("device", plan.pool().device().id())
                .put("measuredHere", plan.pool().isMeasured())
                .put("engineMeasured", plan.isMeasured())
                .put("devices", plan.devices())
                .put("copies", plan.copies())
                .put("tensorParallel", plan.layout().tensor())
                .put("pipelineParallel", plan.layout().stages())
                .put("expertParallel", plan.layout().expert())
                .put("attentionReplicas", plan.layout().replicas())
                .put("weightBytes", Math.round(plan.memory().weights()))
                .put("cacheBytes", Math.round(plan.memory().cache()))
                .put("workspaceBytes", Math.round(plan.memory().workspace()))
                .put("capacityBytes", Math.round(plan.memory().capacity()))
                .put("fits", plan.memory().fits())
                .put("firstTokenSeconds", json(plan.firstToken()))
                .put("perTokenSeconds", json(plan.perToken()))
                .put("tokensPerSecond", json(plan.tokensPerSecond()))
                .build();
    }

    private static JsonValue json(Estimate estimate) {
        return JsonObject.builder()
                .put("p10", JsonNumber.of(estimate.p10()))
                .put("p50", JsonNumber.of(estimate.p50()))
                .put("p90", JsonNumber.of(estimate.p90()))
                .build();
    }
}
