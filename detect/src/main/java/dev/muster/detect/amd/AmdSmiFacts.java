package dev.muster.detect.amd;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Watts;
import dev.muster.detect.pci.PcieRate;
import java.util.Optional;

/// Makes a profile of what `amd-smi` says of a GPU.
final class AmdSmiFacts {
    private static final double MIB = 1 << 20;
    private static final double MOST_MEMORY = 1L << 44;
    private static final long MOST_COUNT = 1 << 20;

    private final AmdSmiGpu gpu;
    private final Provenance source;
    private final AcceleratorProfile.Builder profile;

    private AmdSmiFacts(AmdSmiGpu gpu, Provenance source) {
        this.gpu = gpu;
        this.source = source;
        this.profile = AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.ROCM_GPU, gpu.index()));
    }

    static AcceleratorProfile profile(AmdSmiGpu gpu, Provenance source) {
        return new AmdSmiFacts(gpu, source).read();
    }

    private AcceleratorProfile read() {
        put(DeviceFact.PCI_ADDRESS, gpu.find("bdf", "bus.bdf").flatMap(PciAddress::find));
        put(DeviceFact.PCI_ID, pciId());
        put(DeviceFact.DEVICE_NAME, gpu.find("asic.market_name").filter(name -> !name.startsWith("0x")));
        // The tool's own UUID has another form than ROCm's; the serial number is ROCm's.
        put(DeviceFact.UUID, gpu.find("asic.asic_serial").flatMap(AmdText::uuidOfHex));
        put(
                DeviceFact.COMPUTE_CAPABILITY,
                gpu.find("asic.target_graphics_version").filter(text -> text.startsWith("gfx")));
        put(DeviceFact.COMPUTE_UNITS, count("asic.num_compute_units"));
        put(
                DeviceFact.MEMORY,
                megabytes("vram.size", "vram.vram_size_mb", "mem_usage.total_vram")
                        .filter(bytes -> !bytes.isZero()));
        put(DeviceFact.MEMORY_USED, megabytes("mem_usage.used_vram"));
        put(DeviceFact.MEMORY_FREE, megabytes("mem_usage.free_vram"));
        put(DeviceFact.MEMORY_TYPE, gpu.find("vram.type", "vram.vram_type").filter(type -> !type.equals("UNKNOWN")));
        put(
                DeviceFact.MEMORY_VENDOR,
                gpu.find("vram.vendor", "vram.vram_vendor").filter(name -> !name.equals("UNKNOWN")));
        put(DeviceFact.DRIVER_VERSION, gpu.find("driver.version", "driver.driver_version"));
        put(
                DeviceFact.KERNEL_DRIVER,
                gpu.find("driver.name", "driver.driver_name").filter(AmdCards.DRIVER::equals));
        put(DeviceFact.FIRMWARE_VERSION, gpu.find("vbios.part_number", "ifwi.part_number"));
        put(DeviceFact.NUMA_NODE, count("numa.node"));
        put(DeviceFact.PARTITIONING, partitioning());
        bus();
        put(
                DeviceFact.TEMPERATURE,
                gpu.find("temperature.edge", "temperature.hotspot").flatMap(AmdText::degrees));
        put(DeviceFact.HOTSPOT_TEMPERATURE, gpu.find("temperature.hotspot").flatMap(AmdText::degrees));
        put(DeviceFact.MEMORY_TEMPERATURE, gpu.find("temperature.mem").flatMap(AmdText::degrees));
        put(
                DeviceFact.POWER,
                gpu.find("power.socket_power", "power.current_power").flatMap(AmdText::watts));
        put(DeviceFact.POWER_LIMIT, powerLimit());
        put(
                DeviceFact.UTILIZATION,
                gpu.find("usage.gfx_activity", "usage.gfx_usage").flatMap(AmdText::percent));
        return profile.build();
    }

    private <T> void put(DeviceFact<T> fact, Optional<T> value) {
        value.ifPresent(known -> profile.with(fact, Reading.known(known, source)));
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
        put(DeviceFact.PCIE_WIDTH_MAX, count("bus.max_pcie_width"));
        put(DeviceFact.PCIE_WIDTH, count("pcie.width"));
        put(DeviceFact.PCIE_GENERATION_MAX, generation("bus.max_pcie_speed"));
        put(DeviceFact.PCIE_GENERATION, generation("pcie.speed"));
    }

    private Optional<Long> generation(String path) {
        return gpu.find(path).flatMap(PcieRate::parseGeneration);
    }

    private Optional<Watts> powerLimit() {
        return AmdText.powerLimit(gpu.find("limit.socket_power", "limit.ppt0.socket_power_limit", "limit.max_power")
                .flatMap(AmdText::watts));
    }
}
