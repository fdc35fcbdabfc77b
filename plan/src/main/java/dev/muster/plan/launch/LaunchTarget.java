// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.training.TrainingFramework;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// A program that a plan can be emitted for.
///
/// @since 0.1
public enum LaunchTarget {
    /// vLLM.
    VLLM("vllm", "vLLM", LaunchKind.SERVING),
    /// SGLang.
    SGLANG("sglang", "SGLang", LaunchKind.SERVING),
    /// TensorRT-LLM.
    TENSORRT_LLM("tensorrt-llm", "TensorRT-LLM", LaunchKind.SERVING),
    /// The server of llama.cpp.
    LLAMA_CPP("llama.cpp", "llama.cpp", LaunchKind.SERVING),
    /// Ollama, with a Modelfile.
    OLLAMA("ollama", "Ollama", LaunchKind.SERVING),
    /// The server of MLX LM, on Apple silicon.
    MLX("mlx", "MLX", LaunchKind.SERVING),
    /// Text Embeddings Inference, for models that embed and rank.
    TEI("tei", "Text Embeddings Inference", LaunchKind.SERVING),
    /// The server of whisper.cpp, for speech recognition.
    WHISPER_CPP("whisper.cpp", "whisper.cpp", LaunchKind.SERVING),
    /// Hugging Face Diffusers, for images and videos.
    DIFFUSERS("diffusers", "Diffusers", LaunchKind.SERVING),
    /// PyTorch's launcher, with a user's own script.
    TORCHRUN("torchrun", "torchrun", LaunchKind.TRAINING),
    /// DeepSpeed.
    DEEPSPEED("deepspeed", "DeepSpeed", LaunchKind.TRAINING),
    /// Megatron-LM.
    MEGATRON_LM("megatron-lm", "Megatron-LM", LaunchKind.TRAINING),
    /// Hugging Face Accelerate.
    ACCELERATE("accelerate", "Accelerate", LaunchKind.TRAINING),
    /// A batch job of Slurm.
    SLURM("slurm", "Slurm", LaunchKind.CLUSTER),
    /// Open MPI.
    MPIRUN("mpirun", "mpirun", LaunchKind.CLUSTER),
    /// A LeaderWorkerSet of Kubernetes.
    KUBERNETES("kubernetes", "Kubernetes", LaunchKind.CLUSTER),
    /// Docker Compose, on one host.
    DOCKER_COMPOSE("docker-compose", "Docker Compose", LaunchKind.CLUSTER),
    /// A service of systemd.
    SYSTEMD("systemd", "systemd", LaunchKind.CLUSTER),
    /// An LLMInferenceService of KServe, which runs vLLM and routes by llm-d.
    KSERVE("kserve", "KServe", LaunchKind.CLUSTER);

    private final String label;
    private final String display;
    private final LaunchKind kind;

    LaunchTarget(String label, String display, LaunchKind kind) {
        this.label = label;
        this.display = display;
        this.kind = kind;
    }

    /// Returns the name on the command line and in documents, such as `llama.cpp`.
    public String label() {
        return label;
    }

    /// Returns the display name.
    public String display() {
        return display;
    }

    /// Returns the kind of target.
    public LaunchKind kind() {
        return kind;
    }

    /// Returns the target with a name.
    public static Optional<LaunchTarget> find(String label) {
        return Arrays.stream(values()).filter(one -> one.label.equals(label)).findFirst();
    }

    /// Returns the serving engine that it starts, if it is one; Ollama runs what llama.cpp runs, whose
    /// plans are those for MLX, too.
    public Optional<ServingEngine> findEngine() {
        return this == OLLAMA || this == MLX
                ? Optional.of(ServingEngine.LLAMA_CPP)
                : Optional.of(label).filter(_ -> kind == LaunchKind.SERVING).flatMap(ServingEngine::find);
    }

    /// Returns the framework whose plans it starts, if it is made for one.
    public Optional<TrainingFramework> findFramework() {
        return this == MEGATRON_LM
                ? Optional.of(TrainingFramework.MEGATRON)
                : Optional.of(TrainingFramework.PYTORCH).filter(_ -> this == ACCELERATE || this == DEEPSPEED);
    }

    /// Returns all names.
    public static List<String> labels() {
        return Arrays.stream(values()).map(LaunchTarget::label).toList();
    }

    /// A kind of launch target.
    ///
    /// @since 0.1
    public enum LaunchKind {
        /// Serves a model.
        SERVING("serving"),
        /// Trains a model.
        TRAINING("training"),
        /// Starts another target: on the hosts of a cluster, or in a container or a service.
        CLUSTER("cluster");

        private final String label;

        LaunchKind(String label) {
            this.label = label;
        }

        /// Returns the name in documents.
        public String label() {
            return label;
        }
    }
}
