// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.plan;

import static dev.muster.report.plan.PredictedFigures.figure;
import static dev.muster.report.plan.PredictedFigures.percent;
import static dev.muster.report.plan.PredictedFigures.time;

import dev.muster.core.json.JsonValue;
import dev.muster.model.ModelComponent;
import dev.muster.model.ModelSize;
import dev.muster.model.memory.WeightFormat;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.cost.DeviceMemoryUse;
import dev.muster.plan.cost.Estimate;
import dev.muster.plan.cost.StepTerm;
import dev.muster.plan.serving.TaskPlan;
import dev.muster.plan.serving.TaskRequest;
import dev.muster.report.terminal.Report;
import dev.muster.report.terminal.Terminal;
import dev.muster.report.text.Count;
import dev.muster.report.text.Quantity;
import dev.muster.report.text.Table;
import java.util.List;
import java.util.stream.Collectors;

/// The best plan for a model that does not chat, and the alternatives.
///
/// @param request the request
/// @param answer the plans
/// @param isExplained true to list the operations and bytes of each part
public record TaskText(TaskRequest request, PlanAnswer<TaskPlan> answer, boolean isExplained) implements Report {
    private static final int SHOWN = 8;
    private static final int BAR = 40;
    private static final double SECONDS_PER_HOUR = 3600;
    private static final double GIGA = 1e9;

    @Override
    public String text(Terminal terminal) {
        FactLines lines = FactLines.of(request.model(), terminal);
        if (request.parts().size() > 1) {
            lines.add("parts", request.parts().stream().map(TaskText::part).collect(Collectors.joining(", ")));
        }
        lines.add("request", requestText());
        switch (answer) {
            case PlanAnswer.Feasible<TaskPlan> found -> describe(lines, found.best());
            case PlanAnswer.Infeasible<TaskPlan> none -> {
                lines.add("answer", FactLines.SENTENCES.reason(none.closest().shortfall()));
                lines.addRemedies(none.remedies());
            }
            case PlanAnswer.Unanswered<TaskPlan> unknown ->
                lines.add("answer", FactLines.SENTENCES.reason(unknown.reason()));
        }
        return lines + "\n" + table(terminal);
    }

    private static String part(ModelComponent part) {
        return part.name() + " " + new ModelSize(part.parameters()).display();
    }

    private String requestText() {
        String what = switch (request.kind()) {
            case TEXT_GENERATION, EMBEDDING, RERANKER, TEXT_ENCODER -> "texts of " + request.input() + " tokens";
            case ENCODER_DECODER -> "texts of " + request.input() + " tokens in and " + request.output() + " out";
            case SPEECH_RECOGNITION, TEXT_TO_SPEECH -> "recordings of " + figure(request.seconds()) + " s";
            case VISION_ENCODER -> "images of " + request.width() + "x" + request.height() + " pixels";
            case IMAGE_GENERATION -> "images of " + request.width() + "x" + request.height() + " pixels in " + steps();
            case VIDEO_GENERATION ->
                "videos of " + request.width() + "x" + request.height() + " pixels and " + request.frames()
                        + " frames in " + steps();
        };
        String format = request.format().label();
        boolean isPublished =
                WeightFormat.isPublished(request.format(), request.model().architecture());
        return what + ", weights in " + format + (isPublished ? " (as published)" : "") + ", "
                + goal()
                + (request.maxLatency() < Double.POSITIVE_INFINITY
                        ? "; a batch in at most " + time(request.maxLatency())
                        : "");
    }

    private String goal() {
        return switch (request.goal()) {
            case THROUGHPUT -> "the highest throughput";
            case LATENCY -> "the lowest latency";
            case DEVICES -> "the fewest devices";
            case MEMORY -> "the least memory";
            case COST -> "the lowest cost";
            case ENERGY -> "the least energy";
        };
    }

    private String steps() {
        return Count.of(request.steps(), "step");
    }

    private void describe(FactLines lines, TaskPlan best) {
        int idle = best.pool().count() - best.devices();
        lines.add(
                "answer",
                best.engine().display() + " on " + best.devices() + " of "
                        + best.pool().count() + " x "
                        + best.pool().name() + DeviceNames.of(best.members(), best.devices()) + ": "
                        + Count.of(best.replicas(), "replica")
                        + (best.degree() > 1 ? ", each over " + best.degree() + " devices that share its tokens" : "")
                        + (idle > 0 ? "; " + Count.of(idle, "device") + " idle" : ""));
        lines.add("throughput", throughput(best));
        lines.add("latency", time(best.latency()) + " for " + batch(best));
        lines.add(
                "time",
                best.parts().stream()
                        .map(term -> term.what() + " " + time(term.seconds()))
                        .collect(Collectors.joining(", ")));
        if (isExplained) {
            best.parts().forEach(term -> lines.add("", explained(term)));
        }
        DeviceMemoryUse memory = best.memory();
        lines.add(
                "each device",
                Quantity.ofBytes(memory.weights()) + " weights (w), "
                        + (memory.kvCache() > 0 ? Quantity.ofBytes(memory.kvCache()) + " KV cache (k), " : "")
                        + Quantity.ofBytes(memory.workspace()) + " workspace (+) of "
                        + Quantity.ofBytes(memory.capacity()));
        lines.add(
                "",
                new MemoryBar(BAR, memory.total(), memory.capacity())
                        .part('w', memory.weights())
                        .part('k', memory.kvCache())
                        .part('+', memory.workspace())
                        .toString());
        lines.add("costs", best.rental(), rental -> costs(best, rental.usdPerHour()));
        lines.add(
                "based on",
                best.isMeasured()
                        ? "measurements of " + best.engine().display() + " on such devices"
                        : "measurements of other programs or devices; intervals are twice as wide, which is an estimate");
        lines.addAssumptions(answer.notes());
    }

