// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.picture;

import dev.muster.core.text.FixedText;
import dev.muster.plan.serving.MixedPlan;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.report.picture.Frames.Group;
import dev.muster.report.picture.Frames.Host;
import dev.muster.report.picture.Placement.Device;
import dev.muster.report.plan.MixedText;
import dev.muster.report.text.Count;
import dev.muster.report.text.Quantity;
import java.util.ArrayList;
import java.util.List;

/// The picture of a model split over unlike devices. Without a roofline: each kind has its own.
final class MixedScene {
    private static final double MILLI = 1e3;

    private MixedScene() {}

    static PlanScene of(MixedPlan plan) {
        ServingRequest request = plan.request();
        return new PlanScene(
                request.model().name() + " in " + request.format().label() + " with "
                        + ServingEngine.LLAMA_CPP.display(),
                List.of(
                        MixedText.sentence(plan),
                        ServingScene.requestText(request),
                        FixedText.of(plan.tokensPerSecond().p50(), 1) + " tokens/s in all, TPOT "
                                + FixedText.of(MILLI * plan.timePerOutputToken().p50(), 1) + " ms, TTFT "
                                + FixedText.of(MILLI * plan.timeToFirstToken().p50(), 1) + " ms"),
                placement(plan),
                List.of());
    }

    private static String layers(MixedPlan.Placement placed) {
        List<String> parts = new ArrayList<>();
        if (placed.layers() > 0) {
            parts.add(ServingScene.layers(placed.firstLayer(), placed.layers()));
        }
        if (placed.hasHead()) {
            parts.add("head");
        }
        if (placed.expertsElsewhere() > 0) {
            parts.add("experts of " + Count.of(placed.expertsElsewhere(), "layer") + " on the host");
        }
        return parts.isEmpty() ? "routed experts" : String.join(", ", parts);
    }

    private static Placement placement(MixedPlan plan) {
        List<Device> devices = new ArrayList<>();
        for (MixedPlan.Placement placed : plan.placements()) {
            DeviceMemory memory = DeviceMemory.of(placed.memory());
            List<String> lines = new ArrayList<>(List.of(layers(placed)));
            memory.parts().forEach(part -> lines.add(part.kind().display() + " " + Quantity.ofBytes(part.bytes())));
            lines.add("free " + Quantity.ofBytes(memory.free()) + " of " + Quantity.ofBytes(memory.capacity()));
            devices.add(new Device(
                    placed.member()
                            .map(device -> device.id() + ", " + placed.device())
                            .orElse("memory of the host"),
                    lines,
                    memory));
        }
        List<String> notes = new ArrayList<>();
        if (plan.placements().size() > 1) {
            notes.add("Layers go through the devices from left to right.");
        }
        plan.idle().forEach(name -> notes.add(name + " is unused: it would slow the model down."));
        List<Device> drawn = devices.subList(0, Math.min(devices.size(), MeshPlacement.MOST_DRAWN));
        if (drawn.size() < devices.size()) {
            notes.add("Shown are the first " + drawn.size() + " of " + devices.size() + " devices.");
        }
        return new Placement(List.of(new Host<>("host", List.of(new Group<>("one replica", drawn)))), false, notes);
    }
}
