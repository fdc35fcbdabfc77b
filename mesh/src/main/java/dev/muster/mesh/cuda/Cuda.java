package dev.muster.mesh.cuda;

/// NVIDIA's GPUs.
///
/// ```
/// try (DeviceBuffer buffer = Cuda.deviceOfRank(session.localRank()).allocate(bytes)) {
///     group.allReduce(buffer.segment(), DType.FLOAT32, ReduceOp.SUM);
/// }
/// ```
///
/// @since 0.1
public final class Cuda {
    private Cuda() {}

    /// The device that a rank of a mesh uses: the one with the number of its rank within its host, never that of its
    /// rank within the world. Where the process is shown one device alone, as Slurm does, it is that.
    ///
    /// @param localRank such as [dev.muster.mesh.session.MeshSession#localRank()]
    /// @throws dev.muster.mesh.collective.MeshException if there is no driver or no such device
    public static GpuDevice deviceOfRank(int localRank) {
        return GpuRuntime.CUDA.deviceOfRank(localRank);
    }

    /// A device, by its number among those that this process may use.
    ///
    /// @throws dev.muster.mesh.collective.MeshException if there is no driver or no such device
    public static GpuDevice device(int ordinal) {
        return GpuRuntime.CUDA.device(ordinal);
    }

    /// How many devices this process may use.
    ///
    /// @throws dev.muster.mesh.collective.MeshException if there is no driver
    public static int countDevices() {
        return GpuRuntime.CUDA.countDevices();
    }
}
