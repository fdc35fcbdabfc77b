package dev.muster.detect.nvidia;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import java.util.Map;

/// One GPU of a `--query-gpu` table.
///
/// @param index the GPU's number
/// @param values what is said, by the name of the column
record NvidiaQueryRow(long index, Map<String, String> values) {
    private static final long MAX_GENERATION = 16;
    private static final long MAX_WIDTH = 64;

    NvidiaQueryRow {
        values = Map.copyOf(values);
    }

    /// The value of a column; blank where it was not asked for.
    String value(String column) {
        return values.getOrDefault(column, "");
    }

    /// The device, with a reading for each column that was asked for. Memory that the tool does not tell is unknown: on
    /// chips that share memory with the processor that is always so.
    AcceleratorProfile profile(Provenance source) {
        Columns columns = new Columns(this, source);
        AcceleratorProfile.Builder device =
                AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.CUDA_GPU, index));
        columns.add(device, DeviceFact.DEVICE_NAME, "name", NvidiaNames::reading);
        columns.add(device, DeviceFact.UUID, "uuid", NvidiaValue::text);
        columns.add(device, DeviceFact.PCI_ADDRESS, "pci.bus_id", NvidiaSmiGpu::address);
        columns.add(device, DeviceFact.PCI_ID, "pci.device_id", NvidiaSmiGpu::pciId);
        columns.add(device, DeviceFact.MEMORY, "memory.total", NvidiaValue::mebibytes);
        columns.add(device, DeviceFact.MEMORY_RESERVED, "memory.reserved", NvidiaValue::mebibytes);
        columns.add(device, DeviceFact.MEMORY_USED, "memory.used", NvidiaValue::mebibytes);
        columns.add(device, DeviceFact.MEMORY_FREE, "memory.free", NvidiaValue::mebibytes);
        columns.add(device, DeviceFact.COMPUTE_CAPABILITY, "compute_cap", NvidiaValue::text);
        columns.add(device, DeviceFact.DRIVER_VERSION, "driver_version", NvidiaValue::text);
        columns.add(device, DeviceFact.FIRMWARE_VERSION, "vbios_version", NvidiaValue::capitals);
        columns.add(device, DeviceFact.TEMPERATURE, "temperature.gpu", NvidiaValue::celsius);
        columns.add(device, DeviceFact.MEMORY_TEMPERATURE, "temperature.memory", NvidiaValue::celsius);
        columns.add(device, DeviceFact.POWER, "power.draw", NvidiaValue::watts);
        columns.add(device, DeviceFact.POWER_LIMIT, "power.limit", NvidiaValue::watts);
        columns.add(device, DeviceFact.POWER_LIMIT, "enforced.power.limit", NvidiaValue::watts);
        columns.add(device, DeviceFact.UTILIZATION, "utilization.gpu", NvidiaValue::percent);
        columns.add(device, DeviceFact.CLOCK, "clocks.current.sm", NvidiaValue::megahertz);
        columns.add(device, DeviceFact.CLOCK_MAX, "clocks.max.sm", NvidiaValue::megahertz);
        columns.add(device, DeviceFact.MEMORY_CLOCK, "clocks.current.memory", NvidiaValue::megahertz);
        columns.add(device, DeviceFact.MEMORY_CLOCK_MAX, "clocks.max.memory", NvidiaValue::megahertz);
        columns.add(device, DeviceFact.ECC, "ecc.mode.current", NvidiaValue::enabled);
        columns.add(device, DeviceFact.PARTITIONING, "mig.mode.current", NvidiaSmiGpu::partitioning);
        columns.add(device, DeviceFact.PCIE_GENERATION_MAX, "pcie.link.gen.max", v -> v.count("", MAX_GENERATION));
        columns.add(device, DeviceFact.PCIE_GENERATION, "pcie.link.gen.current", v -> v.count("", MAX_GENERATION));
        columns.add(device, DeviceFact.PCIE_WIDTH_MAX, "pcie.link.width.max", v -> v.count("", MAX_WIDTH));
        columns.add(device, DeviceFact.PCIE_WIDTH, "pcie.link.width.current", v -> v.count("", MAX_WIDTH));
        boolean broken = values.values().stream().anyMatch(text -> new NvidiaValue(text, source).saysGpuIsBroken());
        return device.available(!broken).build();
    }

    /// How a value becomes a fact.
    private interface Conversion<T> {
        Reading<T> of(NvidiaValue value);
    }

    private record Columns(NvidiaQueryRow row, Provenance source) {
        <T> void add(AcceleratorProfile.Builder device, DeviceFact<T> fact, String column, Conversion<T> conversion) {
            if (row.values().containsKey(column)) {
                device.with(fact, conversion.of(new NvidiaValue(row.value(column), source)));
            }
        }
    }
}
