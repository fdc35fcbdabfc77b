// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

import dev.muster.model.memory.GgufFormat;
import dev.muster.model.memory.StandardFormat;
import dev.muster.model.memory.WeightFormat;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.Parallelism;

/// The coefficients of a serving engine in a release on a kind of device, with weights of a format.
public final class ServingProfile {
    /// The least number of experts of models whose makers publish 8-bit weights in blocks.
    private static final double FINE_EXPERTS = 64;

    private static final double SERVED = 0.9;
    private static final double LEAST = 0.05;
    private static final double WORKSPACE = 4e9;
    private static final double ADA = 8.9;
    private static final double HOPPER = 9.0;
    private static final double BLACKWELL = 10.0;
    private static final double GRAPHICS_BLACKWELL = 12.0;
    private static final String SHARED = "serving";
    private static final double TERA = 1e12;
    private static final double GIGA = 1e9;

    private final DeviceFigures device;
    private final double peak;
    private final Names names;

    /// The names of the coefficients, built once: a search and a fit use them a million times.
    private record Names(
            Scaled memoryShare,
            Scaled kvShare,
            String narrowKv,
            String groupShare,
            Scaled halfShare,
            Scaled narrowShare,
            Scaled attentionShare,
            Scaled decodeAttention,
            Scaled launch,
            Scaled walk,
            Scaled quantizeBytes,
            ExpertNames experts,
            Scaled trafficBytes,
            Scaled logitBytes,
            Scaled layer,
            Scaled expertLayer,
            Scaled attentionLayer,
            Scaled headLayer,
            Scaled latentLayer,
            Scaled sparseLayer,
            Scaled stateLayer,
            Scaled step,
            Scaled sequence,
            Scaled promptStep,
            Scaled promptLayer,
            Scaled promptLatent,
            Scaled promptState,
            String reduceTime,
            Scaled reduce,
            Scaled linkShare,
            Scaled contention,
            Scaled stageLoss,
            Scaled workspace,
            Scaled kvFraction,
            Scaled firstToken,
            Scaled firstUser,
            Scaled firstPromptToken,
            String release) {}

    /// The names of the figures of one kernel for experts, and of the engines' factors.
    private record ExpertNames(ExpertKernel kernel, Scaled launch, Scaled memoryShare, Scaled arithmetic, Scaled skew) {
        EngineRates.Experts rates(Coefficients c, double peak) {
            return new EngineRates.Experts(
                    kernel.launch() * launch.value(c),
                    kernel.memoryShare() * memoryShare.value(c),
                    peak * kernel.computeShare() * arithmetic.value(c),
                    kernel.tileRows(),
                    kernel.bytes(),
                    kernel.width(),
                    skew.value(c));
        }
    }

    /// The names of a coefficient of many engines, of this engine's factor, and of those of one device or release.
    private record Scaled(String base, String engine, String own) {
        double value(Coefficients c) {
            return c.get(base) * c.factor(engine) * c.factor(own);
        }
    }

    /// Creates a profile of an engine on a device.
    ///
    /// @param engine such as `tensorrt-llm`
    /// @param version release; blank for the newest
    /// @param format weight format, such as `fp8`
    public ServingProfile(String engine, String version, WeightFormat format, DeviceFigures device) {
        this.device = device;
        Units units = Units.of(format, device);
        this.peak = units.peak;
        String generation = generation(device);
        Naming named = Naming.of(engine, generation, device);
        this.names = new Names(
                named.ofDevice("memory-share"),
                named.ofDevice("kv-share"),
                "serving/narrow-kv/" + generation,
                engine + "/group-share",
                named.ofSilicon("compute-share/16-bit"),
                named.ofSilicon("compute-share/" + units.label),
                named.ofSilicon("attention-share"),
                named.ofSilicon("decode-attention-share"),
                named.ofGeneration("launch"),
                named.ofDevice("walk"),
                named.ofDevice("quantize-bytes"),
                new ExpertNames(
                        ExpertKernel.of(engine, generation, units.kernel),
                        named.ofDevice("expert-launch"),
                        named.ofDevice("expert-memory-share"),
                        named.ofDevice("expert-compute-share"),
                        named.ofDevice("expert-skew")),
                named.ofDevice("traffic-bytes"),
                named.ofDevice("logit-bytes"),
                named.ofGeneration("layer"),
                named.ofGeneration("expert-layer"),
                named.ofGeneration("attention-layer"),
                named.ofDevice("head-layer"),
                named.ofDevice("latent-layer"),
                named.ofDevice("sparse-layer"),
                named.ofDevice("state-layer"),
                named.ofGeneration("step"),
                named.ofDevice("sequence"),
                named.ofDevice("prompt-step"),
                named.ofGeneration("prompt-layer"),
                named.ofDevice("prompt-latent-layer"),
                named.ofDevice("prompt-state-layer"),
                named.reduceTime(),
                named.ofGeneration("reduce"),
                device.isSwitched() ? named.ofLink("link-share") : named.ofDevice("bus-share"),
                named.ofDevice("bus-contention"),
                named.ofDevice("stage-loss"),
                named.ofRelease("workspace", version),
                named.ofRelease("kv-fraction", version),
                named.ofDevice("first-token"),
                named.ofDevice("first-token-of-user"),
                named.ofDevice("first-token-of-prompt"),
                engine + "/release/" + version);
    }

