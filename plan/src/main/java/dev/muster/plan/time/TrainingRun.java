package dev.muster.plan.time;

/// How a model is trained: lengths, batches, and how it lies on devices.
///
/// @param framework such as `megatron-bridge` or `torchtitan`
/// @param release its release; blank for the newest
/// @param precision what the products compute in: `bf16`, `fp8`, `mxfp8` or `nvfp4`
/// @param sequence tokens of a sequence
/// @param microBatch sequences that a device works on at once
/// @param globalBatch sequences of a step
/// @param devices all devices
/// @param tensor devices that share every matrix
/// @param stages pipeline stages
/// @param context devices that share a sequence
/// @param virtualStages parts of a stage that follow each other; 0 where nothing is said
/// @param recompute what is computed again in the backward pass
/// @param isAdapter whether only small adapters are trained
/// @param isSharded whether parameters are gathered for each micro-batch
/// @since 0.1
public record TrainingRun(
        String framework,
        String release,
        String precision,
        double sequence,
        double microBatch,
        double globalBatch,
        double devices,
        double tensor,
        double stages,
        double context,
        double virtualStages,
        Recompute recompute,
        boolean isAdapter,
        boolean isSharded) {
    /// What is computed again in the backward pass instead of being kept.
    public enum Recompute {
        /// Nothing.
        NONE,
        /// The attention, or as little.
        SELECTIVE,
        /// Whole blocks.
        FULL
    }

    /// Copies of the model that see different data.
    public double replicas() {
        return Math.max(1, devices / (tensor * stages * context));
    }

    /// Micro-batches that one pipeline works through in a step.
    public double microBatches() {
        return Math.max(1, globalBatch / (replicas() * microBatch));
    }
}
