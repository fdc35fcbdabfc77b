// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh;

/// The arrangement by which the devices of a mesh share the work. Immutable.
///
/// @since 0.1
public sealed interface MeshTopology
        permits Topologies.DataParallel,
                Topologies.TensorParallel,
                Topologies.PipelineParallel,
                Topologies.Mixed,
                Topologies.Named {
    /// Returns the topology in which every device holds the whole model.
    static MeshTopology dataParallel() {
        return new Topologies.DataParallel();
    }

    /// Returns the topology that splits every layer over devices in one row, in as many groups as there are devices
    /// for.
    ///
    /// @param degree devices in a group
    /// @throws MeshPlanException if it is less than 1
    static MeshTopology tensorParallel(long degree) {
        return new Topologies.TensorParallel(degree);
    }

    /// Returns the topology that splits every layer over devices in rows and columns.
    ///
    /// @param degree devices in a group
    /// @param rows rows of a group, or of the whole mesh
    /// @param columns columns of a group, or of the whole mesh
    /// @throws MeshPlanException if one is less than 1
    static MeshTopology tensorParallel(long degree, long rows, long columns) {
        return new Topologies.TensorParallel(degree, new Topologies.Shape(rows, columns));
    }

    /// Returns the topology that gives each device one stage of layers.
    ///
    /// @param stages number of stages
    /// @throws MeshPlanException if it is less than 1
    static MeshTopology pipelineParallel(long stages) {
        return new Topologies.PipelineParallel(stages);
    }

    /// Returns the topology of tensor, pipeline and data parallelism together.
    ///
    /// @param tp tensor-parallel degree
    /// @param pp number of pipeline stages
    /// @param dp number of replicas
    /// @throws MeshPlanException if one is less than 1, or the product is too large
    static MeshTopology mixed(long tp, long pp, long dp) {
        return new Topologies.Mixed(tp, pp, dp);
    }

    /// Returns the topology of any dimensions in any order.
    static MeshTopology of(MeshSpec shape) {
        return new Topologies.Named(shape);
    }

    /// Returns the smallest number of devices that the topology fills.
    long expectedWorldSize();

    /// Checks that there are enough devices.
    ///
    /// @throws MeshPlanException if there are too few
    void validate(long worldSize);

    /// The shape of the mesh over so many devices, with `tp` fastest, then `pp`, then `dp`. It may leave
    /// devices over.
    ///
    /// @throws MeshPlanException if there are too few devices
    MeshSpec spec(int worldSize);
}
