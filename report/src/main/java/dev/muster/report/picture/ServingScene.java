// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.picture;

import dev.muster.core.text.FixedText;
import dev.muster.model.ModelDimension;
import dev.muster.plan.Planner;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.cost.Parallelism;
import dev.muster.plan.cost.StepTime;
import dev.muster.plan.serving.ServingExplanation;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.report.plan.ServingText;
import dev.muster.report.text.Count;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The picture of a serving plan.
final class ServingScene {
    private static final double MILLI = 1e3;
    private static final double PERCENT = 100;

    private ServingScene() {}

    static PlanScene of(PlanAnswer<ServingPlan> answer) {
        ServingPlan plan = answer.findFirst().orElseThrow();
        ServingRequest request = plan.request();
        String title = request.model().name() + " in " + request.format().label() + " on "
                + plan.pool().name() + " with " + plan.software().display();
        return answer.isFeasible()
                ? new PlanScene(
                        title,
                        List.of(ServingText.sentence(plan), requestText(request), speed(plan)),
                        placement(plan, request),
                        List.of(chart(plan)))
                : new PlanScene(
                        title,
                        List.of(
                                "It does not fit. The nearest plan: " + ServingText.sentence(plan),
                                requestText(request)),
                        placement(plan, request),
                        List.of());
    }

    static String requestText(ServingRequest request) {
        return "concurrency " + request.concurrency() + ", " + request.input() + " tokens in and " + request.output()
                + " out; " + "goal: " + request.goal().display();
    }

    private static String speed(ServingPlan plan) {
        double tokens = plan.tokensPerSecond().p50();
        return FixedText.of(tokens, tokens < PERCENT ? 1 : 0) + " tokens/s in all, TPOT "
                + FixedText.of(MILLI * plan.timePerOutputToken().p50(), 1) + " ms, TTFT "
                + FixedText.of(MILLI * plan.timeToFirstToken().p50(), 1) + " ms";
    }

    private static Placement placement(ServingPlan plan, ServingRequest request) {
        Parallelism layout = plan.layout();
        int layers = Math.toIntExact(
                request.architecture().find(ModelDimension.LAYERS).orElseThrow());
        return new MeshPlacement(
                        plan.replicas(),
                        stages(layers, layout.pp()),
                        layout.tp() * layout.attentionDp(),
                        plan.idle(),
                        Math.min(plan.pool().count(), plan.pool().domain()),
                        false,
                        DeviceMemory.of(plan.memory()),
                        plan.pool().members().stream()
                                .map(device -> device.id().text())
                                .toList())
                .placement(notes(layout, layers));
    }

    /// Returns the stages; their layers are the engine's own choice if they do not divide.
    private static List<String> stages(int layers, int stages) {
        List<String> words = new ArrayList<>();
        int each = layers / stages;
        for (int stage = 0; stage < stages; stage++) {
            words.add(
                    stages == 1
                            ? "all " + Count.of(layers, "layer")
                            : layers % stages == 0
                                    ? layers(stage * each, each)
                                    : each + " or " + (each + 1) + " layers");
        }
        return words;
    }

    static String layers(int first, int count) {
        return count == 1 ? "layer " + first : "layers " + first + " to " + (first + count - 1);
    }

    private static List<String> notes(Parallelism layout, int layers) {
        List<String> notes = new ArrayList<>();
        if (layout.tp() > 1) {
            notes.add("TP " + layout.tp() + ": each device of a group holds a part of every matrix"
                    + (layout.ep() > 1 ? ", and some of the routed experts (EP " + layout.ep() + ")." : "."));
        }
        if (layout.attentionDp() > 1) {
            notes.add("Attention is data parallel (DP " + layout.attentionDp()
                    + "): each device of a group has sequences of its own; routed experts are shared.");
        }
        if (layout.pp() > 1 && layers % layout.pp() != 0) {
            notes.add("Bars show the fullest device.");
        }
        return notes;
    }

    private static RooflineChart chart(ServingPlan plan) {
        ServingExplanation work = Planner.explain(plan);
        StepTime step = plan.step();
        return new RooflineChart(
                plan.pool().name(),
                work.roofline(),
                List.of(
                        RooflineChart.Mark.of(
                                "decode",
                                work.decode(),
                                step.seconds(),
                                Map.of("communication", step.links(), "launches and scheduling", step.host())),
                        new RooflineChart.Mark("prefill", work.prefill(), "")));
    }
}
