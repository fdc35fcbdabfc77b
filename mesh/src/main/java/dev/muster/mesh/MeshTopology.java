package dev.muster.mesh;

/// How the devices of a mesh share the work. Immutable.
///
/// @since 0.1
public sealed interface MeshTopology {
    /// How many devices the topology fills.
    long expectedWorldSize();

    /// Checks that there are enough devices.
    ///
    /// @throws IllegalArgumentException if there are too few
    void validate(long worldSize);

    private static void requirePositive(String what, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(what + " is at least 1: " + value);
        }
    }

    private static void requireDevices(boolean enough, String message) {
        if (!enough) {
            throw new IllegalArgumentException(message);
        }
    }

    /// Every device holds the whole model.
    record DataParallel() implements MeshTopology {
        @Override
        public long expectedWorldSize() {
            return 1;
        }

        @Override
        public void validate(long worldSize) {
            requirePositive("the number of devices", worldSize);
        }
    }

    /// Every layer is split.
    ///
    /// @param degree over how many devices
    record TensorParallel(long degree) implements MeshTopology {
        /// Checks the degree.
        public TensorParallel {
            requirePositive("the tensor-parallel degree", degree);
        }

        @Override
        public long expectedWorldSize() {
            return degree;
        }

        @Override
        public void validate(long worldSize) {
            requireDevices(
                    worldSize >= degree,
                    "Tensor parallel degree " + degree + " requires at least " + degree + " devices, got " + worldSize);
        }
    }

    /// Layers are dealt out.
    ///
    /// @param stages over how many devices
    record PipelineParallel(long stages) implements MeshTopology {
        /// Checks the number of stages.
        public PipelineParallel {
            requirePositive("the number of pipeline stages", stages);
        }

        @Override
        public long expectedWorldSize() {
            return stages;
        }

        @Override
        public void validate(long worldSize) {
            requireDevices(
                    worldSize >= stages,
                    "Pipeline parallel requires " + stages + " stages, got " + worldSize + " devices");
        }
    }

    /// Tensor, pipeline and data parallelism together.
    ///
    /// @param tp the tensor-parallel degree
    /// @param pp the number of pipeline stages
    /// @param dp the number of replicas
    record Mixed(long tp, long pp, long dp) implements MeshTopology {
        /// Checks the sizes.
        public Mixed {
            requirePositive("the tensor-parallel degree", tp);
            requirePositive("the number of pipeline stages", pp);
            requirePositive("the number of replicas", dp);
            if (Math.multiplyHigh(tp, pp) != 0
                    || tp * pp < 0
                    || Math.multiplyHigh(tp * pp, dp) != 0
                    || tp * pp * dp < 0) {
                throw new IllegalArgumentException("no mesh is as large as " + tp + " x " + pp + " x " + dp);
            }
        }

        @Override
        public long expectedWorldSize() {
            return Math.multiplyExact(Math.multiplyExact(tp, pp), dp);
        }

        @Override
        public void validate(long worldSize) {
            requireDevices(
                    worldSize >= expectedWorldSize(),
                    "Mixed parallelism (TP=" + tp + ", PP=" + pp + ", DP=" + dp + ") requires " + expectedWorldSize()
                            + " devices, got " + worldSize);
        }
    }
}
