package dev.muster.cli.picture;

import dev.muster.cli.model.ServingText;
import dev.muster.cli.render.Count;
import dev.muster.core.FixedText;
import dev.muster.plan.ModelSummary;
import dev.muster.plan.search.ServingAnswer;
import dev.muster.plan.search.ServingPlan;
import dev.muster.plan.search.ServingRequest;
import dev.muster.plan.search.ServingWork;
import dev.muster.plan.time.ModelShape;
import dev.muster.plan.time.StepLayout;
import dev.muster.plan.time.StepTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A served model as a picture shows it.
final class ServingScene {
    private static final double MILLI = 1e3;
    private static final double PERCENT = 100;

    private ServingScene() {}

    static PlanScene of(ModelSummary model, ServingRequest request, ServingAnswer answer) {
        return switch (answer) {
            case ServingAnswer.Feasible(ServingPlan best, var _) ->
                new PlanScene(
                        title(model, request, best),
                        List.of(ServingText.sentence(best), asked(request), speed(best)),
                        placement(best, request),
                        List.of(chart(best, request)));
            case ServingAnswer.Infeasible(List<ServingPlan> considered, var _) -> {
                ServingPlan nearest = considered.getFirst();
                yield new PlanScene(
                        title(model, request, nearest),
                        List.of("It does not fit. The nearest: " + ServingText.sentence(nearest), asked(request)),
                        placement(nearest, request),
                        List.of());
            }
        };
    }

    private static String title(ModelSummary model, ServingRequest request, ServingPlan plan) {
        return model.name() + " in " + request.format() + " on " + plan.pool().name() + " with "
                + plan.software().display();
    }

    static String asked(ServingRequest request) {
        return "concurrency " + request.concurrency() + ", " + request.input() + " tokens in and " + request.output()
                + " out; " + request.goal().display();
    }

    private static String speed(ServingPlan plan) {
        double tokens = plan.tokensPerSecond().p50();
        return FixedText.of(tokens, tokens < PERCENT ? 1 : 0) + " tokens/s in all, TPOT "
                + FixedText.of(MILLI * plan.perToken().p50(), 1) + " ms, TTFT "
                + FixedText.of(MILLI * plan.firstToken().p50(), 1) + " ms";
    }

    private static Placement placement(ServingPlan plan, ServingRequest request) {
        StepLayout layout = plan.layout();
        int layers = (int) ModelShape.of(request.architecture()).orElseThrow().layers();
        return new MeshPlacement(
                        plan.copies(),
                        stages(layers, layout.stages()),
                        layout.tensor() * layout.replicas(),
                        plan.idle(),
                        Math.min(plan.pool().count(), plan.pool().domain()),
                        false,
                        DeviceMemory.of(plan.memory()))
                .placement(notes(layout, layers));
    }

    /// Which layers stages hold is the engine's own business where they do not divide.
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

    private static List<String> notes(StepLayout layout, int layers) {
        List<String> notes = new ArrayList<>();
        if (layout.tensor() > 1) {
            notes.add("TP " + layout.tensor() + ": each device of a group holds a part of every matrix"
                    + (layout.expert() > 1 ? ", and some of the routed experts (EP " + layout.expert() + ")." : "."));
        }
        if (layout.replicas() > 1) {
            notes.add("Attention is data parallel (DP " + layout.replicas()
                    + "): each device of a group has sequences of its own; routed experts are shared.");
        }
        if (layout.stages() > 1 && layers % layout.stages() != 0) {
            notes.add("Bars show the fullest device.");
        }
        return notes;
    }

    private static RooflineChart chart(ServingPlan plan, ServingRequest request) {
        ServingWork work = ServingWork.of(plan, request);
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
                        new RooflineChart.Mark("prefill", work.prompt(), "")));
    }
}
