package dev.muster.mesh.cuda;

/// NVIDIA's GPUs.
///
/// ```
/// try (DeviceBuffer buffer = Cuda.device(session.localRank()).allocate(bytes)) {
///     group.allReduce(buffer.segment(), DType.FLOAT32, ReduceOp.SUM);
/// }
/// ```
///
/// @since 0.1
public final class Cuda {
    private Cuda() {}

    /// A device, by its number among those that this process may use. A rank uses the one of its rank
    /// within its host, never that of its rank within the world.
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
