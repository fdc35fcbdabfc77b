// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.cuda;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// A vendor's library for GPUs. It is loaded when first asked and then serves the whole process.
///
/// ```
/// GpuDevice device = GpuRuntime.CUDA.deviceOfRank(session.localRank());
/// try (DeviceBuffer buffer = device.allocate(bytes)) {
///     group.allReduce(buffer.segment(), DType.FLOAT32, ReduceOp.SUM);
/// }
/// ```
///
/// @since 0.1
public enum GpuRuntime {
    /// NVIDIA's driver.
    CUDA(
            List.of("libcuda.so.1"),
            "install NVIDIA's driver, or start the container with access to the GPU",
            "check with nvidia-smi and CUDA_VISIBLE_DEVICES"),
    /// AMD's HIP. Not verified on hardware.
    HIP(
            List.of("libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5"),
            "install ROCm, or put its folder of libraries into LD_LIBRARY_PATH",
            "check with rocm-smi and HIP_VISIBLE_DEVICES");

    /// A driver and its contexts are of the process; so is this.
    private static final Map<GpuRuntime, GpuLibrary> LOADED = new EnumMap<>(GpuRuntime.class);

    private final List<String> libraries;
    private final String advice;
    private final String whereToLook;

    GpuRuntime(List<String> libraries, String advice, String whereToLook) {
        this.libraries = libraries;
        this.advice = advice;
        this.whereToLook = whereToLook;
    }

    String advice() {
        return advice;
    }

    String whereToLook() {
        return whereToLook;
    }

    /// Returns the number of devices that this process may use.
    ///
    /// @throws dev.muster.mesh.collective.GroupException if the library is missing or refuses
    public int countDevices() {
        return library().countDevices();
    }

    /// The device that a rank of a mesh uses: the one with the number of its rank within its host, never that of its
    /// rank within the world. Where the process is shown one device alone, as Slurm does, it is that.
    ///
    /// @throws dev.muster.mesh.collective.GroupException if the library is missing or has no such device
    public GpuDevice deviceOfRank(int localRank) {
        return device(countDevices() == 1 ? 0 : localRank);
    }

    /// A device, by its number among those that this process may use.
    ///
    /// @throws dev.muster.mesh.collective.GroupException if the library is missing or has no such device
    public GpuDevice device(int ordinal) {
        return library().device(ordinal);
    }

    /// The devices of all vendors that this process has opened.
    static Stream<GpuDevice> devices() {
        synchronized (LOADED) {
            return List.copyOf(LOADED.values()).stream().flatMap(GpuLibrary::devices);
        }
    }

    private GpuLibrary library() {
        synchronized (LOADED) {
            return LOADED.computeIfAbsent(this, runtime -> GpuLibrary.load(runtime, runtime.libraries));
        }
    }
}
