package dev.muster.plan.time;

import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.StepLayout;
import dev.muster.plan.memory.GgufFormat;
import dev.muster.plan.memory.StandardFormat;
import dev.muster.plan.memory.WeightFormat;

/// A serving engine in a release on a kind of device, with weights of a format: which coefficients it goes by.
///
/// @since 0.1
public final class ServingProfile {
    private final DeviceFigures device;
    private final double peak;
    private final Names names;

    /// The names of the coefficients, put together once: a search and a fit ask for them a million times.
    private record Names(
            Scaled memoryShare,
            Scaled kvShare,
            String groupShare,
            Scaled computeShare,
            Scaled attentionShare,
            String halfRows,
            String expertWidth,
            String expertBytes,
            String trafficBytes,
            String logitBytes,
            String layer,
            Scaled promptLayer,
            String expertLayer,
            String step,
            String sequence,
            String tensorLoss,
            String reduce,
            Scaled linkShare,
            String contention,
            String stageLoss,
            Scaled workspace,
            Scaled kvFraction,
            String release) {}

    /// A coefficient, and what one device or release differs from it.
    private record Scaled(String base, String own) {
        double value(Coefficients c) {
            return c.get(base) * c.factor(own);
        }
    }

    /// An engine on a device.
    ///
    /// @param engine such as `tensorrt-llm`
    /// @param version its release; blank for the newest
    /// @param format how the weights are stored, such as `fp8`
    public ServingProfile(String engine, String version, WeightFormat format, DeviceFigures device) {
        this.device = device;
        Units units = Units.of(format, device);
        this.peak = units.peak;
        String link = device.isSwitched() ? "link-share" : "bus-share";
        this.names = new Names(
                scaled(engine, "memory-share"),
                scaled(engine, "kv-share"),
                engine + "/group-share",
                scaled(engine, "compute-share/" + units.label),
                scaled(engine, "attention-share"),
                engine + "/half-rows",
                engine + "/expert-width",
                engine + "/expert-bytes",
                engine + "/traffic-bytes",
                engine + "/logit-bytes",
                engine + "/layer",
                scaled(engine, "prompt-layer"),
                engine + "/expert-layer",
                engine + "/step",
                engine + "/sequence",
                engine + "/tensor-loss",
                engine + "/reduce",
                scaled(engine, link),
                engine + "/bus-contention",
                engine + "/stage-loss",
                new Scaled(engine + "/workspace", engine + "/workspace/" + version),
                new Scaled(engine + "/kv-fraction", engine + "/kv-fraction/" + version),
                engine + "/release/" + version);
    }

    private Scaled scaled(String engine, String what) {
        return new Scaled(engine + "/" + what, engine + "/" + what + "/device/" + device.id());
    }

    /// Operations per second of the units that multiply weights of this format, by the data sheet.
    public double peak() {
        return peak;
    }

    /// What the engine makes of the device.
    public EngineRates rates(Coefficients c) {
        return new EngineRates(
                names.memoryShare.value(c),
                names.kvShare.value(c),
                c.factor(names.groupShare),
                peak * names.computeShare.value(c),
                device.half() * names.attentionShare.value(c),
                c.get(names.halfRows),
                c.get(names.expertWidth),
                c.get(names.expertBytes),
                c.get(names.trafficBytes),
                c.get(names.logitBytes),
                c.get(names.layer),
                names.promptLayer.value(c),
                c.get(names.expertLayer),
                c.get(names.step),
                c.get(names.sequence),
                c.get(names.tensorLoss),
                c.get(names.reduce),
                names.linkShare.value(c),
                c.get(names.contention),
                c.get(names.stageLoss));
    }

    /// Bytes that a device has for the KV cache.
    public double kvRoom(Coefficients c, WeightParts weights, StepLayout layout) {
        double free = device.memory() - weights.heldBy(layout) - names.workspace.value(c);
        return Math.max(1, names.kvFraction.value(c) * free);
    }

    /// Whether the engine was measured on the device.
    public boolean isMeasured(Coefficients c) {
        return c.has(names.memoryShare.own);
    }

    /// How much faster than usual the release is.
    public double release(Coefficients c) {
        return c.factor(names.release);
    }

    /// The units that multiply: those of the format where the device has them.
    private record Units(String label, double peak) {
        static Units of(WeightFormat format, DeviceFigures device) {
            boolean hasEight = device.eight() > device.half();
            boolean hasFour = device.four() > device.eight();
            Units half = new Units("16-bit", device.half());
            Units halfOfFour = new Units("16-bit-of-4", device.half());
            return switch (format) {
                case StandardFormat standard ->
                    switch (standard) {
                        case FP8, FP8_BLOCK -> hasEight ? new Units("8-bit", device.eight()) : half;
                        case NVFP4 -> hasFour ? new Units("4-bit", device.four()) : halfOfFour;
                        case MXFP4 -> hasFour ? new Units("mixed", device.eight()) : halfOfFour;
                        case AWQ_INT4, GPTQ_INT4 -> halfOfFour;
                        case FP32, BF16, FP16, INT8, NF4 -> half;
                    };
                case GgufFormat _ -> half;
            };
        }
    }
}
