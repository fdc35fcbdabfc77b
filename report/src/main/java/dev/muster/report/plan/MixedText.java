// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.plan;

import static dev.muster.report.plan.PredictedFigures.figure;
import static dev.muster.report.plan.PredictedFigures.time;

import dev.muster.core.json.JsonValue;
import dev.muster.core.text.FixedText;
import dev.muster.plan.ServingOutcome;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.cost.DeviceMemoryUse;
import dev.muster.plan.serving.MixedPlan;
import dev.muster.plan.serving.MixedPlan.Placement;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.report.terminal.Report;
import dev.muster.report.terminal.Terminal;
import dev.muster.report.text.Count;
import dev.muster.report.text.Quantity;
import dev.muster.report.text.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// The split of a model over unlike devices, and the alternatives.
///
/// @param outcome request and answer
public record MixedText(ServingOutcome outcome) implements Report {
    private static final int BAR = 24;
    private static final double GIGA = 1e9;

    @Override
    public String text(Terminal terminal) {
        MixedPlan best = outcome.splits().getFirst();
        FactLines lines = FactLines.of(best.request().model(), terminal);
        lines.add("request", ServingText.requestText(best.request()));
        lines.add("answer", sentence(best));
        lines.add("throughput", figure(best.tokensPerSecond()) + " tokens/s over all sequences");
        lines.add("TPOT", time(best.timePerOutputToken()));
        lines.add("TTFT", time(best.timeToFirstToken()));
        lines.add("prefill", figure(best.prefillTokensPerSecond()) + " tokens/s");
        lines.add("least room", leastRoom(best));
        lines.add("instead", instead());
        lines.add("based on", basis(best));
        return lines + "\n" + table(best, terminal) + terminal.dim("w weights, k KV cache, + compute buffer") + "\n";
    }

    @Override
    public JsonValue json() {
        return ServingDocument.of(outcome, false, Optional.empty());
    }

    public static String sentence(MixedPlan plan) {
        StringBuilder sentence = new StringBuilder(ServingEngine.LLAMA_CPP.display() + " over "
                + Count.of(plan.devices(), "device") + DeviceNames.of(plan.members(), plan.devices())
                + (plan.usesHost() ? " and the host" : "") + ", split by layers");
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
        return Quantity.ofBytes(room(fullest)) + " are left on " + name(fullest);
    }

    private static String name(Placement placement) {
        return placement.member().map(device -> device.id() + ", ").orElse("") + placement.device();
    }

    private static double room(Placement placement) {
        return whole(placement) - placement.memory().total();
    }

    private String instead() {
        List<String> parts = new ArrayList<>();
        for (MixedPlan plan : outcome.splits().subList(1, outcome.splits().size())) {
            parts.add(time(plan.timePerOutputToken().p50()) + " TPOT over " + Count.of(plan.devices(), "device"));
        }
        parts.add(
                switch (outcome.answer()) {
                    case PlanAnswer.Feasible<ServingPlan> found ->
                        time(found.best().timePerOutputToken().p50()) + " on "
                                + found.best().devices() + " x "
                                + found.best().pool().name() + " alone";
                    case PlanAnswer.Infeasible<ServingPlan> _, PlanAnswer.Unanswered<ServingPlan> _ ->
                        "it does not fit on devices of one kind";
                });
        return String.join(", ", parts);
    }

    private String basis(MixedPlan plan) {
        String devices = plan.isMeasured()
                ? "measurements of llama.cpp on such devices"
                : "measurements of llama.cpp on other devices (intervals twice as wide, an estimate)";
        return plan.usesHost()
                ? devices + ", and the host's memory at "
                        + FixedText.of(plan.host().bytesPerSecond() / GIGA, 0) + " GB/s "
                        + plan.host().basis() + " (intervals twice as wide" + (plan.isMeasured() ? "" : " again")
                        + ", an estimate)"
                : devices;
    }

    private String table(MixedPlan plan, Terminal terminal) {
        return new Table<Placement>(terminal)
                .flexible("DEVICE", 0, MixedText::name)
                .left("LAYERS", MixedText::layers)
                .right(
                        "WEIGHTS",
                        2,
                        placement -> Quantity.ofBytes(placement.memory().weights()))
                .right(
                        "KV CACHE",
                        2,
                        placement -> Quantity.ofBytes(placement.memory().kvCache()))
                .right(
                        "BUFFER",
                        3,
                        placement -> Quantity.ofBytes(placement.memory().workspace()))
                .right("OF", 1, placement -> Quantity.ofBytes(whole(placement)))
                .left("MEMORY", MixedText::bar)
                .render(plan.placements());
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

    /// Returns the free memory of a device, of which engines leave some.
    private static double whole(Placement placement) {
        return placement
                .member()
                .map(device -> device.figures().free())
                .orElse(placement.memory().capacity());
    }

    private static String bar(Placement placement) {
        DeviceMemoryUse memory = placement.memory();
        return new MemoryBar(BAR, memory.total(), whole(placement))
                .part('w', memory.weights())
                .part('k', memory.kvCache())
                .part('+', memory.workspace())
                .toString();
    }
}
