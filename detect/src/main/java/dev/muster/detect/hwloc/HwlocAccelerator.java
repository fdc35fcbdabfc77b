// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.hwloc;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.PciAddress;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.text.Amount;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// An accelerator: all objects that hwloc has for it.
///
/// @param kind kind of device
/// @param osDevices the objects of the libraries that see it, the best first
/// @param function its place on the PCI bus; nothing for one that is on none
record HwlocAccelerator(
        AcceleratorKind kind,
        List<HwlocObject> osDevices,
        @Nullable HwlocFunction function) {
    private static final int DISPLAY = 0x03;
    private static final int ACCELERATOR = 0x12;
    /// The keys under which libraries keep the memory, in KiB. NVML's objects have none.
    private static final List<String> MEMORY = List.of(
            "CUDAGlobalMemorySize",
            "RSMIVRAMSize",
            "LevelZeroHBMSize",
            "LevelZeroDDRSize",
            "VectorEngineMemorySize",
            "OpenCLGlobalMemorySize");

    private static final List<String> NAMES = List.of("GPUModel", "LevelZeroModel");
    private static final List<String> COMPUTE_UNITS =
            List.of("CUDAMultiProcessors", "VectorEngineCores", "OpenCLComputeUnits");
    private static final long MAX_COMPUTE_UNITS = 1 << 20;
    private static final int HEXADECIMAL = 16;

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

    /// Returns a library's note about it, the best library first; parts of a device describe only themselves.
    Optional<String> findInfo(String name) {
        return osDevices.stream()
                .filter(device -> !HwlocLibrary.isPart(device))
                .flatMap(device -> device.findInfo(name).stream())
                .findFirst();
    }

    /// Reports whether NVML described it.
    boolean isKnownToNvml() {
        return osDevices.stream().anyMatch(device -> HwlocLibrary.find(device).orElseThrow() == HwlocLibrary.NVML);
    }

    /// Returns the facts of the file about it: the profile so far.
    ///
    /// @param layout the places of devices in the host
    AcceleratorProfile.ProfileBuilder profile(AcceleratorType type, HwlocLayout layout) {
        AcceleratorProfile.ProfileBuilder profile = AcceleratorProfile.builder(type)
                .with(DeviceFact.DEVICE_NAME, HwlocFacts.reading(findName(), "the name"))
                .with(DeviceFact.MEMORY, HwlocFacts.reading(findMemory(), "the memory"))
                .with(DeviceFact.UUID, HwlocFacts.reading(findUuid(), "the UUID"))
                .with(DeviceFact.COMPUTE_UNITS, HwlocFacts.reading(findComputeUnits(), "the compute units"))
                .with(DeviceFact.DRIVER_VERSION, HwlocFacts.reading(Optional.empty(), "the driver"))
                .with(DeviceFact.PCI_ADDRESS, HwlocFacts.reading(findAddress(), "a PCI address"))
                .with(
                        DeviceFact.PCI_ID,
                        HwlocFacts.reading(findFunction().flatMap(HwlocFunction::findPciId), "the PCI id"))
                .with(DeviceFact.PCIE_BANDWIDTH, pcieBandwidth())
                .with(DeviceFact.NUMA_NODE, numaNode(layout));
        findHive().ifPresent(hive -> profile.with(DeviceFact.FABRIC_DOMAIN, Reading.known(hive, HwlocFacts.SOURCE)));
        return profile;
    }

    private Optional<String> findFirst(List<String> infos) {
        return infos.stream().flatMap(name -> findInfo(name).stream()).findFirst();
    }

    /// Without a library, the list of PCI ids may know the name.
    private Optional<String> findName() {
        return findFirst(NAMES)
                .or(() -> findFunction().flatMap(function -> function.object().findInfo("PCIDevice")));
    }

    private Optional<Bytes> findMemory() {
        return findFirst(MEMORY).flatMap(HwlocFacts::findKib);
    }

    private Optional<Long> findComputeUnits() {
        return findFirst(COMPUTE_UNITS)
                .flatMap(text -> Amount.count(text, MAX_COMPUTE_UNITS))
                .filter(count -> count > 0);
    }

    private Optional<String> findUuid() {
        return findInfo("NVIDIAUUID")
                .or(() -> findInfo("AMDUUID").flatMap(HwlocAccelerator::amdUuid))
                .or(() -> findInfo("LevelZeroUUID"))
                .or(() -> findInfo("VectorEngineSerialNumber"));
    }

    /// AMD's id is a number of 64 bits, which ROCm's runtime writes as `GPU-4a7c19da329a2b8c`.
    private static Optional<String> amdUuid(String text) {
        return findHex(text).map(number -> {
            String digits = Long.toHexString(number);
            return "GPU-" + "0".repeat(HEXADECIMAL - digits.length()) + digits;
        });
    }

    /// The kernel writes a hive's number in decimal.
    private Optional<String> findHive() {
        return findInfo("XGMIHiveID").flatMap(HwlocAccelerator::findHex).map(Long::toUnsignedString);
    }

    /// A number of at most 64 bits; 0 stands for none.
    private static Optional<Long> findHex(String text) {
        try {
            return Optional.of(Long.parseUnsignedLong(text, HEXADECIMAL)).filter(number -> number != 0);
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }

    private Optional<PciAddress> findAddress() {
        return findFunction().map(HwlocFunction::address);
    }

    private Reading<Long> numaNode(HwlocLayout layout) {
        return findFunction()
                .map(function -> layout.numaNode(function.cpus()))
                .orElse(HwlocFacts.missing("the hwloc file has it on no PCI bus"));
    }

    /// hwloc asks NVML what a link can do at most. Elsewhere it notes what the link did at that moment, and devices
    /// slow down at rest.
    private Reading<Bandwidth> pcieBandwidth() {
        Optional<Bandwidth> noted = findFunction()
                .flatMap(function -> Amount.decimal(function.object().attribute("pci_link_speed")))
                .filter(rate -> rate > 0)
                .map(Bandwidth::new);
        return noted.isEmpty() || isKnownToNvml()
                ? HwlocFacts.reading(noted, "the rate of the PCIe link")
                : HwlocFacts.missing("the hwloc file states only the PCIe rate at that moment: "
                        + noted.get().gigabytesPerSecond() + " GB/s");
    }
}
