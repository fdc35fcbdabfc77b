// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.hwloc;

import dev.muster.core.AcceleratorKind;
import dev.muster.detect.text.Amount;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The libraries through which hwloc sees accelerators. Each makes an object of its own for the same device; the one
/// whose word counts more comes first.
enum HwlocLibrary {
    NVML("nvml", AcceleratorKind.CUDA_GPU),
    CUDA("cuda", AcceleratorKind.CUDA_GPU),
    RSMI("rsmi", AcceleratorKind.ROCM_GPU),
    LEVEL_ZERO("ze", AcceleratorKind.INTEL_ONE_API),
    /// The driver's own folder in sysfs.
    VECTOR_ENGINE("ve", AcceleratorKind.NEC_VE),
    /// Sees devices of any vendor, and numbers them in its own way.
    OPENCL("opencl", null);

    /// More devices than any machine has.
    private static final long MAX_NUMBER = 4095;

    private static final char PART = '.';

    private final String prefix;
    private final @Nullable AcceleratorKind kind;

    HwlocLibrary(String prefix, @Nullable AcceleratorKind kind) {
        this.prefix = prefix;
        this.kind = kind;
    }

    /// The library that made an OS device, by the device's name.
    static Optional<HwlocLibrary> find(HwlocObject osDevice) {
        String name = osDevice.name();
        for (HwlocLibrary library : values()) {
            int digit = library.prefix.length();
            if (name.startsWith(library.prefix) && name.length() > digit && Character.isDigit(name.charAt(digit))) {
                return Optional.of(library);
            }
        }
        return Optional.empty();
    }

    /// Reports whether an OS device is a part of another, such as `ze0.1`.
    static boolean isPart(HwlocObject osDevice) {
        return osDevice.name().indexOf(PART) > 0;
    }

    /// Returns the kind of the library's devices; nothing if it serves several vendors, or other devices.
    Optional<AcceleratorKind> findKind(HwlocObject osDevice) {
        String type = osDevice.findInfo("LevelZeroDeviceType").orElse("GPU");
        return switch (type) {
            case "GPU" -> Optional.ofNullable(kind);
            case "VPU" -> Optional.of(AcceleratorKind.INTEL_NPU);
            default -> Optional.empty();
        };
    }

    /// The vendor's own number of a device: 4 for `nvml4` and `ze4.1`. Libraries number their main kind; other
    /// devices only stand in between.
    Optional<Long> findNumber(HwlocObject osDevice) {
        if (kind == null || !findKind(osDevice).equals(Optional.of(kind))) {
            return Optional.empty();
        }
        String digits = osDevice.name().substring(prefix.length());
        int part = digits.indexOf(PART);
        return Amount.count(part < 0 ? digits : digits.substring(0, part), MAX_NUMBER);
    }
}
