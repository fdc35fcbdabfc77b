// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.serving;

import dev.muster.model.ModelKind;
import dev.muster.plan.cost.DeviceFamily;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// A program that runs models which do more, or other things, than write text.
///
/// @since 0.3
public enum TaskEngine {
    /// vLLM: its pooling runner, and its transcriptions.
    VLLM("vllm", "vLLM"),
    /// Text Embeddings Inference of Hugging Face.
    TEI("tei", "Text Embeddings Inference"),
    /// The server of whisper.cpp.
    WHISPER_CPP("whisper.cpp", "whisper.cpp"),
    /// Hugging Face Diffusers.
    DIFFUSERS("diffusers", "Diffusers"),
    /// The diffusion server of SGLang.
    SGLANG("sglang", "SGLang"),
    /// Hugging Face Transformers.
    TRANSFORMERS("transformers", "Transformers"),
    /// OpenVINO of Intel; known for its measurements, and not planned with.
    OPENVINO("openvino", "OpenVINO"),
    /// The compiler of AWS Neuron; known for its measurements, and not planned with.
    NEURONX("neuronx", "Neuron"),
    /// Qualcomm AI Engine; known for its measurements, and not planned with.
    QNN("qnn", "Qualcomm AI Engine");

    private final String label;
    private final String display;

    TaskEngine(String label, String display) {
        this.label = label;
        this.display = display;
    }

    /// Returns the name on the command line and in documents, such as `tei`.
    public String label() {
        return label;
    }

    /// Returns the display name.
    public String display() {
        return display;
    }

    /// Returns the engine with a name.
    public static Optional<TaskEngine> find(String label) {
        return Arrays.stream(values()).filter(one -> one.label.equals(label)).findFirst();
    }

    /// Returns the engines of a kind of model on a family of devices, the usual one first; empty if none is known.
    public static List<TaskEngine> of(ModelKind kind, DeviceFamily family) {
        boolean isGpu = switch (family) {
            case NVIDIA_GDDR, NVIDIA_HBM, NVIDIA_SHARED, AMD_GDDR, AMD_HBM -> true;
            case APPLE, AMD_SHARED, GAUDI, NEURON, TPU, CPU, OTHER -> false;
        };
        return switch (kind) {
            case TEXT_GENERATION -> List.of();
            case EMBEDDING, RERANKER -> isGpu ? List.of(VLLM, TEI) : List.of(TEI, VLLM);
            case SPEECH_RECOGNITION -> isGpu ? List.of(VLLM, WHISPER_CPP) : List.of(WHISPER_CPP);
            case IMAGE_GENERATION, VIDEO_GENERATION -> isGpu ? List.of(DIFFUSERS, SGLANG) : List.of(DIFFUSERS);
            case TEXT_ENCODER, ENCODER_DECODER, TEXT_TO_SPEECH, VISION_ENCODER -> List.of(TRANSFORMERS);
        };
    }
}