    /// Returns the format of the kernels: 8-bit weights of models with many experts or latent attention are scaled
    /// block by block.
    public static WeightFormat multiplied(WeightFormat format, ModelShape shape) {
        boolean isBlocked = shape.isLatent() || shape.experts() >= FINE_EXPERTS;
        return format == StandardFormat.FP8 && isBlocked ? StandardFormat.FP8_BLOCK : format;
    }

    /// The names of an engine's coefficients. Today's engines share those of kernels, and differ in overheads; those
    /// with whole sets in the table share nothing.
    ///
    /// Devices of a generation with the same peak have the same silicon, whatever memory stands beside it, and
    /// multiply alike: an H200 is an H100 there. Likewise for switched links of one rate.
    private record Naming(String engine, String base, String generation, DeviceFigures device) {
        static Naming of(String engine, String generation, DeviceFigures device) {
            boolean isApart = CoefficientTable.builtIn().has(engine + "/memory-share");
            return new Naming(engine, isApart ? engine : SHARED, generation, device);
        }

        Scaled ofDevice(String what) {
            return scaled(what, base + "/" + what + "/device/" + device.id());
        }

        Scaled ofSilicon(String what) {
            return scaled(what, base + "/" + what + "/silicon/" + of(device.half() / TERA));
        }

        Scaled ofLink(String what) {
            return scaled(what, base + "/" + what + "/link/" + of(device.link() / GIGA));
        }

        private String of(double rate) {
            boolean isKnown = device.computeCapability().isKnown() && rate > 0;
            return isKnown ? generation + "-" + Math.round(rate) : device.id();
        }

        Scaled ofGeneration(String what) {
            return scaled(what, base + "/" + what + "/generation/" + generation);
        }

        Scaled ofRelease(String what, String version) {
            return scaled(what, engine + "/" + what + "/" + version);
        }

        private Scaled scaled(String what, String own) {
            return new Scaled(base + "/" + what, engine + "/" + what + "/own", own);
        }

        /// Returns the measured all-reduce: the engine's own, or else NCCL's.
        String reduceTime() {
            String own = "reduce/" + generation + "/" + engine;
            return CoefficientTable.builtIn().has(own) ? own : "reduce/" + generation + "/nccl";
        }
    }

    /// Returns the generation: devices with the same kernels; unknown ones are taken for the oldest with units for
    /// 8-bit numbers. GB10 has the instructions of graphics cards.
    private static String generation(DeviceFigures device) {
        double capability = device.computeCapability().find().orElse(HOPPER);
        return switch (device.family()) {
            case AMD_HBM -> "cdna";
            case OTHER -> "other";
            case NVIDIA_GDDR -> "rtx";
            default ->
                capability >= GRAPHICS_BLACKWELL
                        ? "rtx"
                        : capability >= BLACKWELL ? "blackwell" : capability < ADA ? "ampere" : "hopper";
        };
    }

    /// Returns the operations per second of the units that multiply weights of this format, by the data sheet.
    public double peak() {
        return peak;
    }

