// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.nccl;

import dev.muster.mesh.cuda.GpuRuntime;
import java.util.List;
import java.util.Locale;

/// The vendor of the library.
public enum NcclKind {
    /// NVIDIA's.
    NCCL(
            GpuRuntime.CUDA,
            "libnccl.so.2",
            "install NCCL (Debian and Ubuntu: libnccl2), or put the folder of another into LD_LIBRARY_PATH, such as"
                    + " nvidia/nccl/lib of a Python's site-packages"),
    /// AMD's. Not verified on hardware.
    RCCL(
            GpuRuntime.HIP,
            "librccl.so.1",
            "install ROCm's RCCL, or put the folder of its libraries into LD_LIBRARY_PATH");

    private final GpuRuntime runtime;
    private final String file;
    private final String advice;

    NcclKind(GpuRuntime runtime, String file, String advice) {
        this.runtime = runtime;
        this.file = file;
        this.advice = advice;
    }

    /// The one that works with the devices of a vendor.
    public static NcclKind of(GpuRuntime runtime) {
        return switch (runtime) {
            case CUDA -> NCCL;
            case HIP -> RCCL;
        };
    }

    /// The library of the devices that it works with.
    GpuRuntime runtime() {
        return runtime;
    }

    /// The name that people write: `nccl`.
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Loads the library.
    ///
    /// @throws dev.muster.mesh.collective.GroupException if it is not there or too old
    NcclLibrary load() {
        return NcclLibrary.load(List.of(file), advice);
    }
}
