package dev.muster.plan.launch;

import dev.muster.plan.search.ServingSoftware;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// A program that a plan can be handed to.
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
    /// PyTorch's launcher, with a script of one's own.
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
    KUBERNETES("kubernetes", "Kubernetes", LaunchKind.CLUSTER);

    private final String label;
    private final String display;
    private final LaunchKind kind;

    LaunchTarget(String label, String display, LaunchKind kind) {
        this.label = label;
        this.display = display;
        this.kind = kind;
    }

    /// The name on the command line and in documents, such as `llama.cpp`.
    public String label() {
        return label;
    }

    /// The name for people.
    public String display() {
        return display;
    }

    /// What it does.
    public LaunchKind kind() {
        return kind;
    }

    /// The target of that name.
    public static Optional<LaunchTarget> find(String label) {
        return Arrays.stream(values()).filter(one -> one.label.equals(label)).findFirst();
    }

    /// The serving engine that it starts, where it is one.
    public Optional<ServingSoftware> findEngine() {
        return kind == LaunchKind.SERVING ? ServingSoftware.find(label) : Optional.empty();
    }

    /// All names.
    public static List<String> labels() {
        return Arrays.stream(values()).map(LaunchTarget::label).toList();
    }
}
