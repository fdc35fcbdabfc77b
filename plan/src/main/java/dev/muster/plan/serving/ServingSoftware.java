package dev.muster.plan.serving;

import dev.muster.plan.cost.DeviceFamily;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.memory.GgufFormat;
import dev.muster.plan.memory.StandardFormat;
import dev.muster.plan.memory.WeightFormat;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Engines that serve models, as far as measurements of them are known.
///
/// @since 0.1
public enum ServingSoftware {
    /// vLLM.
    VLLM("vllm", "vLLM"),
    /// SGLang, of which no measurement is known: it is taken to be like vLLM.
    SGLANG("sglang", "SGLang"),
    /// TensorRT-LLM.
    TENSORRT_LLM("tensorrt-llm", "TensorRT-LLM"),
    /// llama.cpp and what is built on it.
    LLAMA_CPP("llama.cpp", "llama.cpp"),
    /// Optimum Habana.
    OPTIMUM_HABANA("optimum-habana", "Optimum Habana"),
    /// Transformers NeuronX.
    TRANSFORMERS_NEURONX("transformers-neuronx", "Transformers NeuronX");

    private final String label;
    private final String display;

    ServingSoftware(String label, String display) {
        this.label = label;
        this.display = display;
    }

    /// The name on the command line and in tables of coefficients.
    public String label() {
        return label;
    }

    /// The name for people.
    public String display() {
        return display;
    }

    /// The engine whose measurements stand for it: itself, where there are any.
    public ServingSoftware measuredAs() {
        return this == SGLANG ? VLLM : this;
    }

    /// The engine of that name.
    public static Optional<ServingSoftware> find(String label) {
        return Arrays.stream(values()).filter(one -> one.label.equals(label)).findFirst();
    }

    /// All names.
    public static List<String> labels() {
        return Arrays.stream(values()).map(ServingSoftware::label).toList();
    }

    /// Whether it runs on such devices at all, by what its makers say. Of kin that nobody named, nobody knows:
    /// a plan for them is a guess, and allowed.
    public boolean runsOn(DeviceFamily family) {
        return switch (this) {
            case VLLM -> family != DeviceFamily.APPLE && family != DeviceFamily.CPU;
            case SGLANG ->
                switch (family) {
                    case NVIDIA_HBM, NVIDIA_GDDR, NVIDIA_SHARED, AMD_HBM, AMD_GDDR, TPU, OTHER -> true;
                    case APPLE, GAUDI, NEURON, CPU -> false;
                };
            case TENSORRT_LLM ->
                switch (family) {
                    case NVIDIA_HBM, NVIDIA_GDDR, NVIDIA_SHARED -> true;
                    case AMD_HBM, AMD_GDDR, APPLE, GAUDI, NEURON, TPU, CPU, OTHER -> false;
                };
            case LLAMA_CPP ->
                switch (family) {
                    case NVIDIA_HBM, NVIDIA_GDDR, NVIDIA_SHARED, AMD_HBM, AMD_GDDR, APPLE, CPU, OTHER -> true;
                    case GAUDI, NEURON, TPU -> false;
                };
            case OPTIMUM_HABANA -> family == DeviceFamily.GAUDI;
            case TRANSFORMERS_NEURONX -> family == DeviceFamily.NEURON;
        };
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
                    case NVIDIA_HBM, NVIDIA_GDDR, NVIDIA_SHARED, APPLE, CPU, OTHER -> true;
                    case AMD_HBM, AMD_GDDR -> !isEight;
                    case GAUDI, NEURON, TPU -> false;
                };
    }

    /// Whether an engine was measured on such devices.
    public static boolean isMeasuredOn(DeviceFamily family) {
        return family != DeviceFamily.TPU && family != DeviceFamily.CPU && family != DeviceFamily.OTHER;
    }

    /// The engine that people run on such devices.
    public static ServingSoftware usual(DeviceFamily family) {
        return switch (family) {
            case NVIDIA_HBM, NVIDIA_GDDR, AMD_HBM, TPU -> VLLM;
            case NVIDIA_SHARED, APPLE, AMD_GDDR, CPU, OTHER -> LLAMA_CPP;
            case GAUDI -> OPTIMUM_HABANA;
            case NEURON -> TRANSFORMERS_NEURONX;
        };
    }
}
