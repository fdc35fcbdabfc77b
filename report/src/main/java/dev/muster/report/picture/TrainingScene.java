// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.picture;

import dev.muster.core.text.FixedText;
import dev.muster.plan.Planner;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.cost.TrainingRun;
import dev.muster.plan.cost.TrainingRun.Order;
import dev.muster.plan.cost.TrainingRun.Sharding;
import dev.muster.plan.cost.TrainingTime;
import dev.muster.plan.training.TrainingExplanation;
import dev.muster.plan.training.TrainingPlan;
import dev.muster.plan.training.TrainingRequest;
import dev.muster.report.plan.TrainingPlanText;
import dev.muster.report.text.Count;
import dev.muster.report.text.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The picture of a training plan.
final class TrainingScene {
    private static final double PERCENT = 100;

    private TrainingScene() {}

    static PlanScene of(PlanAnswer<TrainingPlan> answer) {
        TrainingPlan plan = answer.findFirst().orElseThrow();
        TrainingRequest request = plan.request();
        String title = "Training " + request.model().name() + " on "
                + plan.cluster().pool().name() + " with " + plan.software().display();
        String sentence = TrainingPlanText.sentence(plan);
        if (!plan.memory().fits()) {
            return new PlanScene(
                    title,
                    List.of("It does not fit. The nearest plan: " + sentence, requestText(request)),
                    placement(plan),
                    List.of());
        }
        return new PlanScene(
                title,
                List.of(
                        answer.isFeasible() ? sentence : "No plan meets the limits. Without them: " + sentence,
                        requestText(request),
                        speed(plan)),
                placement(plan),
                List.of(chart(plan)));
    }

    private static String requestText(TrainingRequest request) {
        return request.method().display() + " in " + request.precision().label() + ", "
                + Count.of(request.batch(), "sequence") + " of " + request.sequence() + " tokens a step; "
                + "goal: " + request.goal().display();
    }

    private static String speed(TrainingPlan plan) {
        double tokens = plan.tokensPerSecond().p50();
        return FixedText.of(tokens, tokens < PERCENT ? 1 : 0) + " tokens/s; MFU "
                + Quantity.percent(plan.utilization(), 0) + " of the 16-bit peak";
    }

    private static Placement placement(TrainingPlan plan) {
        TrainingRun run = plan.run();
        return new MeshPlacement(
                        (int) run.replicas(),
                        stages(plan),
                        (int) (run.tp() * run.cp()),
                        plan.idle(),
                        plan.cluster().perHost(),
                        run.order() == Order.REPLICAS_FIRST,
                        DeviceMemory.of(plan.memory()),
                        plan.cluster().pool().members().stream()
                                .map(device -> device.id().text())
                                .toList())
                .placement(notes(run));
    }

    private static List<String> stages(TrainingPlan plan) {
        List<String> words = new ArrayList<>();
        int stages = (int) plan.run().pp();
        for (int stage = 0; stage < stages; stage++) {
            int first = plan.firstLayer(stage);
            int count = plan.firstLayer(stage + 1) - first;
            words.add(
                    stages == 1
                            ? "all " + Count.of(count, "layer")
                            : plan.run().virtualStages() > 1
                                    ? Count.of(count, "layer") + ", interleaved x "
                                            + (int) plan.run().virtualStages()
                                    : ServingScene.layers(first, count));
        }
        return words;
    }

    private static List<String> notes(TrainingRun run) {
        List<String> notes = new ArrayList<>();
        if (run.tp() > 1) {
            notes.add("TP " + (int) run.tp() + ": devices that follow each other hold parts of every matrix.");
        }
        if (run.cp() > 1) {
            notes.add("CP " + (int) run.cp() + ": " + (run.tp() > 1 ? "such groups" : "devices")
                    + " hold parts of each sequence.");
        }
        if (run.ep() > 1) {
            notes.add("EP " + (int) run.ep() + ": devices share the experts of a layer.");
        }
        if (run.replicas() > 1) {
            notes.add(
                    switch (run.sharding()) {
                        case Sharding.NONE -> "Each replica holds all of its states.";
                        case Sharding.OPTIMIZER -> "ZeRO 1: replicas share the optimizer states.";
                        case Sharding.GRADIENTS -> "ZeRO 2: replicas share gradients and optimizer states.";
                        case Sharding.WEIGHTS -> "ZeRO 3: replicas share weights, gradients and optimizer states.";
                    });
        }
        if (run.devices() > 1) {
            notes.add("Bars show the fullest device at its peak.");
        }
        return notes;
    }

    private static RooflineChart chart(TrainingPlan plan) {
        TrainingExplanation work = Planner.explain(plan);
        TrainingTime time = plan.time();
        return new RooflineChart(
                plan.cluster().pool().name(),
                work.roofline(),
                List.of(
                        new RooflineChart.Mark("matrix multiplications", work.products(), ""),
                        RooflineChart.Mark.of(
                                "step",
                                work.wholeStep(),
                                time.seconds(),
                                Map.of(
                                        "communication", time.links() + time.replicas(),
                                        "pipeline bubble", time.bubble(),
                                        "host", time.host(),
                                        "offload", time.offload(),
                                        "stragglers", time.scale()))));
    }
}
