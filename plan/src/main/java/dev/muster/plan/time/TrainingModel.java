package dev.muster.plan.time;

import dev.muster.plan.time.TrainingRun.Recompute;

/// How long a token takes in training, in seconds of one device.
///
/// @since 0.1
public final class TrainingModel {
    private static final String NAME = "training";
    private static final double ACTIVATION_BYTES = 2;
    /// Bytes that the optimizer reads and writes for each parameter.
    private static final double OPTIMIZER_BYTES = 26;

    private final TrainingShape shape;
    private final DeviceFigures device;
    private final TrainingRun run;
    private final Coefficients c;

    /// A model in training.
    ///
    /// @param coefficients the fitted numbers
    public TrainingModel(TrainingShape shape, DeviceFigures device, TrainingRun run, Coefficients coefficients) {
        this.shape = shape;
        this.device = device;
        this.run = run;
        this.c = coefficients;
    }

    /// Tokens per second and device.
    public double tokensPerSecond() {
        return 1 / secondsPerToken();
    }

    private double secondsPerToken() {
        double bubble = 1 + (run.stages() - 1) / (virtualStages() * run.microBatches());
        double device = products() + attention() + traffic() + experts() + tensorLinks();
        double work = shape.expertLayers() > 0 ? Smooth.max(device, hostFloor()) : device;
        double scale = 1 + c.get(NAME + "/scale-loss") * Math.max(0, Math.log(run.devices() / 8) / Math.log(2));
        return (work * bubble + optimizer() + replicas()) * scale / framework();
    }

    private double framework() {
        String family = device.family().label();
        return c.factor(NAME + "/framework/" + run.framework())
                * c.factor(NAME + "/framework/" + run.framework() + "+" + run.precision())
                * c.factor(NAME + "/device/" + device.id() + "+" + run.precision())
                * c.factor(NAME + "/family/" + family);
    }

    private double virtualStages() {
        return run.virtualStages() > 0 ? run.virtualStages() : Math.max(1, shape.layers() / (2 * run.stages()));
    }

    /// How many times the operations of a forward pass.
    private double passes() {
        double backward = run.isAdapter() ? 1 : 2;
        return switch (run.recompute()) {
            case NONE -> 1 + backward;
            case SELECTIVE -> 1 + backward + 3 * c.get(NAME + "/selective");
            case FULL -> 2 + backward;
        };
    }

    private double rate() {
        double share = c.get(NAME + "/compute-share/" + run.precision());
        return peak() * share * shape.hidden() / (shape.hidden() + c.get(NAME + "/width") * Math.sqrt(run.tensor()));
    }

    private double peak() {
        return switch (run.precision()) {
            case "fp8", "mxfp8" -> device.eight();
            case "nvfp4" -> device.four();
            default -> device.half();
        };
    }

    private double products() {
        double inLayers = 2 * shape.denseElements() * passes() / rate();
        // The head computes in 16 bits whatever the layers do.
        double headShare = c.get(NAME + "/compute-share/bf16");
        double head = 2 * shape.headElements() * (run.isAdapter() ? 2 : 3) / (device.half() * headShare);
        return inLayers + head;
    }

    private double attention() {
        double pairs = shape.attentionNumbers() * run.sequence() / 2;
        double passes = run.recompute() == Recompute.FULL ? 4.5 : 3.5;
        return 2
                * pairs
                * passes
                / (device.half()
                        * c.get(NAME + "/attention-share")
                        * c.factor(NAME + "/attention-share/family/"
                                + device.family().label()));
    }

    private double traffic() {
        double more = run.recompute() == Recompute.FULL ? 4.0 / 3 : 1;
        return shape.layers() * shape.hidden() * c.get(NAME + "/traffic-bytes") * more / device.bandwidth();
    }

    private double experts() {
        if (shape.expertLayers() == 0) {
            return 0;
        }
        double width = shape.expertSize();
        double rate = rate() * width / (width + c.get(NAME + "/expert-width"));
        double moved = shape.expertLayers() * shape.activeExperts() * shape.hidden() * c.get(NAME + "/expert-bytes");
        return 2 * shape.activeExpertElements() * passes() / rate + moved / device.bandwidth();
    }

    /// Hosts launch many small kernels for each layer with experts, whatever the device could do.
    private double hostFloor() {
        double tokens = run.microBatch() * run.sequence() / (run.tensor() * run.context());
        return c.get(NAME + "/expert-layer")
                * c.factor(NAME + "/expert-layer/" + run.framework())
                * c.factor(NAME + "/expert-layer/release/" + run.release())
                * shape.expertLayers()
                / tokens;
    }

    /// Gathering and scattering around the matrices that devices share.
    private double tensorLinks() {
        if (run.tensor() == 1 || device.link() == 0) {
            return 0;
        }
        double operations = run.recompute() == Recompute.FULL ? 12 : 8;
        double bytes = operations * shape.layers() * shape.hidden() * ACTIVATION_BYTES * (run.tensor() - 1);
        return bytes * c.get(NAME + "/tensor-exposed") / (device.link() * 0.7);
    }

    private double tokensOfReplica() {
        return run.globalBatch() / run.replicas() * run.sequence() / (run.tensor() * run.stages() * run.context());
    }

    private double held() {
        return shape.parameters() / (run.tensor() * run.stages());
    }

    private double optimizer() {
        double trained = run.isAdapter() ? 0.01 : 1;
        return trained * held() / run.replicas() * OPTIMIZER_BYTES / (device.bandwidth() * 0.8) / tokensOfReplica();
    }

    /// What is left of gathering parameters and adding up gradients behind the computation.
    private double replicas() {
        if (run.replicas() == 1) {
            return 0;
        }
        double times = run.isSharded() ? run.microBatches() * 3 : 2;
        double link = run.devices() <= Math.max(8, device.domain()) ? device.link() : c.get(NAME + "/network");
        return times * held() * 2 * c.get(NAME + "/replica-exposed") / Math.max(link, 1e9) / tokensOfReplica();
    }
}
