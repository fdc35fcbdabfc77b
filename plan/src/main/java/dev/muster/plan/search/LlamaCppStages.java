// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.DeviceMemoryUse;
import dev.muster.plan.cost.HostMemory;
import dev.muster.plan.cost.PlannedDevice;
import dev.muster.plan.cost.StepTime;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.time.LlamaCppModel;
import dev.muster.plan.time.ModelLayers;
import dev.muster.plan.time.ModelPart;
import java.util.List;

/// The costs of runs of a model's layers on unlike devices under llama.cpp, with the experts of the first layers on
/// the host. The head is the last layer, as llama.cpp counts it.
///
/// The embedding lies on the host, where llama.cpp keeps it. If the host is unknown, it is charged to the device with
/// the first layer, to be on the safe side.
final class LlamaCppStages implements StageCosts {
    /// Smaller prompts are multiplied where the weights are; larger ones bring the weights to a device. A constant of
    /// llama.cpp's CUDA backend (2026).
    private static final double FEWEST_STREAMED = 32;

    private final LayerTimes times;
    private final List<PlannedDevice> devices;
    private final HostMemory host;
    private final ServingRequest request;
    private final int hostExperts;
    private final int[] kinds;
    private final double[][] secondsBefore;
    private final double[] hostSecondsBefore;
    private final double[] denseBefore;
    private final double[] expertsBefore;
    private final double[] cacheBefore;

    /// Creates the costs for a number of layers with experts on the host.
    ///
    /// @param hostExperts number of first layers whose experts are on the host
    LlamaCppStages(
            LayerTimes times, List<PlannedDevice> devices, HostMemory host, ServingRequest request, int hostExperts) {
        this.times = times;
        this.devices = devices;
        this.host = host;
        this.request = request;
        this.hostExperts = hostExperts;
        this.kinds =
                devices.stream().mapToInt(device -> firstAlike(devices, device)).toArray();
        this.secondsBefore = new double[devices.size()][layers() + 1];
        this.hostSecondsBefore = new double[layers() + 1];
        this.denseBefore = new double[layers() + 1];
        this.expertsBefore = new double[layers() + 1];
        this.cacheBefore = new double[layers() + 1];
        addUp();
    }

    private static int firstAlike(List<PlannedDevice> devices, PlannedDevice device) {
        for (int other = 0; other < devices.size(); other++) {
            if (devices.get(other).isAlike(device)) {
                return other;
            }
        }
        throw new IllegalArgumentException("the device is none of the devices");
    }

    private void addUp() {
        for (int layer = 0; layer < layers(); layer++) {
            ModelPart part = times.part(layer);
            double dense = layer == headLayer() ? times.model().headBytes() : part.denseBytes();
            double cache = times.devices().getFirst().sequenceBytes(part, request.tokens());
            denseBefore[layer + 1] = denseBefore[layer] + dense;
            expertsBefore[layer + 1] = expertsBefore[layer] + part.expertBytes();
            cacheBefore[layer + 1] = cacheBefore[layer] + request.concurrency() * cache;
            hostSecondsBefore[layer + 1] =
                    hostSecondsBefore[layer] + times.onHost().get(layer).seconds();
            for (int device = 0; device < devices.size(); device++) {
                secondsBefore[device][layer + 1] =
                        secondsBefore[device][layer] + onDevice(device, layer).seconds();
            }
        }
    }

    private StepTime onDevice(int device, int layer) {
        List<List<StepTime>> table = layer < hostExperts ? times.withHostExperts() : times.onDevice();
        return table.get(device).get(layer);
    }

    @Override
    public int layers() {
        return times.layers();
    }

    private int headLayer() {
        return layers() - 1;
    }

    @Override
    public int devices() {
        return devices.size();
    }

    @Override
    public int kind(int device) {
        return kinds[device];
    }

    @Override
    public double capacity(int device) {
        DeviceFigures figures = devices.get(device).figures();
        return figures.within(LlamaCppLayout.CAPACITY_SHARE * figures.memory());
    }

    @Override
    public double seconds(int device, int from, int to) {
        return secondsBefore[device][to] - secondsBefore[device][from] + hop(from);
    }

    /// Returns the time of the transfer to a device from the one before it.
    private double hop(int from) {
        return from == 0 ? 0 : times.devices().getFirst().hopSeconds();
    }

