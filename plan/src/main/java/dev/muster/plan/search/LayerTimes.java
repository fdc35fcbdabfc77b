// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import dev.muster.plan.cost.HostMemory;
import dev.muster.plan.cost.StepTime;
import dev.muster.plan.time.LlamaCppModel;
import dev.muster.plan.time.ModelLayers;
import dev.muster.plan.time.ModelPart;
import java.util.ArrayList;
import java.util.List;

/// The time of a token in each layer under llama.cpp, on each device and on the host. The head is the last layer.
///
/// @param model the model layer by layer
/// @param devices model of llama.cpp on each device
/// @param onDevice a token in a layer on a device
/// @param withHostExperts a token in a layer whose routed experts are on the host
/// @param onHost a token in a layer on the host
record LayerTimes(
        ModelLayers model,
        List<LlamaCppModel> devices,
        List<List<StepTime>> onDevice,
        List<List<StepTime>> withHostExperts,
        List<StepTime> onHost) {
    static LayerTimes of(
            ModelLayers model, List<LlamaCppModel> devices, HostMemory host, double sequences, double context) {
        List<List<StepTime>> onDevice = new ArrayList<>();
        List<List<StepTime>> withHostExperts = new ArrayList<>();
        List<ModelPart> parts = new ArrayList<>(model.layers());
        parts.add(model.outside());
        List<StepTime> onHost = parts.stream()
                .map(part -> onHost(part, devices.getFirst(), host, sequences, context))
                .toList();
        for (LlamaCppModel device : devices) {
            onDevice.add(parts.stream()
                    .map(part -> device.decodePart(part, sequences, context))
                    .toList());
            withHostExperts.add(parts.stream()
                    .map(part -> withHostExperts(part, device, host, sequences, context))
                    .toList());
        }
        return new LayerTimes(model, devices, onDevice, withHostExperts, onHost);
    }

    /// Returns the time with experts on the host: the token goes there and back, which together costs about as much
    /// as the way between two devices: so it was on an RTX 2080 with 36 of 48 layers of experts on the host
    /// (github.com/AlexsJones/llmfit/pull/755, 2026-07).
    private static StepTime withHostExperts(
            ModelPart part, LlamaCppModel device, HostMemory host, double sequences, double context) {
        if (!part.hasExperts()) {
            return device.decodePart(part, sequences, context);
        }
        return device.decodePart(part.withoutExperts(), sequences, context)
                .plus(new StepTime(0, expertSeconds(part, host, sequences), 0, 0, 0, device.hopSeconds()));
    }

    /// Returns the time on the host, which reads the weights of a step; the overhead of a layer is that of a device.
    /// The speed of its cores is not modelled.
    private static StepTime onHost(
            ModelPart part, LlamaCppModel device, HostMemory host, double sequences, double context) {
        double rate = host.bytesPerSecond();
        double cache = sequences * device.sequenceBytes(part, context);
        double each = device.decodePart(part, sequences, context).host();
        return new StepTime(part.denseBytes() / rate, expertSeconds(part, host, sequences), cache / rate, 0, each, 0);
    }

    private static double expertSeconds(ModelPart part, HostMemory host, double sequences) {
        return part.shape().touchedExperts(sequences) * part.expertBytes() / host.bytesPerSecond();
    }

    /// Returns a layer, or the head behind the last.
    ModelPart part(int layer) {
        return layer == model.layers().size() ? model.outside() : model.layers().get(layer);
    }

    /// Returns the number of layers, the head among them.
    int layers() {
        return model.layers().size() + 1;
    }
}
