// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.model.tensor.StoredWeights;
import dev.muster.plan.cost.ErrorInterval;
import dev.muster.plan.cost.Estimate;
import dev.muster.plan.cost.HostMemory;
import dev.muster.plan.cost.MeasuredClass;
import dev.muster.plan.cost.PlannedDevice;
import dev.muster.plan.cost.StepTime;
import dev.muster.plan.serving.MixedPlan;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.time.Coefficients;
import dev.muster.plan.time.Interruption;
import dev.muster.plan.time.LlamaCppModel;
import dev.muster.plan.time.ModelLayers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Splits a model by layers over unlike devices as llama.cpp does, and leaves on the host what does not fit: routed
/// experts first, because a step reads least of them for each byte that they take. The time per token is the least that
/// the cost model knows: every order of the devices, every cut between layers and every number of layers whose experts
/// stay on the host is considered. Immutable and safe to share between threads.
public record MixedSearch(Coefficients coefficients) {
    /// More layers than any published model has; the cost of the search grows with their square.
    private static final int MAX_LAYERS = 512;

    public static MixedSearch of(Coefficients coefficients) {
        return new MixedSearch(coefficients);
    }

    /// Returns plans that fit, for each number of devices the one with the least time per token, the best first;
    /// empty if nothing fits. Unknown if the architecture or the format is not known well enough.
    ///
    /// @param devices the devices of one machine
    /// @param host memory of that machine that may be used; [HostMemory#NONE] where devices have to hold everything
    /// @throws IllegalArgumentException without a device
    public Reading<List<MixedPlan>> find(ServingRequest request, List<PlannedDevice> devices, HostMemory host) {
        if (devices.isEmpty()) {
            throw new IllegalArgumentException("a split needs a device");
        }
        Reading<StoredWeights> stored = StoredWeights.of(request.architecture(), request.format());
        if (stored instanceof Reading.Unknown<StoredWeights>(UnknownReason reason, String detail)) {
            return Reading.unknown(reason, detail);
        }
        Optional<ModelLayers> layers =
                ModelLayers.of(request.architecture(), stored.find().orElseThrow());
        if (layers.isEmpty()) {
            return Reading.unknown(UnknownReason.NOT_STATED, "the architecture of the model is not known");
        }
        if (layers.get().layers().size() > MAX_LAYERS) {
            return Reading.unknown(UnknownReason.NOT_SUPPORTED, "the model has more than " + MAX_LAYERS + " layers");
        }
        return stored.map(_ -> plans(request, layers.get(), fastestFirst(devices), host));
    }

    /// Returns the order of equal plans, and of all if too many devices differ to try every order.
    private static List<PlannedDevice> fastestFirst(List<PlannedDevice> devices) {
        return devices.stream()
                .sorted(Comparator.comparingDouble(
                                (PlannedDevice device) -> -device.figures().bandwidth())
                        .thenComparingDouble(device -> -device.figures().memory())
                        .thenComparing(PlannedDevice::name))
                .toList();
    }

    private List<MixedPlan> plans(
            ServingRequest request, ModelLayers model, List<PlannedDevice> devices, HostMemory host) {
        List<LlamaCppModel> times = devices.stream()
                .map(device -> new LlamaCppModel(
                        model.whole().shape(), model.whole().weights(), device.figures(), 1, true, coefficients))
                .toList();
        LayerTimes layers = LayerTimes.of(model, times, host, request.concurrency(), request.meanContext());
        Map<Integer, Found> byDevices = new TreeMap<>();
        for (int experts : hostExperts(model, host)) {
            LlamaCppStages stages = new LlamaCppStages(layers, devices, host, request, experts);
            for (LayerSplit split : splits(stages)) {
                Interruption.check();
                Found found = new Found(stages, split, experts);
                byDevices.merge(split.stages().size(), found, Found::faster);
            }
        }
        List<MixedPlan> plans = new ArrayList<>();
        byDevices.values().forEach(found -> plans.add(plan(found, request, devices, times, host)));
        plans.sort(order(request.goal()));
        return plans;
    }

    /// A split with its costs.
    private record Found(LlamaCppStages stages, LayerSplit split, int hostExperts) {
        Found faster(Found other) {
            return other.split.seconds() < split.seconds() ? other : this;
        }
    }

    private static List<LayerSplit> splits(LlamaCppStages stages) {
        return LayerSplit.canTryEveryOrder(stages)
                ? LayerSplit.inAnyOrder(stages, LayerSplit.Goal.SUM)
                : LayerSplit.inOrder(stages, LayerSplit.Goal.SUM).stream().toList();
    }