    private static String explained(StepTerm term) {
        return term.what() + ": " + figure(term.operations() / GIGA / 1e3) + " TFLOP at "
                + figure(term.operationsPerSecond() / GIGA / 1e3) + " TFLOP/s, " + Quantity.ofBytes(term.bytes())
                + " of weights and activations, launches of " + time(term.fixed());
    }

    private String unit() {
        return switch (request.kind()) {
            case TEXT_GENERATION, EMBEDDING, TEXT_ENCODER, ENCODER_DECODER -> "sequences";
            case RERANKER -> "pairs";
            case SPEECH_RECOGNITION, TEXT_TO_SPEECH -> "seconds of sound";
            case VISION_ENCODER, IMAGE_GENERATION -> "images";
            case VIDEO_GENERATION -> "videos";
        };
    }

    private String throughput(TaskPlan plan) {
        return switch (request.kind()) {
            case IMAGE_GENERATION, VIDEO_GENERATION ->
                figure(plan.rate().times(SECONDS_PER_HOUR)) + " " + unit() + " an hour";
            case SPEECH_RECOGNITION, TEXT_TO_SPEECH ->
                figure(plan.rate()) + " times real time over all recordings ("
                        + figure(realTimeFactor(plan).p50())
                        + " as real-time factor of one): so many streams at once keep up";
            case TEXT_GENERATION, EMBEDDING, RERANKER, TEXT_ENCODER, ENCODER_DECODER ->
                figure(plan.rate()) + " " + unit() + "/s, " + figure(plan.rate().p50() * request.input()) + " tokens/s";
            case VISION_ENCODER -> figure(plan.rate()) + " images/s";
        };
    }

    /// Returns the seconds of computation for a second of one recording.
    private Estimate realTimeFactor(TaskPlan plan) {
        return plan.latency().times(1 / request.seconds());
    }

    private String batch(TaskPlan plan) {
        int batch = plan.request().batch();
        return switch (request.kind()) {
            case TEXT_GENERATION, EMBEDDING, TEXT_ENCODER, ENCODER_DECODER -> Count.of(batch, "sequence");
            case RERANKER -> Count.of(batch, "pair");
            case SPEECH_RECOGNITION, TEXT_TO_SPEECH -> Count.of(batch, "recording");
            case VISION_ENCODER, IMAGE_GENERATION -> Count.of(batch, "image");
            case VIDEO_GENERATION -> Count.of(batch, "video");
        };
    }

    private String costs(TaskPlan plan, double usdPerHour) {
        double units = plan.rate().p50() * SECONDS_PER_HOUR;
        boolean isSound = TaskDocument.isSound(request);
        double many = isSound ? SECONDS_PER_HOUR : 1000;
        return PredictedFigures.dollars(usdPerHour) + " USD an hour to rent, " + figure(usdPerHour / units * many)
                + " USD for " + (isSound ? "an hour of sound" : "1,000 " + unit());
    }

    private String table(Terminal terminal) {
        List<TaskPlan> shown = answer.considered().stream()
                .filter(plan ->
                        plan.memory().fits() || answer.considered().getFirst().equals(plan))
                .limit(SHOWN)
                .toList();
        if (shown.size() < 2) {
            return "";
        }
        return new Table<TaskPlan>(terminal)
                .mark(plan -> plan.equals(shown.getFirst()) && answer.isFeasible())
                .left("DEVICES", plan -> plan.devices() + " x " + plan.pool().name())
                .right("SHARING", TaskPlan::degree)
                .right("REPLICAS", TaskPlan::replicas)
                .right("BATCH", plan -> plan.request().batch())
                .right("LATENCY", plan -> time(plan.latency().p50()))
                .right("RATE", this::throughputShort)
                .right(
                        "MEMORY",
                        plan -> percent(plan.memory().total() / plan.memory().capacity()))
                .render(shown);
    }

    private String throughputShort(TaskPlan plan) {
        return switch (request.kind()) {
            case IMAGE_GENERATION, VIDEO_GENERATION -> figure(plan.rate().p50() * SECONDS_PER_HOUR) + " an hour";
            case SPEECH_RECOGNITION, TEXT_TO_SPEECH -> figure(plan.rate().p50()) + "x real time";
            default -> figure(plan.rate().p50()) + "/s";
        };
    }

    @Override
    public JsonValue json() {
        return TaskDocument.of(request, answer);
    }
}
