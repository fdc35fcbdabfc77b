package dev.muster.plan.rules;

/// How a model is spread over devices. Immutable.
///
/// @since 0.1
public sealed interface ShardingStrategy {
    /// How many devices the strategy needs at least.
    long minDevices();

    /// The strategy for people.
    String display();

    /// The model is not split.
    record None() implements ShardingStrategy {
        @Override
        public long minDevices() {
            return 1;
        }

        @Override
        public String display() {
            return "None";
        }
    }

    /// Layers are dealt out: each device holds a range of them.
    ///
    /// @param stages how many ranges
    record PipelineParallel(long stages) implements ShardingStrategy {
        @Override
        public long minDevices() {
            return stages;
        }

        @Override
        public String display() {
            return "Pipeline Parallel (" + stages + " stages)";
        }
    }

    /// Every layer is split: each device holds a slice of all of them.
    ///
    /// @param devices how many slices
    record TensorParallel(long devices) implements ShardingStrategy {
        @Override
        public long minDevices() {
            return devices;
        }

        @Override
        public String display() {
            return "Tensor Parallel (" + devices + " devices)";
        }
    }

    /// Every device holds the whole model.
    ///
    /// @param replicas how many copies
    record DataParallel(long replicas) implements ShardingStrategy {
        @Override
        public long minDevices() {
            return replicas;
        }

        @Override
        public String display() {
            return "Data Parallel (" + replicas + " replicas)";
        }
    }
}