    /// Returns the numbers of first layers whose experts may stay on the host.
    private static List<Integer> hostExperts(ModelLayers model, HostMemory host) {
        List<Integer> counts = new ArrayList<>(List.of(0));
        for (int layer = 0; host.isUsed() && layer < model.layers().size(); layer++) {
            if (model.layers().get(layer).hasExperts()) {
                counts.add(layer + 1);
            }
        }
        return counts;
    }

    private MixedPlan plan(
            Found found,
            ServingRequest request,
            List<PlannedDevice> devices,
            List<LlamaCppModel> times,
            HostMemory host) {
        LayerSplit split = found.split;
        StepTime step = found.stages.step(split);
        double prompt = found.stages.prompt(split);
        double sequences = request.concurrency();
        double busy = request.output() / (prompt + request.output() * step.seconds() / sequences);
        double running = sequences * request.output() / (prompt + request.output() * step.seconds());
        boolean measured = split.stages().stream()
                .allMatch(stage -> times.get(stage.device()).isMeasured());
        boolean usesHost = split.ahead() > 0 || found.hostExperts > 0;
        MeasuredClass speed =
                request.concurrency() == 1 ? MeasuredClass.SINGLE_STREAM_DECODE : MeasuredClass.STATIC_BATCH;
        ErrorInterval decode = widened(speed, measured, usesHost);
        ErrorInterval prefill = widened(MeasuredClass.PREFILL, measured, usesHost);
        return new MixedPlan(
                request,
                host,
                placements(found, devices),
                idle(split, devices),
                found.hostExperts,
                Estimate.of(prompt, prefill.inverse()),
                Estimate.of(step.seconds(), decode.inverse()),
                Estimate.of(Math.min(busy, running), decode),
                Estimate.of(request.input() / prompt, prefill),
                step,
                measured,
                usesHost);
    }

    /// Returns an interval twice as wide, in logarithms, for each condition without measurements: both are estimates.
    private ErrorInterval widened(MeasuredClass measuredClass, boolean measured, boolean usesHost) {
        ErrorInterval interval = coefficients.interval(measuredClass);
        ErrorInterval ofDevices = measured ? interval : interval.doubled();
        return usesHost ? ofDevices.doubled() : ofDevices;
    }

    private static List<MixedPlan.Placement> placements(Found found, List<PlannedDevice> devices) {
        LlamaCppStages stages = found.stages;
        LayerSplit split = found.split;
        List<MixedPlan.Placement> placements = new ArrayList<>();
        if (split.ahead() > 0 || found.hostExperts > 0) {
            placements.add(new MixedPlan.Placement(
                    Optional.empty(), "host", true, 0, split.ahead(), false, 0, stages.hostMemory(split.ahead())));
        }
        for (LayerSplit.Stage stage : split.stages()) {
            boolean head = stage.to() == stages.layers();
            placements.add(new MixedPlan.Placement(
                    Optional.of(devices.get(stage.device())),
                    devices.get(stage.device()).name(),
                    false,
                    stage.from(),
                    stage.to() - stage.from() - (head ? 1 : 0),
                    head,
                    stages.expertsElsewhere(stage.from(), stage.to()),
                    stages.memory(stage.device(), stage.from(), stage.to())));
        }
        return placements;
    }

    private static List<String> idle(LayerSplit split, List<PlannedDevice> devices) {
        List<String> idle = new ArrayList<>();
        for (int device = 0; device < devices.size(); device++) {
            int wanted = device;
            if (split.stages().stream().noneMatch(stage -> stage.device() == wanted)) {
                idle.add(devices.get(device).id().text());
            }
        }
        return idle;
    }

    /// Returns the order by goal; then time per token, then fewer devices. Other goals than throughput and few
    /// devices mean the least time per token.
    private static Comparator<MixedPlan> order(ServingGoal goal) {
        Comparator<MixedPlan> byTime = Comparator.comparingDouble(
                        (MixedPlan plan) -> plan.timePerOutputToken().p50())
                .thenComparingInt(MixedPlan::devices);
        if (goal == ServingGoal.THROUGHPUT) {
            return Comparator.comparingDouble(
                            (MixedPlan plan) -> -plan.tokensPerSecond().p50())
                    .thenComparing(byTime);
        }
        return goal == ServingGoal.DEVICES
                ? Comparator.comparingInt(MixedPlan::devices).thenComparing(byTime)
                : byTime;
    }
}
