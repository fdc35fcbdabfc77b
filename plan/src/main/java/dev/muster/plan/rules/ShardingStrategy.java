// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.rules;

/// The strategy of spreading a model over devices. Immutable.
///
/// @since 0.1
public sealed interface ShardingStrategy {
    /// Returns the least number of devices for the strategy.
    default long minDevices() {
        return switch (this) {
            case None() -> 1;
            case PipelineParallel(long stages) -> stages;
            case TensorParallel(long devices) -> devices;
            case DataParallel(long replicas) -> replicas;
        };
    }

    /// Returns the display name of the strategy.
    default String display() {
        return switch (this) {
            case None() -> "None";
            case PipelineParallel(long stages) -> "Pipeline Parallel (" + stages + " stages)";
            case TensorParallel(long devices) -> "Tensor Parallel (" + devices + " devices)";
            case DataParallel(long replicas) -> "Data Parallel (" + replicas + " replicas)";
        };
    }

    /// A model on one device.
    record None() implements ShardingStrategy {}

    /// Layers divided into ranges, one for each device.
    ///
    /// @param stages number of devices
    record PipelineParallel(long stages) implements ShardingStrategy {}

    /// Split layers: each device holds a slice of all of them.
    ///
    /// @param devices number of devices
    record TensorParallel(long devices) implements ShardingStrategy {}

    /// Replicas: every device holds the whole model.
    ///
    /// @param replicas number of devices
    record DataParallel(long replicas) implements ShardingStrategy {}
}
