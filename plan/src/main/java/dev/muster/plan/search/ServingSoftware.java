package dev.muster.plan.search;

import dev.muster.plan.time.DeviceFamily;
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
