// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.serving;

import static dev.muster.plan.cost.DeviceFamily.APPLE;
import static dev.muster.plan.cost.DeviceFamily.CPU;
import static dev.muster.plan.cost.DeviceFamily.GAUDI;
import static dev.muster.plan.cost.DeviceFamily.NEURON;
import static dev.muster.plan.cost.DeviceFamily.NVIDIA_GDDR;
import static dev.muster.plan.cost.DeviceFamily.NVIDIA_HBM;
import static dev.muster.plan.cost.DeviceFamily.NVIDIA_SHARED;
import static dev.muster.plan.cost.DeviceFamily.TPU;

import dev.muster.model.memory.GgufFormat;
import dev.muster.model.memory.StandardFormat;
import dev.muster.model.memory.WeightFormat;
import dev.muster.plan.cost.DeviceFamily;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.MeasuredClass;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Serving engines with known measurements, and the planner's facts about them. All that the planner knows of one is
/// said here.
///
/// @since 0.1
public enum ServingEngine {
    /// vLLM.
    VLLM("vllm", "vLLM", EnumSet.complementOf(EnumSet.of(APPLE, CPU)), Batching.CONTINUOUS, Reserve.byTrial(0.9)),
    /// SGLang.
    SGLANG(
            "sglang",
            "SGLang",
            EnumSet.complementOf(EnumSet.of(APPLE, GAUDI, NEURON, CPU)),
            Batching.CONTINUOUS,
            Reserve.byTrial(0.9)),
    /// TensorRT-LLM.
    TENSORRT_LLM(
            "tensorrt-llm",
            "TensorRT-LLM",
            EnumSet.of(NVIDIA_HBM, NVIDIA_GDDR, NVIDIA_SHARED),
            Batching.CONTINUOUS,
            Reserve.ofCache(0.9)),
    /// llama.cpp and what is built on it.
    LLAMA_CPP(
            "llama.cpp",
            "llama.cpp",
            EnumSet.complementOf(EnumSet.of(GAUDI, NEURON, TPU)),
            Batching.STATIC,
            Reserve.UNDOCUMENTED),
    /// Optimum Habana.
    OPTIMUM_HABANA("optimum-habana", "Optimum Habana", EnumSet.of(GAUDI), Batching.STATIC, Reserve.UNDOCUMENTED),
    /// Transformers NeuronX.
    TRANSFORMERS_NEURONX(
            "transformers-neuronx", "Transformers NeuronX", EnumSet.of(NEURON), Batching.STATIC, Reserve.UNDOCUMENTED);

    private final String label;
    private final String display;
    private final Set<DeviceFamily> families;
    private final Batching batching;
    private final Reserve reserve;

    ServingEngine(String label, String display, Set<DeviceFamily> families, Batching batching, Reserve reserve) {
        this.label = label;
        this.display = display;
        this.families = families;
        this.batching = batching;
        this.reserve = reserve;
    }

    /// The batching of sequences, and so the kind of speed measurements.
    private enum Batching {
        /// Sequences join and leave step by step.
        CONTINUOUS,
        /// A batch runs to its end, or did in measurements.
        STATIC
    }

    /// The share of a device that an engine leaves free.
    ///
    /// @param memoryShare largest share of the device's memory
    /// @param cacheShare largest share of the KV cache in what weights and workspace leave
    /// @param isTried true if a trial step determines its needs beside weights and KV cache
    private record Reserve(double memoryShare, double cacheShare, boolean isTried) {
        /// For engines that document none: an assumption.
        static final Reserve UNDOCUMENTED = new Reserve(0.95, 1, false);

        static Reserve byTrial(double share) {
            return new Reserve(share, 1, true);
        }

        static Reserve ofCache(double share) {
            return new Reserve(1, share, false);
        }
    }

    /// Returns the name on the command line and in tables of coefficients.
    public String label() {
        return label;
    }