    @Override
    public double bytes(int device, int from, int to) {
        return memory(device, from, to).total();
    }

    DeviceMemoryUse memory(int device, int from, int to) {
        boolean first = from == 0;
        boolean last = to == layers();
        ModelLayers model = times.model();
        LlamaCppModel engine = times.devices().get(device);
        int own = Math.max(from, Math.min(to, hostExperts));
        double weights = (denseBefore[to] - denseBefore[from])
                + (expertsBefore[to] - expertsBefore[own])
                + (first && !host.isUsed() ? model.embeddingBytes() - (last ? model.sharedBytes() : 0) : 0);
        double workspace = engine.layerBuffer() + engine.contextBytes() + (last ? engine.logitBuffer() : 0);
        return new DeviceMemoryUse(weights, cacheBefore[to] - cacheBefore[from], workspace, capacity(device));
    }

    /// Returns the time of the first layers on the host. The head is never there: it is the first that llama.cpp
    /// moves to a device. Nor is a whole layer while experts of others are on devices, for a step reads more of its
    /// bytes.
    @Override
    public double ahead(int layers) {
        if (!host.isUsed()) {
            return layers == 0 ? 0 : Double.POSITIVE_INFINITY;
        }
        boolean isLast = expertsBefore[hostExperts] == expertsBefore[headLayer()];
        boolean holds = (layers == 0 || isLast)
                && layers <= headLayer()
                && hostMemory(layers).fits();
        return holds ? hostSecondsBefore[layers] : Double.POSITIVE_INFINITY;
    }

    /// Returns the memory of the host: the embedding, all of the first layers, and the experts of some more.
    DeviceMemoryUse hostMemory(int layers) {
        return new DeviceMemoryUse(
                denseBefore[layers]
                        + expertsBefore[Math.max(layers, hostExperts)]
                        + times.model().embeddingBytes(),
                cacheBefore[layers],
                times.devices().getFirst().layerBuffer(),
                host.bytes());
    }

    /// Returns the layers among some whose experts are on the host.
    int expertsElsewhere(int from, int to) {
        int count = 0;
        for (int layer = from; layer < Math.min(to, hostExperts); layer++) {
            count += times.part(layer).hasExperts() ? 1 : 0;
        }
        return count;
    }

    /// Returns a step through a whole split.
    StepTime step(LayerSplit split) {
        StepTime sum = new StepTime(0, 0, 0, 0, times.devices().getFirst().stepSeconds(), 0);
        for (int layer = 0; layer < split.ahead(); layer++) {
            sum = sum.plus(times.onHost().get(layer));
        }
        for (LayerSplit.Stage stage : split.stages()) {
            sum = sum.plus(new StepTime(0, 0, 0, 0, 0, hop(stage.from())));
            for (int layer = stage.from(); layer < stage.to(); layer++) {
                sum = sum.plus(onDevice(stage.device(), layer));
            }
        }
        return sum;
    }

    /// Returns a prompt through a whole split: micro-batches follow each other through the devices. Layers on the
    /// host are computed by the first device.
    double prompt(LayerSplit split) {
        double sum = 0;
        double slowest = 0;
        int from = 0;
        for (LayerSplit.Stage stage : split.stages()) {
            double seconds = 0;
            for (int layer = from; layer < stage.to(); layer++) {
                seconds += promptLayer(stage.device(), layer, layer < split.ahead());
            }
            from = stage.to();
            sum += seconds;
            slowest = Math.max(slowest, seconds);
        }
        return times.devices().getFirst().pipelined(sum, slowest, request.input());
    }

    private double promptLayer(int device, int layer, boolean isOnHost) {
        ModelPart part = times.part(layer);
        double own = times.devices()
                .get(device)
                .prefillPart(part, request.input(), 0)
                .seconds();
        double fromHost =
                (isOnHost ? part.denseBytes() : 0) + (isOnHost || layer < hostExperts ? part.expertBytes() : 0);
        return own
                + (request.input() < FEWEST_STREAMED
                        ? fromHost / host.bytesPerSecond()
                        : fromHost
                                * LlamaCppModel.microBatches(request.input())
                                / devices.get(device).hostLink());
    }
}
