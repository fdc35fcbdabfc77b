package dev.muster.detect.amd;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Watts;
import dev.muster.detect.pci.PcieRate;
import dev.muster.detect.tool.Sighting;
import java.util.Optional;

/// Makes a profile of what `amd-smi` says of a GPU.
final class AmdSmiFacts {
    private static final double MIB = 1 << 20;
    private static final double MOST_MEMORY = 1L << 44;
    private static final long MOST_COUNT = 1 << 20;

    private final AmdSmiGpu gpu;
    private final Sighting profile;

    private AmdSmiFacts(AmdSmiGpu gpu, Provenance source) {
        this.gpu = gpu;
        this.profile = new Sighting(AcceleratorKind.ROCM_GPU, gpu.index(), source);
    }

    static AcceleratorProfile profile(AmdSmiGpu gpu, Provenance source) {
        return new AmdSmiFacts(gpu, source).read();
    }

    private AcceleratorProfile read() {
        profile.with(DeviceFact.PCI_ADDRESS, gpu.find("bdf", "bus.bdf").flatMap(PciAddress::find));
        profile.with(DeviceFact.PCI_ID, pciId());
        profile.with(DeviceFact.DEVICE_NAME, gpu.find("asic.market_name").filter(name -> !name.startsWith("0x")));
        // The tool's own UUID has another form than ROCm's; the serial number is ROCm's.
        profile.with(DeviceFact.UUID, gpu.find("asic.asic_serial").flatMap(AmdText::uuidOfHex));
        profile.with(
                DeviceFact.COMPUTE_CAPABILITY,
                gpu.find("asic.target_graphics_version").filter(text -> text.startsWith("gfx")));
        profile.with(DeviceFact.COMPUTE_UNITS, count("asic.num_compute_units"));
        profile.with(
                DeviceFact.MEMORY,
                megabytes("vram.size", "vram.vram_size_mb", "mem_usage.total_vram")
                        .filter(bytes -> !bytes.isZero()));
        profile.with(DeviceFact.MEMORY_USED, megabytes("mem_usage.used_vram"));
        profile.with(DeviceFact.MEMORY_FREE, megabytes("mem_usage.free_vram"));
        profile.with(
                DeviceFact.MEMORY_TYPE,
                gpu.find("vram.type", "vram.vram_type").filter(type -> !type.equals("UNKNOWN")));
        profile.with(
                DeviceFact.MEMORY_VENDOR,
                gpu.find("vram.vendor", "vram.vram_vendor").filter(name -> !name.equals("UNKNOWN")));
        profile.with(DeviceFact.DRIVER_VERSION, gpu.find("driver.version", "driver.driver_version"));
        profile.with(
                DeviceFact.KERNEL_DRIVER,
                gpu.find("driver.name", "driver.driver_name").filter(AmdCards.DRIVER::equals));
        profile.with(DeviceFact.FIRMWARE_VERSION, gpu.find("vbios.part_number", "ifwi.part_number"));
        profile.with(DeviceFact.NUMA_NODE, count("numa.node"));
        profile.with(DeviceFact.PARTITIONING, partitioning());
        bus();
        profile.with(
                DeviceFact.TEMPERATURE,
                gpu.find("temperature.edge", "temperature.hotspot").flatMap(AmdText::degrees));
        profile.with(
                DeviceFact.HOTSPOT_TEMPERATURE, gpu.find("temperature.hotspot").flatMap(AmdText::degrees));
        profile.with(DeviceFact.MEMORY_TEMPERATURE, gpu.find("temperature.mem").flatMap(AmdText::degrees));
        profile.with(
                DeviceFact.POWER,
                gpu.find("power.socket_power", "power.current_power").flatMap(AmdText::watts));
        profile.with(DeviceFact.POWER_LIMIT, powerLimit());
        profile.with(
                DeviceFact.UTILIZATION,
                gpu.find("usage.gfx_activity", "usage.gfx_usage").flatMap(AmdText::percent));
        return profile.build();
    }

    private Optional<String> pciId() {
        return gpu.find("asic.device_id")
                .flatMap(AmdText::hex16)
                .flatMap(device -> gpu.find("asic.vendor_id")
                        .flatMap(AmdText::hex16)
                        .map(vendor -> AmdText.pciId(vendor, device)));
    }

    private Optional<Long> count(String path) {
        return gpu.find(path).flatMap(AmdText::whole).filter(value -> value < MOST_COUNT);
    }

    /// The tool's MB are 2^20 bytes.
    private Optional<Bytes> megabytes(String... paths) {
        return gpu.find(paths)
                .flatMap(AmdText::leadingNumber)
                .filter(value -> value * MIB <= MOST_MEMORY)
                .map(value -> Bytes.of(Math.round(value * MIB)));
    }

    private Optional<String> partitioning() {
        String memory = gpu.find("partition.memory_partition").orElse("");
        return gpu.find("partition.compute_partition", "partition.accelerator_partition")
                .map(mode -> AmdText.partitioning(mode, memory));
    }

    private void bus() {
        profile.with(DeviceFact.PCIE_WIDTH_MAX, count("bus.max_pcie_width"));
        profile.with(DeviceFact.PCIE_WIDTH, count("pcie.width"));
        profile.with(DeviceFact.PCIE_GENERATION_MAX, generation("bus.max_pcie_speed"));
        profile.with(DeviceFact.PCIE_GENERATION, generation("pcie.speed"));
    }

    private Optional<Long> generation(String path) {
        return gpu.find(path).flatMap(PcieRate::parseGeneration);
    }

    private Optional<Watts> powerLimit() {
        return AmdText.powerLimit(gpu.find("limit.socket_power", "limit.ppt0.socket_power_limit", "limit.max_power")
                .flatMap(AmdText::watts));
    }
}
