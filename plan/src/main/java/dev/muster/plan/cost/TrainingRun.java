// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.cost;

/// A training run: lengths, batches, and layout on devices.
///
/// @param sequence tokens of a sequence
/// @param microBatch sequences of a micro-batch on a device
/// @param globalBatch sequences of a step
/// @param devices all devices
/// @param tp tensor parallel degree
/// @param pp pipeline parallel degree: the number of stages
/// @param cp degree of context parallelism (CP)
/// @param ep expert parallel degree; 1 if each device holds all experts
/// @param virtualStages interleaved parts of a stage; 0 if not stated
/// @param recompute recomputation in the backward pass
/// @param sharding states that replicas shard among each other
/// @param order neighbours: replicas or stages
/// @param isAdapter true if only small adapters are trained
/// @param offload states outside of the devices
/// @since 0.1
public record TrainingRun(
        double sequence,
        double microBatch,
        double globalBatch,
        double devices,
        double tp,
        double pp,
        double cp,
        double ep,
        double virtualStages,
        Recompute recompute,
        Sharding sharding,
        Order order,
        boolean isAdapter,
        Offload offload) {
    /// The parts of the forward pass that the backward pass recomputes.
    public enum Recompute {
        /// No recomputation.
        NONE,
        /// The attention, or a similarly small part.
        SELECTIVE,
        /// Whole blocks.
        FULL
    }

    /// The states that replicas of the model shard, by the stages of ZeRO.
    public enum Sharding {
        /// No sharding: each holds all.
        NONE,
        /// The optimizer's states.
        OPTIMIZER,
        /// Optimizer states and gradients.
        GRADIENTS,
        /// Optimizer states, gradients and weights, which are gathered layer by layer.
        WEIGHTS
    }

    /// The states of training outside of the devices, in the memory of their host or on its drives.
    public enum Offload {
        /// No offload.
        NONE("none"),
        /// The optimizer's states, with its weights in 32 bits; the processor takes its step.
        OPTIMIZER("optimizer"),
        /// All states: layers are loaded to the device one after the other.
        ALL("all");

        private final String label;

        Offload(String label) {
            this.label = label;
        }

        /// Returns the name on the command line and in documents.
        public String label() {
            return label;
        }
    }

    /// The neighbours of ranks behind those of TP and CP.
    public enum Order {
        /// Replicas of a stage; stages lie far apart.
        REPLICAS_FIRST,
        /// Stages of a replica; replicas lie far apart.
        STAGES_FIRST
    }

    /// Returns the number of replicas of the model, which see different data.
    public double replicas() {
        return Math.max(1, devices / (tp * pp * cp));
    }

    /// Returns the number of micro-batches of one pipeline in a step.
    public double microBatches() {
        return Math.max(1, globalBatch / (replicas() * microBatch));
    }

    /// Returns the distance between replicas.
    public double replicaStride() {
        return tp * cp * (order == Order.STAGES_FIRST ? pp : 1);
    }

    /// Returns the distance between stages.
    public double stageStride() {
        return tp * cp * (order == Order.REPLICAS_FIRST ? replicas() : 1);
    }
}
