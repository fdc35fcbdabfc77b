// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.amd;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.pci.PcieRate;
import dev.muster.detect.probe.PciDevice;
import dev.muster.detect.text.Amount;
import dev.muster.detect.tool.ToolDevice;
import java.util.Optional;
import java.util.function.Function;

/// Makes a profile of what `amd-smi` says of a GPU.
final class AmdSmiFacts {
    private static final long MOST_COUNT = 1 << 20;

    private final AmdSmiGpu gpu;
    private final ToolDevice profile;

    private AmdSmiFacts(AmdSmiGpu gpu, Provenance source) {
        this.gpu = gpu;
        this.profile = new ToolDevice(AcceleratorKind.ROCM_GPU, gpu.index(), source);
    }

    static AcceleratorProfile profile(AmdSmiGpu gpu, Provenance source) {
        return new AmdSmiFacts(gpu, source).read();
    }

    private AcceleratorProfile read() {
        add(DeviceFact.PCI_ADDRESS, PciAddress::find, "bdf", "bus.bdf");
        profile.with(DeviceFact.PCI_ID, pciId());
        add(
                DeviceFact.DEVICE_NAME,
                name -> Optional.of(name).filter(text -> !text.startsWith("0x")),
                "asic.market_name");
        // The tool's own UUID has another form than ROCm's; the serial number is ROCm's.
        add(DeviceFact.UUID, AmdText::uuidOfHex, "asic.asic_serial");
        add(
                DeviceFact.COMPUTE_CAPABILITY,
                target -> Optional.of(target).filter(text -> text.startsWith("gfx")),
                "asic.target_graphics_version");
        add(DeviceFact.COMPUTE_UNITS, AmdSmiFacts::count, "asic.num_compute_units");
        profile.with(
                DeviceFact.MEMORY,
                gpu.find("vram.size", "vram.vram_size_mb", "mem_usage.total_vram")
                        .flatMap(AmdSmiFacts::megabytes)
                        .filter(bytes -> !bytes.isZero()));
        add(DeviceFact.MEMORY_USED, AmdSmiFacts::megabytes, "mem_usage.used_vram");
        add(DeviceFact.MEMORY_FREE, AmdSmiFacts::megabytes, "mem_usage.free_vram");
        add(DeviceFact.MEMORY_TYPE, AmdSmiFacts::known, "vram.type", "vram.vram_type");
        add(DeviceFact.MEMORY_VENDOR, AmdSmiFacts::known, "vram.vendor", "vram.vram_vendor");
        add(DeviceFact.DRIVER_VERSION, Optional::of, "driver.version", "driver.driver_version");
        profile.with(
                DeviceFact.KERNEL_DRIVER,
                gpu.find("driver.name", "driver.driver_name").filter(AmdCard.DRIVER::equals));
        add(DeviceFact.FIRMWARE_VERSION, Optional::of, "vbios.part_number", "ifwi.part_number");
        add(DeviceFact.NUMA_NODE, AmdSmiFacts::count, "numa.node");
        String memory = gpu.find("partition.memory_partition").orElse("");
        add(
                DeviceFact.PARTITIONING,
                mode -> Optional.of(AmdText.partitioning(mode, memory)),
                "partition.compute_partition",
                "partition.accelerator_partition");
        add(DeviceFact.PCIE_WIDTH_MAX, AmdSmiFacts::count, "bus.max_pcie_width");
        add(DeviceFact.PCIE_WIDTH, AmdSmiFacts::count, "pcie.width");
        add(DeviceFact.PCIE_GENERATION_MAX, PcieRate::parseGeneration, "bus.max_pcie_speed");
        add(DeviceFact.PCIE_GENERATION, PcieRate::parseGeneration, "pcie.speed");
        add(DeviceFact.TEMPERATURE, AmdText::degrees, "temperature.edge", "temperature.hotspot");
        add(DeviceFact.HOTSPOT_TEMPERATURE, AmdText::degrees, "temperature.hotspot");
        add(DeviceFact.MEMORY_TEMPERATURE, AmdText::degrees, "temperature.mem");
        add(DeviceFact.POWER, AmdText::watts, "power.socket_power", "power.current_power");
        add(
                DeviceFact.POWER_LIMIT,
                text -> AmdText.powerLimit(AmdText.watts(text)),
                "limit.socket_power",
                "limit.ppt0.socket_power_limit",
                "limit.max_power");
        add(DeviceFact.UTILIZATION, Amount::percent, "usage.gfx_activity", "usage.gfx_usage");
        return profile.build();
    }

    /// Adds what the first of some paths says that says anything.
    private <T> void add(DeviceFact<T> fact, Function<String, Optional<T>> conversion, String... paths) {
        profile.with(fact, gpu.find(paths).flatMap(conversion));
    }

    private Optional<String> pciId() {
        return gpu.find("asic.device_id")
                .flatMap(AmdText::hex16)
                .flatMap(device ->
                        gpu.find("asic.vendor_id").flatMap(AmdText::hex16).map(vendor -> PciDevice.id(vendor, device)));
    }

    private static Optional<String> known(String text) {
        return text.equals("UNKNOWN") ? Optional.empty() : Optional.of(text);
    }

    private static Optional<Long> count(String text) {
        return Amount.count(text, MOST_COUNT);
    }

    private static Optional<Bytes> megabytes(String text) {
        return Amount.bytes(text, "MB");
    }
}
