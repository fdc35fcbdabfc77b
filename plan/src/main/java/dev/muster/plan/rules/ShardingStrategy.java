// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.rules;

/// The strategy of spreading a model over devices. Immutable.
///
/// @param kind the kind of strategy
/// @param devices number of devices, stages or replicas; 1 for a model on one device
/// @since 0.1
public record ShardingStrategy(Kind kind, long devices) {
    /// A model on one device.
    public static final ShardingStrategy NONE = new ShardingStrategy(Kind.NONE, 1);

    /// Returns layers divided into ranges, one for each device.
    public static ShardingStrategy pipelineParallel(long stages) {
        return new ShardingStrategy(Kind.PIPELINE_PARALLEL, stages);
    }

    /// Returns split layers: each device holds a slice of all of them.
    public static ShardingStrategy tensorParallel(long devices) {
        return new ShardingStrategy(Kind.TENSOR_PARALLEL, devices);
    }

    /// Returns replicas: every device holds the whole model.
    public static ShardingStrategy dataParallel(long replicas) {
        return new ShardingStrategy(Kind.DATA_PARALLEL, replicas);
    }

    /// Returns the least number of devices for the strategy.
    public long minDevices() {
        return devices;
    }

    /// Returns the display name of the strategy.
    public String display() {
        return switch (kind) {
            case NONE -> "None";
            case PIPELINE_PARALLEL -> "Pipeline Parallel (" + devices + " stages)";
            case TENSOR_PARALLEL -> "Tensor Parallel (" + devices + " devices)";
            case DATA_PARALLEL -> "Data Parallel (" + devices + " replicas)";
        };
    }

    /// A kind of strategy.
    ///
    /// @since 0.3
    public enum Kind {
        /// One device.
        NONE,
        /// Ranges of layers.
        PIPELINE_PARALLEL,
        /// Slices of layers.
        TENSOR_PARALLEL,
        /// Replicas of the model.
        DATA_PARALLEL
    }
}
