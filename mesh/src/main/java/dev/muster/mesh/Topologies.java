// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh;

import static dev.muster.mesh.MeshDimension.DATA;
import static dev.muster.mesh.MeshDimension.PIPELINE;
import static dev.muster.mesh.MeshDimension.TENSOR;

import dev.muster.mesh.MeshPlanException.MeshPlanError;

/// The kinds of [MeshTopology].
final class Topologies {
    private Topologies() {}

    private static void requirePositive(String what, long value) {
        if (value < 1) {
            throw new MeshPlanException(MeshPlanError.BAD_SIZE, what + " is at least 1: " + value);
        }
    }

    private static void requireDevices(boolean enough, String message) {
        if (!enough) {
            throw new MeshPlanException(MeshPlanError.TOO_FEW_DEVICES, message);
        }
    }

    /// Every device holds the whole model.
    record DataParallel() implements MeshTopology {
        /// One: any number of devices will do.
        @Override
        public long expectedWorldSize() {
            return 1;
        }

        @Override
        public void validate(long worldSize) {
            if (worldSize < 1) {
                throw new MeshPlanException(
                        MeshPlanError.TOO_FEW_DEVICES, "the number of devices is at least 1: " + worldSize);
            }
        }

        @Override
        public MeshSpec spec(int worldSize) {
            validate(worldSize);
            return MeshSpec.of(new MeshDimension(DATA, worldSize));
        }
    }

    /// Every layer is split. As many groups of that degree are made as there are devices for.
    ///
    /// @param degree over how many devices
    /// @param shape rows and columns of the devices: those of a group, or those of the whole
    ///     mesh
    record TensorParallel(long degree, Shape shape) implements MeshTopology {
        /// Checks the degree.
        TensorParallel {
            requirePositive("the tensor-parallel degree", degree);
        }

        /// Every layer is split over devices in one row.
        TensorParallel(long degree) {
            // A degree below 1 is refused as a degree, not as a shape.
            this(degree, new Shape(1, Math.clamp(degree, 1, MeshSpec.MOST_RANKS)));
        }

        @Override
        public long expectedWorldSize() {
            return degree;
        }

        /// Checks that there are enough devices and that the shape has as many as a group or as the
        /// mesh.
        @Override
        public void validate(long worldSize) {
            requireDevices(
                    worldSize >= degree,
                    "Tensor parallel degree " + degree + " requires at least " + degree + " devices, got " + worldSize);
            if (shape.product() != degree && shape.product() != worldSize) {
                throw new MeshPlanException(
                        MeshPlanError.SHAPE_MISMATCH,
                        "mesh shape " + shape + " has neither the " + degree + " devices of a tensor-parallel group"
                                + " nor all " + worldSize + " devices");
            }
        }

        /// Reports whether the devices of a group stand in rows and columns.
        boolean isGrid() {
            return shape.product() == degree && shape.rows() > 1 && shape.columns() > 1;
        }

        @Override
        public MeshSpec spec(int worldSize) {
            validate(worldSize);
            MeshDimension tensor = MeshDimension.of(TENSOR, degree);
            long groups = worldSize / degree;
            return groups == 1 ? MeshSpec.of(tensor) : MeshSpec.of(tensor, MeshDimension.of(DATA, groups));
        }
    }

    /// Layers are dealt out, one stage to each device.
    ///
    /// @param stages over how many devices
    record PipelineParallel(long stages) implements MeshTopology {
        /// Checks the number of stages.
        PipelineParallel {
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

        @Override
        public MeshSpec spec(int worldSize) {
            validate(worldSize);
            return MeshSpec.of(MeshDimension.of(PIPELINE, stages));
        }
    }

    /// Tensor, pipeline and data parallelism together.
    ///
    /// @param tp the tensor-parallel degree
    /// @param pp the number of pipeline stages
    /// @param dp the number of replicas
    record Mixed(long tp, long pp, long dp) implements MeshTopology {
        /// Checks the sizes.
        Mixed {
            requirePositive("the tensor-parallel degree", tp);
            requirePositive("the number of pipeline stages", pp);
            requirePositive("the number of replicas", dp);
            if (Math.multiplyHigh(tp, pp) != 0
                    || tp * pp < 0
                    || Math.multiplyHigh(tp * pp, dp) != 0
                    || tp * pp * dp < 0) {
                throw new MeshPlanException(
                        MeshPlanError.BAD_SIZE, "the mesh is too large: " + tp + " x " + pp + " x " + dp);
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

        @Override
        public MeshSpec spec(int worldSize) {
            validate(worldSize);
            return MeshSpec.of(
                    MeshDimension.of(TENSOR, tp), MeshDimension.of(PIPELINE, pp), MeshDimension.of(DATA, dp));
        }
    }

    /// Any dimensions in any order.
    ///
    /// @param shape the dimensions
    record Named(MeshSpec shape) implements MeshTopology {
        @Override
        public long expectedWorldSize() {
            return shape.worldSize();
        }

        @Override
        public void validate(long worldSize) {
            requireDevices(
                    worldSize >= shape.worldSize(),
                    "Mesh " + shape + " requires " + shape.worldSize() + " devices, got " + worldSize);
        }

        @Override
        public MeshSpec spec(int worldSize) {
            validate(worldSize);
            return shape;
        }
    }

    /// Rows and columns of devices.
    ///
    /// @param rows at least 1
    /// @param columns at least 1
    record Shape(long rows, long columns) {
        /// Checks the numbers.
        Shape {
            if (rows < 1 || columns < 1 || rows > MeshSpec.MOST_RANKS / columns) {
                throw new MeshPlanException(
                        MeshPlanError.BAD_SIZE,
                        "a mesh shape has rows and columns, at least one each and at most " + MeshSpec.MOST_RANKS
                                + " devices: " + rows + " x " + columns);
            }
        }

        /// Returns the number of devices of the shape.
        long product() {
            return rows * columns;
        }

        @Override
        public String toString() {
            return rows + " x " + columns;
        }
    }
}
