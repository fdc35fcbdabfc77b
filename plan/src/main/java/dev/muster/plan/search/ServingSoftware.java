package dev.muster.plan.search;

import dev.muster.plan.memory.FormatNames;
import dev.muster.plan.time.DeviceFamily;
import dev.muster.plan.time.DeviceFigures;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

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

    /// Formats that GGUF has too.
    private static final Set<String> PLAIN = Set.of("fp32", "fp16", "bf16", "mxfp4");

    /// Floating point of 4 bits.
    private static final Set<String> FOUR_BIT = Set.of("fp4", "nvfp4", "mxfp4");

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
            case VLLM -> family != DeviceFamily.APPLE;
            case SGLANG ->
                switch (family) {
                    case NVIDIA_HBM, NVIDIA_GDDR, NVIDIA_SHARED, AMD_HBM, AMD_GDDR, TPU, OTHER -> true;
                    case APPLE, GAUDI, NEURON -> false;
                };
            case TENSORRT_LLM ->
                switch (family) {
                    case NVIDIA_HBM, NVIDIA_GDDR, NVIDIA_SHARED -> true;
                    case AMD_HBM, AMD_GDDR, APPLE, GAUDI, NEURON, TPU, OTHER -> false;
                };
            case LLAMA_CPP ->
                switch (family) {
                    case NVIDIA_HBM, NVIDIA_GDDR, NVIDIA_SHARED, AMD_HBM, AMD_GDDR, APPLE, OTHER -> true;
                    case GAUDI, NEURON, TPU -> false;
                };
            case OPTIMUM_HABANA -> family == DeviceFamily.GAUDI;
            case TRANSFORMERS_NEURONX -> family == DeviceFamily.NEURON;
        };
    }

    /// Whether it reads weights of a format. Formats of GGUF are for llama.cpp, which reads no others but plain
    /// numbers.
    public boolean reads(String format) {
        boolean isPlain = PLAIN.contains(format.toLowerCase(Locale.ROOT));
        return this == LLAMA_CPP ? isPlain || FormatNames.isGgufAlone(format) : !FormatNames.isGgufAlone(format);
    }

    /// Whether it runs weights of a format on a device: it reads them, and the device has units for them, or they are
    /// unpacked to 16 bits first.
    public boolean runs(String format, DeviceFigures device) {
        String name = format.toLowerCase(Locale.ROOT);
        boolean isEight = name.startsWith("fp8");
        boolean hasUnits =
                isEight ? device.eight() > device.half() : !FOUR_BIT.contains(name) || device.four() > device.eight();
        return reads(format) && (hasUnits || unpacks(isEight, device.family()));
    }

    /// llama.cpp unpacks all; the others on NVIDIA's devices all, on AMD's numbers of 4 bits.
    private boolean unpacks(boolean isEight, DeviceFamily family) {
        return this == LLAMA_CPP
                || switch (family) {
                    case NVIDIA_HBM, NVIDIA_GDDR, NVIDIA_SHARED, APPLE, OTHER -> true;
                    case AMD_HBM, AMD_GDDR -> !isEight;
                    case GAUDI, NEURON, TPU -> false;
                };
    }

    /// The engine that people run on such devices; empty where none was measured.
    public static Optional<ServingSoftware> usual(DeviceFamily family) {
        return switch (family) {
            case NVIDIA_HBM, NVIDIA_GDDR, AMD_HBM -> Optional.of(VLLM);
            case NVIDIA_SHARED, APPLE, AMD_GDDR -> Optional.of(LLAMA_CPP);
            case GAUDI -> Optional.of(OPTIMUM_HABANA);
            case NEURON -> Optional.of(TRANSFORMERS_NEURONX);
            case TPU, OTHER -> Optional.empty();
        };
    }
}