    /// Returns the rates that the engine reaches on the device.
    ///
    /// @param kvBytes bytes of one key or value
    public EngineRates rates(Coefficients c, double kvBytes) {
        double narrow = kvBytes < 2 ? c.factor(names.narrowKv) : 1;
        return new EngineRates(
                names.memoryShare.value(c),
                names.kvShare.value(c) * narrow,
                c.factor(names.groupShare),
                new EngineRates.Products(
                        names.launch.value(c),
                        names.walk.value(c),
                        device.half() * names.halfShare.value(c),
                        peak * names.narrowShare.value(c),
                        names.quantizeBytes.value(c)),
                names.experts.rates(c, peak),
                device.half() * names.attentionShare.value(c),
                device.half() * names.decodeAttention.value(c),
                names.trafficBytes.value(c),
                names.logitBytes.value(c),
                new EngineRates.Layers(
                        names.layer.value(c),
                        names.expertLayer.value(c),
                        names.attentionLayer.value(c),
                        names.headLayer.value(c),
                        names.latentLayer.value(c),
                        names.sparseLayer.value(c),
                        names.stateLayer.value(c)),
                names.step.value(c),
                names.sequence.value(c),
                new EngineRates.Prompts(
                        names.promptStep.value(c),
                        names.promptLayer.value(c),
                        names.promptLatent.value(c),
                        names.promptState.value(c)),
                new EngineRates.Links(
                        c.get(names.reduceTime) * names.reduce.value(c),
                        names.linkShare.value(c),
                        names.contention.value(c)),
                names.stageLoss.value(c));
    }

    /// Returns the bytes of a device for the KV cache.
    public double kvRoom(Coefficients c, WeightParts weights, Parallelism layout) {
        double free = device.memory() - weights.heldBy(layout) - workspace(c);
        return Math.max(1, names.kvFraction.value(c) * free);
    }

    /// Returns the bytes that the engine takes beside weights and KV cache.
    public double workspace(Coefficients c) {
        return names.workspace.value(c);
    }

    /// Returns the bytes that a server leaves for the KV cache: nine tenths of the device without weights and
    /// workspace; less if these are as large.
    public double serverRoom(WeightParts weights, Parallelism layout) {
        return Math.max(LEAST * device.memory(), SERVED * device.memory() - weights.heldBy(layout) - WORKSPACE);
    }

    /// The delay before an engine begins with a prompt: HTTP, tokenizer, queues between processes.
    ///
    /// @param fixed seconds for each request
    /// @param perUser additional seconds for each user
    /// @param perToken additional seconds for each token of the prompt
    public record FirstToken(double fixed, double perUser, double perToken) {}

    /// Returns the delay before the engine begins with a prompt.
    ///
    /// @param client client that sends requests and takes the time; blank for the engines' own benchmark beside the
    /// server
    public FirstToken firstToken(Coefficients c, String client) {
        double slower = client.isEmpty() ? 1 : c.factor("client/" + client + "/first-token");
        return new FirstToken(
                slower * names.firstToken.value(c), names.firstUser.value(c), names.firstPromptToken.value(c));
    }

    /// Reports whether the engine was measured on the device.
    public boolean isMeasured(Coefficients c) {
        return c.has(names.memoryShare.own);
    }

    /// Returns the speed of the release relative to the usual one.
    public double release(Coefficients c) {
        return c.factor(names.release);
    }

    /// The units that multiply: those of the format if the device has them.
    ///
    /// @param kernel kernel of experts
    private record Units(String label, String kernel, double peak) {
        static Units of(WeightFormat format, DeviceFigures device) {
            boolean hasEight = device.eight() > device.half();
            boolean hasFour = device.four() > device.eight();
            return switch (format) {
                case StandardFormat standard ->
                    switch (standard) {
                        case FP8 -> hasEight ? new Units("8-bit", "fp8", device.eight()) : half(device);
                        case FP8_BLOCK -> hasEight ? new Units("8-bit", "fp8-block", device.eight()) : half(device);
                        case NVFP4 -> hasFour ? new Units("4-bit", "nvfp4", device.four()) : ofFour("int4", device);
                        case MXFP4 -> hasFour ? new Units("mixed", "mxfp4-8", device.eight()) : ofFour("mxfp4", device);
                        case AWQ_INT4, GPTQ_INT4 -> ofFour("int4", device);
                        case FP32, BF16, FP16, INT8, NF4 -> half(device);
                    };
                case GgufFormat _ -> half(device);
            };
        }

        private static Units half(DeviceFigures device) {
            return new Units("16-bit", "bf16", device.half());
        }

        private static Units ofFour(String kernel, DeviceFigures device) {
            return new Units("16-bit-of-4", kernel, device.half());
        }
    }
}
