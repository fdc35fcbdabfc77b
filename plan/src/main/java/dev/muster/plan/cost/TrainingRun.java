// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.cost;

/// How a model is trained: lengths, batches, and how it lies on devices.
///
/// @param sequence tokens of a sequence
/// @param microBatch sequences that a device works on at once
/// @param globalBatch sequences of a step
/// @param devices all devices
/// @param tensor devices that share every matrix
/// @param stages pipeline stages
/// @param context degree of context parallelism (CP)
/// @param expert devices that share the experts of a layer; 1 where each holds all
/// @param virtualStages parts of a stage that follow each other; 0 where nothing is said
/// @param recompute what is recomputed in the backward pass
/// @param sharding what replicas of the model share among each other
/// @param order which replicas and stages are neighbours
/// @param isAdapter whether only small adapters are trained
/// @param offload what lies outside of the devices
/// @since 0.1
public record TrainingRun(
        double sequence,
        double microBatch,
        double globalBatch,
        double devices,
        double tensor,
        double stages,
        double context,
        double expert,
        double virtualStages,
        Recompute recompute,
        Sharding sharding,
        Order order,
        boolean isAdapter,
        Offload offload) {
    /// What is computed again in the backward pass instead of being kept.
    public enum Recompute {
        /// Nothing.
        NONE,
        /// The attention, or as little.
        SELECTIVE,
        /// Whole blocks.
        FULL
    }

    /// What replicas of the model share, as the stages of ZeRO count it.
    public enum Sharding {
        /// Nothing: each holds all.
        NONE,
        /// The optimizer's states.
        OPTIMIZER,
        /// And gradients.
        GRADIENTS,
        /// And weights, which are gathered layer by layer.
        WEIGHTS
    }

    /// What of the states of training lies outside of the devices, in the memory of their host or on its drives.
    public enum Offload {
        /// Nothing.
        NONE("none"),
        /// The optimizer's states, its weights in 32 bits among them; the processor takes its step.
        OPTIMIZER("optimizer"),
        /// Weights and gradients too: layers come to the device when their turn is.
        ALL("all");

        private final String label;

        Offload(String label) {
            this.label = label;
        }

        /// The name on the command line and in documents.
        public String label() {
            return label;
        }
    }

    /// What lies next to each other behind the ranks of TP and CP.
    public enum Order {
        /// Copies of a stage; stages lie far apart.
        REPLICAS_FIRST,
        /// Stages of a replica; replicas lie far apart.
        STAGES_FIRST
    }

    /// Copies of the model that see different data.
    public double replicas() {
        return Math.max(1, devices / (tensor * stages * context));
    }

    /// Micro-batches that one pipeline works through in a step.
    public double microBatches() {
        return Math.max(1, globalBatch / (replicas() * microBatch));
    }

    /// How far replicas are apart.
    public double replicaStride() {
        return tensor * context * (order == Order.STAGES_FIRST ? stages : 1);
    }

    /// How far stages are apart.
    public double stageStride() {
        return tensor * context * (order == Order.REPLICAS_FIRST ? replicas() : 1);
    }
}
