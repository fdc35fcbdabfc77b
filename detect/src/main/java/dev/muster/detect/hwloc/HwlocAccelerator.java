package dev.muster.detect.hwloc;

import dev.muster.core.AcceleratorKind;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// An accelerator: all objects that hwloc has for it.
///
/// @param kind what it is
/// @param osDevices the objects of the libraries that see it, the best first
/// @param function its place on the PCI bus; nothing for one that is on none
record HwlocAccelerator(
        AcceleratorKind kind,
        List<HwlocObject> osDevices,
        @Nullable HwlocFunction function) {
    private static final int DISPLAY = 0x03;
    private static final int ACCELERATOR = 0x12;

    HwlocAccelerator {
        osDevices = List.copyOf(osDevices);
    }

    /// The accelerator behind a function, if it is one: what a library says counts; without one, the vendor and the
    /// class of a graphics card do.
    static Optional<HwlocAccelerator> find(HwlocFunction function) {
        List<HwlocObject> seen = function.osDevices().stream()
                .filter(device -> HwlocLibrary.find(device).isPresent())
                .sorted(Comparator.comparing((HwlocObject device) ->
                                HwlocLibrary.find(device).orElseThrow())
                        .thenComparing(HwlocLibrary::isPart))
                .toList();
        return findKind(function, seen).map(kind -> new HwlocAccelerator(kind, seen, function));
    }

    private static Optional<AcceleratorKind> findKind(HwlocFunction function, List<HwlocObject> seen) {
        Optional<AcceleratorKind> told = seen.stream()
                .flatMap(device -> HwlocLibrary.find(device).orElseThrow().findKind(device).stream())
                .findFirst();
        int base = function.classCode() >> Byte.SIZE;
        if (told.isPresent() || (base != DISPLAY && base != ACCELERATOR)) {
            return told;
        }
        return switch (function.vendor()) {
            case 0x10de -> Optional.of(AcceleratorKind.CUDA_GPU);
            case 0x1002 -> Optional.of(AcceleratorKind.ROCM_GPU);
            case 0x8086 -> base == DISPLAY ? Optional.of(AcceleratorKind.INTEL_ONE_API) : Optional.empty();
            default -> Optional.empty();
        };
    }

    Optional<HwlocFunction> findFunction() {
        return Optional.ofNullable(function);
    }

    /// The vendor's own number of it.
    Optional<Long> findNumber() {
        return osDevices.stream()
                .flatMap(device -> HwlocLibrary.find(device).orElseThrow().findNumber(device).stream())
                .findFirst();
    }

    /// What a library noted about it, the best library first; parts of a device speak for themselves only.
    Optional<String> findInfo(String name) {
        return osDevices.stream()
                .filter(device -> !HwlocLibrary.isPart(device))
                .flatMap(device -> device.findInfo(name).stream())
                .findFirst();
    }

    /// Whether NVML was asked about it.
    boolean isKnownToNvml() {
        return osDevices.stream().anyMatch(device -> HwlocLibrary.find(device).orElseThrow() == HwlocLibrary.NVML);
    }
}
