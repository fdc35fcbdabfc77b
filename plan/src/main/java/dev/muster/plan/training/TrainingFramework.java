// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.training;

import dev.muster.plan.cost.DeviceFamily;
import dev.muster.plan.cost.TrainingRun.Offload;
import dev.muster.plan.cost.TrainingRun.Sharding;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Frameworks that train models, as far as measurements of them are known, and how they can share a model.
///
/// @since 0.1
public enum TrainingFramework {
    /// Megatron-LM and what is built on it.
    MEGATRON("megatron", "Megatron", "megatron-bridge", true, true, true, List.of(Sharding.OPTIMIZER)),
    /// torchtitan.
    TORCHTITAN(
            "torchtitan", "torchtitan", "torchtitan", true, true, true, List.of(Sharding.GRADIENTS, Sharding.WEIGHTS)),
    /// PyTorch with replicas (DDP) or shared weights (FSDP), as trainers of Hugging Face run it.
    PYTORCH("pytorch", "PyTorch", "pytorch", false, false, false, List.of(Sharding.NONE, Sharding.WEIGHTS)),
    /// MaxText, on TPUs.
    MAXTEXT("maxtext", "MaxText", "maxtext", true, false, false, List.of(Sharding.WEIGHTS)),
    /// Megatron-DeepSpeed, on Gaudi.
    MEGATRON_DEEPSPEED(
            "megatron-deepspeed",
            "Megatron-DeepSpeed",
            "megatron-deepspeed",
            true,
            true,
            false,
            List.of(Sharding.OPTIMIZER)),
    /// NeuronX Distributed, on Trainium.
    NEURONX(
            "neuronx-distributed",
            "NeuronX Distributed",
            "neuronx-distributed",
            true,
            true,
            false,
            List.of(Sharding.OPTIMIZER));

    private final String label;
    private final String display;
    private final String measuredAs;
    private final boolean hasTensorParallel;
    private final boolean hasPipelineParallel;
    private final boolean hasContextParallel;
    private final List<Sharding> shardings;

    TrainingFramework(
            String label,
            String display,
            String measuredAs,
            boolean hasTensorParallel,
            boolean hasPipelineParallel,
            boolean hasContextParallel,
            List<Sharding> shardings) {
        this.label = label;
        this.display = display;
        this.measuredAs = measuredAs;
        this.hasTensorParallel = hasTensorParallel;
        this.hasPipelineParallel = hasPipelineParallel;
        this.hasContextParallel = hasContextParallel;
        this.shardings = shardings;
    }

    /// Returns the name on the command line.
    public String label() {
        return label;
    }

    /// Returns the display name.
    public String display() {
        return display;
    }

    /// Returns the name in tables of coefficients.
    public String measuredAs() {
        return measuredAs;
    }

    /// Reports whether it has TP.
    public boolean hasTensorParallel() {
        return hasTensorParallel;
    }

    /// Reports whether it has PP.
    public boolean hasPipelineParallel() {
        return hasPipelineParallel;
    }

    /// Reports whether it has CP.
    public boolean hasContextParallel() {
        return hasContextParallel;
    }

    /// Reports whether it has EP.
    public boolean hasExpertParallel() {
        return this == MEGATRON;
    }

    /// Reports whether stages can be interleaved.
    public boolean hasInterleavedStages() {
        return this == MEGATRON;
    }

    /// Returns the states that replicas can shard, in the order of the remaining memory.
    public List<Sharding> shardings() {
        return shardings;
    }

    /// Returns the states that it can offload to the host, as its documents say: DeepSpeed, which PyTorch's trainers
    /// call, all or the optimizer's alone; FSDP, which torchtitan calls, all.
    ///
    /// @param method training method; weights in fewer bits than 16 stay on devices
    public List<Offload> offloads(TrainingMethod method) {
        boolean isQuantized = method instanceof TrainingMethod.QLora;
        return switch (this) {
            case PYTORCH -> isQuantized ? List.of(Offload.OPTIMIZER) : List.of(Offload.OPTIMIZER, Offload.ALL);
            case TORCHTITAN -> isQuantized ? List.of() : List.of(Offload.ALL);
            case MEGATRON, MAXTEXT, MEGATRON_DEEPSPEED, NEURONX -> List.of();
        };
    }

    /// Reports whether it runs on such devices at all, as its makers state.
    public boolean runsOn(DeviceFamily family) {
        return switch (family) {
            case NVIDIA_HBM, NVIDIA_GDDR, NVIDIA_SHARED -> this != NEURONX;
            case AMD_HBM, AMD_GDDR -> this != NEURONX && this != MAXTEXT;
            case TPU -> this == MAXTEXT;
            case GAUDI -> this == MEGATRON_DEEPSPEED || this == PYTORCH;
            case NEURON -> this == NEURONX;
            case APPLE, CPU -> this == PYTORCH;
            // Nothing is known of other families: a plan for them is an estimate, and allowed.
            case AMD_SHARED, OTHER -> true;
        };
    }

    /// Returns the framework of that name.
    public static Optional<TrainingFramework> find(String label) {
        return Arrays.stream(values()).filter(one -> one.label.equals(label)).findFirst();
    }

    /// Returns all names.
    public static List<String> labels() {
        return Arrays.stream(values()).map(TrainingFramework::label).toList();
    }

    /// Returns the usual framework for such devices; empty if none was measured.
    ///
    /// @param method training method
    /// @param hasExperts true if the model has routed experts
    /// @param offload the most that may lie on the host
    public static Optional<TrainingFramework> usual(
            DeviceFamily family, TrainingMethod method, boolean hasExperts, Offload offload) {
        return usual(family, method, hasExperts)
                .map(usual -> usual.canOffload(method, offload)
                        ? usual
                        : Stream.of(PYTORCH, TORCHTITAN)
                                .filter(other -> other.runsOn(family) && !(hasExperts && other == PYTORCH))
                                .filter(other -> other.canOffload(method, offload))
                                .findFirst()
                                .orElse(usual));
    }

    /// Reports whether it can leave so much, or less, on the host.
    public boolean canOffload(TrainingMethod method, Offload most) {
        return most == Offload.NONE || offloads(method).stream().anyMatch(one -> one.compareTo(most) <= 0);
    }

    private static Optional<TrainingFramework> usual(DeviceFamily family, TrainingMethod method, boolean hasExperts) {
        return switch (family) {
            case NVIDIA_HBM, NVIDIA_GDDR, NVIDIA_SHARED, AMD_HBM, AMD_GDDR ->
                Optional.of(method.isAdapter() && !hasExperts ? PYTORCH : MEGATRON);
            case TPU -> Optional.of(MAXTEXT);
            case GAUDI -> Optional.of(MEGATRON_DEEPSPEED);
            case NEURON -> Optional.of(NEURONX);
            case APPLE, CPU, AMD_SHARED, OTHER -> Optional.empty();
        };
    }
}
