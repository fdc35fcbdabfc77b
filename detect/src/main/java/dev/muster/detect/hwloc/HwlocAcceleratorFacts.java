package dev.muster.detect.hwloc;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.PciAddress;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.text.Amount;
import java.util.List;
import java.util.Optional;

/// What a file says about one accelerator.
///
/// @param accelerator the accelerator
/// @param layout where things sit in the host
record HwlocAcceleratorFacts(HwlocAccelerator accelerator, HwlocLayout layout) {
    /// Where libraries keep the memory, in KiB. NVML's objects have none.
    private static final List<String> MEMORY = List.of(
            "CUDAGlobalMemorySize", "RSMIVRAMSize", "LevelZeroHBMSize", "LevelZeroDDRSize", "OpenCLGlobalMemorySize");

    private static final List<String> NAMES = List.of("GPUModel", "LevelZeroModel");
    private static final List<String> COMPUTE_UNITS = List.of("CUDAMultiProcessors", "OpenCLComputeUnits");
    private static final long MAX_COMPUTE_UNITS = 1 << 20;
    private static final int HEXADECIMAL = 16;

    /// The profile so far.
    AcceleratorProfile.Builder fill(AcceleratorType type) {
        AcceleratorProfile.Builder profile = AcceleratorProfile.builder(type)
                .with(DeviceFact.DEVICE_NAME, HwlocFacts.reading(findName(), "the name"))
                .with(DeviceFact.MEMORY, HwlocFacts.reading(findMemory(), "the memory"))
                .with(DeviceFact.UUID, HwlocFacts.reading(findUuid(), "the UUID"))
                .with(DeviceFact.COMPUTE_UNITS, HwlocFacts.reading(findComputeUnits(), "the compute units"))
                .with(DeviceFact.DRIVER_VERSION, HwlocFacts.reading(Optional.empty(), "the driver"))
                .with(DeviceFact.PCI_ADDRESS, HwlocFacts.reading(findAddress(), "a PCI address"))
                .with(
                        DeviceFact.PCI_ID,
                        HwlocFacts.reading(accelerator.findFunction().flatMap(HwlocFunction::findPciId), "the PCI id"))
                .with(DeviceFact.PCIE_BANDWIDTH, pcieBandwidth())
                .with(DeviceFact.NUMA_NODE, numaNode());
        findHive().ifPresent(hive -> profile.with(DeviceFact.FABRIC_DOMAIN, Reading.known(hive, HwlocFacts.SOURCE)));
        return profile;
    }

    private Optional<String> findFirst(List<String> infos) {
        return infos.stream()
                .flatMap(name -> accelerator.findInfo(name).stream())
                .findFirst();
    }

    /// Without a library, the list of PCI ids may know the name.
    private Optional<String> findName() {
        return findFirst(NAMES)
                .or(() -> accelerator
                        .findFunction()
                        .flatMap(function -> function.object().findInfo("PCIDevice")));
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
        return accelerator
                .findInfo("NVIDIAUUID")
                .or(() -> accelerator.findInfo("AMDUUID").flatMap(HwlocAcceleratorFacts::amdUuid))
                .or(() -> accelerator.findInfo("LevelZeroUUID"));
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
        return accelerator
                .findInfo("XGMIHiveID")
                .flatMap(HwlocAcceleratorFacts::findHex)
                .map(Long::toUnsignedString);
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
        return accelerator.findFunction().map(HwlocFunction::address);
    }

    private Reading<Long> numaNode() {
        return accelerator
                .findFunction()
                .map(function -> layout.numaNode(function.cpus()))
                .orElse(HwlocFacts.missing("the hwloc file has it on no PCI bus"));
    }

    /// hwloc asks NVML what a link can do at most. Elsewhere it notes what the link did at that moment, and devices
    /// slow down at rest.
    private Reading<Bandwidth> pcieBandwidth() {
        Optional<Bandwidth> noted = accelerator
                .findFunction()
                .flatMap(function -> Amount.decimal(function.object().attribute("pci_link_speed")))
                .filter(rate -> rate > 0)
                .map(Bandwidth::new);
        return noted.isEmpty() || accelerator.isKnownToNvml()
                ? HwlocFacts.reading(noted, "the rate of the PCIe link")
                : HwlocFacts.missing("the hwloc file tells only what the PCIe link carried at that moment: "
                        + noted.get().gigabytesPerSecond() + " GB/s");
    }
}
