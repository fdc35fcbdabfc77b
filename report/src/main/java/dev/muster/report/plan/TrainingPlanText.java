// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.plan;

import static dev.muster.report.plan.PredictedFigures.figure;

import dev.muster.core.json.JsonValue;
import dev.muster.core.text.FixedText;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.cost.Estimate;
import dev.muster.plan.cost.TrainingRun;
import dev.muster.plan.cost.TrainingRun.Offload;
import dev.muster.plan.training.OffloadStore;
import dev.muster.plan.training.TrainingExplanation;
import dev.muster.plan.training.TrainingGoal;
import dev.muster.plan.training.TrainingMemoryUse;
import dev.muster.plan.training.TrainingMethod;
import dev.muster.plan.training.TrainingPlan;
import dev.muster.plan.training.TrainingRequest;
import dev.muster.report.terminal.Report;
import dev.muster.report.terminal.Terminal;
import dev.muster.report.text.Count;
import dev.muster.report.text.Quantity;
import dev.muster.report.text.Table;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// The best training plan of a model, and the alternatives.
///
/// @param request the request
/// @param answer the answer
/// @param explanation explanation of the plan, if requested
public record TrainingPlanText(
        TrainingRequest request, PlanAnswer<TrainingPlan> answer, Optional<TrainingExplanation> explanation)
        implements Report {
    private static final int SHOWN = 8;
    private static final int BAR = 40;
    private static final double LEAST_SHOWN = 0.001;

    @Override
    public String text(Terminal terminal) {
        FactLines lines = FactLines.of(request.model(), terminal);
        lines.add("request", requestText());
        return switch (answer) {
            case PlanAnswer.Feasible<TrainingPlan> found -> {
                describe(lines, "answer", found.best());
                yield lines + explained(terminal) + "\n" + table(terminal, found.best(), found.considered())
                        + terminal.dim("the best of each combination of TP, CP and PP; " + found.tried()
                                + " runs were evaluated or ruled out")
                        + "\n";
            }
            case PlanAnswer.Infeasible<TrainingPlan> none ->
                none.closest().memory().fits() ? limited(terminal, lines, none) : tooLarge(terminal, lines, none);
            case PlanAnswer.Unanswered<TrainingPlan> unknown -> {
                lines.add("answer", FactLines.SENTENCES.reason(unknown.reason()));
                yield lines.toString();
            }
        };
    }

    @Override
    public JsonValue json() {
        return TrainingDocument.of(request, answer, explanation);
    }

    private String limited(Terminal terminal, FactLines lines, PlanAnswer.Infeasible<TrainingPlan> none) {
        lines.add("answer", "no plan meets the limits");
        lines.addRemedies(none.remedies());
        describe(lines, "without", none.closest());
        return lines + explained(terminal) + "\n" + table(terminal, none.closest(), none.considered());
    }

    private String tooLarge(Terminal terminal, FactLines lines, PlanAnswer.Infeasible<TrainingPlan> none) {
        TrainingPlan smallest = none.closest();
        lines.add(
                "answer",
                "it does not fit on " + devices(smallest) + " with "
                        + smallest.software().display() + missing(smallest.memory()));
        lines.addRemedies(none.remedies());
        memory(lines, smallest);
        offloaded(lines, smallest);
        return lines + explained(terminal);
    }

    private String explained(Terminal terminal) {
        return explanation
                .map(one -> "\n" + ExplanationText.of(answer.considered().getFirst(), one, terminal))
                .orElse("");
    }

    private static String missing(TrainingMemoryUse memory) {
        return memory.total() > memory.capacity()
                ? ": at least " + Quantity.ofBytes(memory.total()) + " are needed on a device that has "
                        + Quantity.ofBytes(memory.capacity())
                : ": at least " + Quantity.ofBytes(memory.hosted()) + " of the host are needed for each device, and "
                        + Quantity.ofBytes(memory.hostCapacity()) + " there are";
    }

    private String requestText() {
        String rank = request.method().hasRank() ? " of rank " + request.rank() + " beside all matrices" : "";
        return request.method().display() + rank + " in " + request.precision().label() + ", "
                + Count.of(request.batch(), "sequence") + " of " + request.sequence() + " tokens a step, "
                + "goal: " + request.goal().display();
    }

    private static String devices(TrainingPlan plan) {
        List<DevicePool> kinds = plan.cluster().kinds();
        if (!kinds.isEmpty()) {
            return plan.cluster().devices() + " devices ("
                    + kinds.stream()
                            .map(kind -> kind.count() + " x " + kind.name())
                            .collect(Collectors.joining(", "))
                    + ")";
        }
        return plan.cluster().devices() + " x " + plan.cluster().pool().name();
    }

    private void describe(FactLines lines, String name, TrainingPlan best) {
        lines.add(name, sentence(best));
        lines.add("works by", pieces(best.run()));
        unlike(lines, best);
        lines.add(
                "step",
                seconds(best.stepSeconds().p50()) + " ("
                        + seconds(best.stepSeconds().p10()) + " to "
                        + seconds(best.stepSeconds().p90()) + ")" + generation());
        lines.add(
                "throughput",
                figure(best.tokensPerSecond()) + " tokens/s, "
                        + figure(best.tokensPerSecond().p50() / best.devices()) + " for each device; MFU "
                        + Quantity.percent(best.utilization(), 0) + " of the 16-bit rate");
        if (request.limits().tokens() > 0) {
            TrainingBillText.of(best).add(lines);
        }
        lines.add("time", TimeShares.of(best.time()).text());
        memory(lines, best);
        offloaded(lines, best);
        lines.add("based on", basis(best));
        lines.addAssumptions(answer.notes());
    }

    private static void unlike(FactLines lines, TrainingPlan plan) {
        List<String> waiting =
                plan.cluster().waiting().stream().map(DevicePool::name).toList();
        if (!waiting.isEmpty()) {
            lines.add(
                    "unlike",
                    String.join(", ", waiting) + " wait for the slowest: all hold equal parts, limited by the smallest"
                            + " memory, and communicate through the host");
        }
    }

    private String generation() {
        return request.method() == TrainingMethod.Simple.RLHF ? "; generating the answers to train on is extra" : "";
    }

    private static void memory(FactLines lines, TrainingPlan plan) {
        TrainingMemoryUse memory = plan.memory();
        lines.add(
                "fullest",
                Quantity.ofBytes(memory.weights()) + " weights (w), " + Quantity.ofBytes(memory.gradients())
                        + " gradients (g), " + Quantity.ofBytes(memory.optimizer()) + " optimizer (o), "
                        + Quantity.ofBytes(memory.activations()) + " activations (a), "
                        + Quantity.ofBytes(memory.workspace()) + " workspace (+) of "
                        + Quantity.ofBytes(memory.capacity()));
        lines.add("", bar(memory) + (plan.isTight() ? " tight: the peak's interval exceeds the device's memory" : ""));
    }

    private static void offloaded(FactLines lines, TrainingPlan plan) {
        if (plan.run().offload() == Offload.NONE) {
            return;
        }
        OffloadStore store = plan.cluster().store();
        TrainingMemoryUse memory = plan.memory();
        String place = store.place() == OffloadStore.Place.HOST ? "the host" : "the host's drives";
        lines.add(
                "outside",
                Quantity.ofBytes(memory.hosted()) + " of " + place + " for each device"
                        + (store.isRoomKnown() ? ", which has " + Quantity.ofBytes(memory.hostCapacity()) : "")
                        + ": "
                        + (plan.run().offload() == Offload.ALL
                                ? "weights, gradients and optimizer states; layers are loaded one after the other,"
                                        + " overlapped with the passes"
                                : "optimizer states; the optimizer's step there is not overlapped"));
        if (!store.assumptions().isEmpty()) {
            lines.add("assumed", String.join("; ", FactLines.SENTENCES.assumptions(plan.cluster())));
        }
    }

    /// Returns the plan in a sentence: `TP 4 x PP 2 x DP 8`, with an explanation for newcomers.
    public static String sentence(TrainingPlan plan) {
        return plan.software().display() + " on " + plan.devices() + " of " + devices(plan)
                + DeviceNames.of(plan.members(), plan.devices()) + ": " + degrees(plan.run())
                + (plan.idle() > 0 ? "; " + Count.of(plan.idle(), "device") + " idle" : "");
    }

    private static Degrees degrees(TrainingRun run) {
        String interleaved =
                run.virtualStages() > 1 ? ", " + count(run.virtualStages()) + " interleaved on each device" : "";
        return new Degrees()
                .add("TP", run.tp(), "each layer over %s devices")
                .add("CP", run.cp(), "each sequence over %s")
                .add("PP", run.pp(), "%s stages of layers" + interleaved)
                .add("EP", run.ep(), "experts over %s")
                .add("DP", run.replicas(), "%s replicas");
    }

    private static String pieces(TrainingRun run) {
        String recompute = switch (run.recompute()) {
            case NONE -> "no recompute";
            case SELECTIVE -> "selective recompute (norms and activations)";
            case FULL -> "full recompute (whole blocks)";
        };
        String sharded = switch (run.sharding()) {
            case NONE -> "";
            case OPTIMIZER -> ", optimizer states sharded over replicas (ZeRO 1)";
            case GRADIENTS -> ", gradients and optimizer states sharded over replicas (ZeRO 2)";
            case WEIGHTS -> ", weights, gradients and optimizer states sharded over replicas (ZeRO 3)";
        };
        return "micro-batch " + count(run.microBatch()) + ", gradient accumulation " + count(run.microBatches()) + "; "
                + recompute + (run.replicas() > 1 ? sharded : "");
    }

    private static String basis(TrainingPlan plan) {
        String device = plan.cluster().pool().isMeasured() ? "what 'muster calibrate' measured here" : "a data sheet";
        return plan.isMeasured()
                ? "measurements of " + plan.software().display() + " on such devices, and " + device
                : "measurements of " + plan.software().display()
                        + (plan.run().offload() == Offload.NONE
                                ? " on other devices, and "
                                : " with all on devices, and ")
                        + device
                        + "; intervals are twice as wide, which is an estimate";
    }

    private static String bar(TrainingMemoryUse memory) {
        return new MemoryBar(BAR, memory.total(), memory.capacity())
                .part('w', memory.weights())
                .part('g', memory.gradients())
                .part('o', memory.optimizer())
                .part('a', memory.activations())
                .part('+', memory.workspace())
                .toString();
    }

    private String table(Terminal terminal, TrainingPlan best, List<TrainingPlan> considered) {
        return new Table<TrainingPlan>(terminal)
                .mark(plan -> plan.equals(best))
                .right("TP", plan -> count(plan.run().tp()))
                .right("CP", 1, plan -> count(plan.run().cp()))
                .right("PP", plan -> count(plan.run().pp()))
                .right("VPP", 3, plan -> count(plan.run().virtualStages()))
                .right("EP", 2, plan -> count(plan.run().ep()))
                .right("DP", plan -> count(plan.run().replicas()))
                .right("MICRO", 1, plan -> count(plan.run().microBatch()))
                .left("RECOMPUTE", 2, plan -> plan.run().recompute().name().toLowerCase(Locale.ROOT))
                .right(
                        "MEMORY",
                        plan -> Quantity.percent(
                                plan.memory().total() / plan.memory().capacity(), 0))
                .right("STEP", plan -> seconds(plan.stepSeconds().p50()))
                .right("TOKENS/S", plan -> figure(plan.tokensPerSecond().p50()))
                .left("VERDICT", plan -> plan.equals(best) ? "chosen" : verdict(plan, best))
                .render(considered.subList(0, Math.min(SHOWN, considered.size())));
    }

    private String verdict(TrainingPlan plan, TrainingPlan best) {
        if (plan.isTight() && !best.isTight()) {
            return "tight";
        }
        double slower = plan.stepSeconds().p50() / best.stepSeconds().p50() - 1;
        double dearer = plan.devices()
                        * plan.stepSeconds().p50()
                        / (best.devices() * best.stepSeconds().p50())
                - 1;
        int more = plan.devices() - best.devices();
        if (request.goal() == TrainingGoal.DEVICES && more > 0) {
            return Count.of(more, "device") + " more";
        }
        return switch (request.goal()) {
            case COST -> percent(dearer) + " more device time";
            case ENERGY -> percent(joules(plan) / joules(best) - 1) + " more energy";
            case SPEED, DEVICES -> percent(slower) + " slower";
        };
    }

    private static double joules(TrainingPlan plan) {
        return plan.joulesPerToken().find().map(Estimate::p50).orElse(Double.NaN);
    }

    private static String percent(double share) {
        return share < LEAST_SHOWN ? "less than 0.1 %" : Quantity.percent(share, share < 0.1 ? 1 : 0);
    }

    private static String count(double value) {
        return String.valueOf(Math.round(value));
    }

    private static String seconds(double value) {
        return value < 1 ? FixedText.of(1000 * value, 0) + " ms" : FixedText.of(value, value < 100 ? 2 : 0) + " s";
    }
}
