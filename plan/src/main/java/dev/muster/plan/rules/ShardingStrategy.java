// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.rules;

/// How a model is spread over devices. Immutable.
///
/// @since 0.1
public sealed interface ShardingStrategy {
    /// How many devices the strategy needs at least.
    default long minDevices() {
        return switch (this) {
            case None() -> 1;
            case PipelineParallel(long stages) -> stages;
            case TensorParallel(long devices) -> devices;
            case DataParallel(long replicas) -> replicas;
        };
    }

    /// The strategy for people.
    default String display() {
        return switch (this) {
            case None() -> "None";
            case PipelineParallel(long stages) -> "Pipeline Parallel (" + stages + " stages)";
            case TensorParallel(long devices) -> "Tensor Parallel (" + devices + " devices)";
            case DataParallel(long replicas) -> "Data Parallel (" + replicas + " replicas)";
        };
    }

    /// The model is not split.
    record None() implements ShardingStrategy {}

    /// Layers are dealt out: each device holds a range of them.
    ///
    /// @param stages how many devices
    record PipelineParallel(long stages) implements ShardingStrategy {}

    /// Every layer is split: each device holds a slice of all of them.
    ///
    /// @param devices how many devices
    record TensorParallel(long devices) implements ShardingStrategy {}

    /// Every device holds the whole model.
    ///
    /// @param replicas how many devices
    record DataParallel(long replicas) implements ShardingStrategy {}
}
