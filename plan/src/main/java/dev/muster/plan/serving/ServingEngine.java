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

/// Engines that serve models, as far as measurements of them are known. All that the planner knows of one is said here.
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

    private static final int HALF_BYTES = 2;

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

    /// How sequences come together, and so how its speed was measured.
    private enum Batching {
        /// They come and go step by step.
        CONTINUOUS,
        /// A batch runs to its end, or measurements of it did.
        STATIC
    }

    /// What an engine leaves of a device.
    ///
    /// @param memoryShare the most that it takes of the device's memory
    /// @param cacheShare the most that its KV cache takes of what weights and workspace leave
    /// @param isTried whether a trial step tells it what it needs beside weights and KV cache
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

    /// The name on the command line and in tables of coefficients.
    public String label() {
        return label;
    }

    /// The name for people.
    public String display() {
        return display;
    }

    /// The engine of that name.
    public static Optional<ServingEngine> find(String label) {
        return Arrays.stream(values()).filter(one -> one.label.equals(label)).findFirst();
    }

    /// All names.
    public static List<String> labels() {
        return Arrays.stream(values()).map(ServingEngine::label).toList();
    }

    /// Whether it runs on such devices at all, by what its makers say. Nothing is known of [DeviceFamily#OTHER]: a plan
    /// for them is a guess, and allowed.
    public boolean runsOn(DeviceFamily family) {
        return families.contains(family);
    }

    /// What it may fill of a device.
    ///
    /// @param fixed what it takes beside the KV cache
    public double capacity(DeviceFigures device, double fixed) {
        double usable = device.within(reserve.memoryShare * device.memory());
        return usable - (1 - reserve.cacheShare) * Math.max(0, usable - fixed);
    }

    /// Bytes of a number of the KV cache: 1 beside weights of 8 bits and fewer in floating point, else 2.
    /// llama.cpp keeps 2 unless it is told otherwise.
    public int kvBytes(WeightFormat format) {
        return switch (format) {
            case StandardFormat standard ->
                switch (standard) {
                    case FP8, FP8_BLOCK, NVFP4, MXFP4 -> this == LLAMA_CPP ? HALF_BYTES : 1;
                    case FP32, BF16, FP16, INT8, AWQ_INT4, GPTQ_INT4, NF4 -> HALF_BYTES;
                };
            case GgufFormat _ -> HALF_BYTES;
        };
    }

    /// How its speed was measured: with requests queued at once, or with batches of a fixed size alone.
    public MeasuredClass speedClass() {
        return isContinuous() ? MeasuredClass.OFFLINE_THROUGHPUT : MeasuredClass.STATIC_BATCH;
    }

    /// Whether it batches continuously, and takes options for it.
    public boolean isContinuous() {
        return batching == Batching.CONTINUOUS;
    }

    /// Whether it sizes its KV cache by a trial step at its start.
    public boolean runsTrialStep() {
        return reserve.isTried;
    }

    /// Whether it reads weights of a format. Formats of GGUF are for llama.cpp, which reads no others but plain
    /// numbers.
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

    /// Whether it runs weights of a format on a device: it reads them, and the device has units for them, or they are
    /// unpacked to 16 bits first.
    public boolean runs(WeightFormat format, DeviceFigures device) {
        boolean isEight = format == StandardFormat.FP8 || format == StandardFormat.FP8_BLOCK;
        boolean isFour = format == StandardFormat.NVFP4 || format == StandardFormat.MXFP4;
        boolean hasUnits = isEight ? device.eight() > device.half() : !isFour || device.four() > device.eight();
        return reads(format) && (hasUnits || unpacks(isEight, device.family()));
    }

    /// llama.cpp unpacks all; the others on NVIDIA's devices all, on AMD's numbers of 4 bits.
    private boolean unpacks(boolean isEight, DeviceFamily family) {
        return this == LLAMA_CPP
                || switch (family) {
                    case NVIDIA_HBM, NVIDIA_GDDR, NVIDIA_SHARED, APPLE, CPU, AMD_SHARED, OTHER -> true;
                    case AMD_HBM, AMD_GDDR -> !isEight;
                    case GAUDI, NEURON, TPU -> false;
                };
    }

    /// Whether an engine was measured on such devices.
    public static boolean isMeasuredOn(DeviceFamily family) {
        return family != DeviceFamily.TPU && family != DeviceFamily.CPU && family != DeviceFamily.OTHER;
    }

    /// The engine that people run on such devices.
    public static ServingEngine usual(DeviceFamily family) {
        return switch (family) {
            case NVIDIA_HBM, NVIDIA_GDDR, AMD_HBM, TPU -> VLLM;
            case NVIDIA_SHARED, APPLE, AMD_GDDR, AMD_SHARED, CPU, OTHER -> LLAMA_CPP;
            case GAUDI -> OPTIMUM_HABANA;
            case NEURON -> TRANSFORMERS_NEURONX;
        };
    }
}