    /// Returns the display name.
    public String display() {
        return display;
    }

    /// Returns the engine with a name.
    public static Optional<ServingEngine> find(String label) {
        return Arrays.stream(values()).filter(one -> one.label.equals(label)).findFirst();
    }

    /// Returns all names.
    public static List<String> labels() {
        return Arrays.stream(values()).map(ServingEngine::label).toList();
    }

    /// Reports whether it runs on such devices at all, as its makers state. Nothing is known of [DeviceFamily#OTHER]:
    /// a plan for them is a guess, and allowed.
    public boolean runsOn(DeviceFamily family) {
        return families.contains(family);
    }

    /// Returns the memory that it may fill on a device.
    ///
    /// @param fixed memory beside the KV cache
    public double capacity(DeviceFigures device, double fixed) {
        double usable = device.within(reserve.memoryShare * device.memory());
        return usable - (1 - reserve.cacheShare) * Math.max(0, usable - fixed);
    }

    /// Returns the class of its speed measurements: with requests queued at once, or with static batches alone.
    public MeasuredClass speedClass() {
        return isContinuous() ? MeasuredClass.OFFLINE_THROUGHPUT : MeasuredClass.STATIC_BATCH;
    }

    /// Reports whether it batches continuously, and takes options for it.
    public boolean isContinuous() {
        return batching == Batching.CONTINUOUS;
    }

    /// Reports whether it sizes its KV cache by a trial step at its start.
    public boolean runsTrialStep() {
        return reserve.isTried;
    }

    /// Reports whether it reads weights of a format. Formats of GGUF are for llama.cpp, which reads no others but
    /// unquantized ones.
    public boolean reads(WeightFormat format) {
        return switch (format) {
            case StandardFormat standard ->
                this != LLAMA_CPP
                        || switch (standard) {
                            case FP32, FP16, BF16, MXFP4 -> true;
                            case FP8, FP8_BLOCK, INT8, AWQ_INT4, GPTQ_INT4, NF4, NVFP4 -> false;
                        };
            case GgufFormat _ -> this == LLAMA_CPP;
        };
    }

    /// Reports whether it runs weights of a format on a device: it reads them, and the device has units for them, or
    /// they are unpacked to 16 bits first.
    public boolean runs(WeightFormat format, DeviceFigures device) {
        boolean isEight = format == StandardFormat.FP8 || format == StandardFormat.FP8_BLOCK;
        boolean isFour = format == StandardFormat.NVFP4 || format == StandardFormat.MXFP4;
        boolean hasUnits = isEight ? device.eight() > device.half() : !isFour || device.four() > device.eight();
        return reads(format) && (hasUnits || unpacks(isEight, device.family()));
    }

    /// Reports whether it unpacks weights: llama.cpp all; the others on NVIDIA's devices all, on AMD's those of 4
    /// bits.
    private boolean unpacks(boolean isEight, DeviceFamily family) {
        return this == LLAMA_CPP
                || switch (family) {
                    case NVIDIA_HBM, NVIDIA_GDDR, NVIDIA_SHARED, APPLE, CPU, AMD_SHARED, OTHER -> true;
                    case AMD_HBM, AMD_GDDR -> !isEight;
                    case GAUDI, NEURON, TPU -> false;
                };
    }

    /// Reports whether an engine was measured on such devices.
    public static boolean isMeasuredOn(DeviceFamily family) {
        return family != DeviceFamily.TPU && family != DeviceFamily.CPU && family != DeviceFamily.OTHER;
    }

    /// Returns the usual engine for such devices.
    public static ServingEngine usual(DeviceFamily family) {
        return switch (family) {
            case NVIDIA_HBM, NVIDIA_GDDR, AMD_HBM, TPU, GAUDI, NEURON -> VLLM;
            case NVIDIA_SHARED, APPLE, AMD_GDDR, AMD_SHARED, CPU, OTHER -> LLAMA_CPP;
        };
    }
}
