package dev.muster.core;

import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Ratio;
import dev.muster.core.unit.Watts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One thing that can be known about a device. This table drives documents, tables, queries and differences: a new
/// fact is a new row.
///
/// @param <T> the type of the fact's value
/// @since 0.1
public final class DeviceFact<T> {
    private static final List<DeviceFact<?>> TABLE = new ArrayList<>();

    /// Memory of the device; system memory for a CPU.
    public static final DeviceFact<Bytes> MEMORY = row("memoryTotalBytes", "memory", FactType.BYTES, Nature.STEADY);
    /// What the vendor calls the device's abilities, such as `9.0` or `gfx942`.
    public static final DeviceFact<String> COMPUTE_CAPABILITY =
            row("computeCapability", "compute capability", FactType.TEXT, Nature.STEADY);
    /// Version of the driver.
    public static final DeviceFact<String> DRIVER_VERSION =
            row("driverVersion", "driver version", FactType.TEXT, Nature.STEADY);
    /// Marketing name.
    public static final DeviceFact<String> DEVICE_NAME = row("deviceName", "name", FactType.TEXT, Nature.STEADY);
    /// Peak rate between the device and its memory.
    public static final DeviceFact<Bandwidth> MEMORY_BANDWIDTH =
            row("memoryBandwidthBytesPerSecond", "memory bandwidth", FactType.BANDWIDTH, Nature.STEADY);
    /// Memory in use.
    public static final DeviceFact<Bytes> MEMORY_USED =
            row("memoryUsedBytes", "memory used", FactType.BYTES, Nature.PASSING);
    /// Memory that can still be taken.
    public static final DeviceFact<Bytes> MEMORY_FREE =
            row("memoryFreeBytes", "memory free", FactType.BYTES, Nature.PASSING);
    /// Peak rate between the device and the host over PCI Express.
    public static final DeviceFact<Bandwidth> PCIE_BANDWIDTH =
            row("pcieBandwidthBytesPerSecond", "PCIe bandwidth", FactType.BANDWIDTH, Nature.STEADY);
    /// The NUMA node next to the device.
    public static final DeviceFact<Long> NUMA_NODE = row("numaNode", "NUMA node", FactType.COUNT, Nature.STEADY);
    /// Temperature.
    public static final DeviceFact<Celsius> TEMPERATURE =
            row("temperatureCelsius", "temperature", FactType.CELSIUS, Nature.PASSING);
    /// Power drawn now.
    public static final DeviceFact<Watts> POWER = row("powerWatts", "power", FactType.WATTS, Nature.PASSING);
    /// Share of time the device was busy.
    public static final DeviceFact<Ratio> UTILIZATION =
            row("utilizationRatio", "utilization", FactType.RATIO, Nature.PASSING);
    /// The vendor's unique id, such as `GPU-…` or `MIG-…`.
    public static final DeviceFact<String> UUID = row("uuid", "UUID", FactType.TEXT, Nature.STEADY);
    /// Where the device sits on the PCI bus.
    public static final DeviceFact<PciAddress> PCI_ADDRESS =
            row("pciAddress", "PCI address", FactType.PCI_ADDRESS, Nature.STEADY);
    /// Independent compute units: multiprocessors of a GPU, cores of a CPU.
    public static final DeviceFact<Long> COMPUTE_UNITS =
            row("computeUnits", "compute units", FactType.COUNT, Nature.STEADY);

    private static final List<DeviceFact<?>> ALL = List.copyOf(TABLE);

    private final String key;
    private final String label;
    private final FactType<T> type;
    private final Nature nature;
    private final int index;

    private DeviceFact(String key, String label, FactType<T> type, Nature nature, int index) {
        this.key = key;
        this.label = label;
        this.type = type;
        this.nature = nature;
        this.index = index;
    }

    private static <T> DeviceFact<T> row(String key, String label, FactType<T> type, Nature nature) {
        DeviceFact<T> fact = new DeviceFact<>(key, label, type, nature, TABLE.size());
        TABLE.add(fact);
        return fact;
    }

    /// Every fact, in document order.
    public static List<DeviceFact<?>> all() {
        return ALL;
    }

    /// The fact with that document key.
    public static Optional<DeviceFact<?>> findByKey(String key) {
        for (DeviceFact<?> fact : ALL) {
            if (fact.key.equals(key)) {
                return Optional.of(fact);
            }
        }
        return Optional.empty();
    }

    /// The key in documents, with the unit at its end.
    public String key() {
        return key;
    }

    /// The fact's name for people.
    public String label() {
        return label;
    }

    /// The type of its values.
    public FactType<T> type() {
        return type;
    }

    /// Whether the value changes while the machine stays the same, as a temperature does.
    public boolean isPassing() {
        return nature == Nature.PASSING;
    }

    /// Position in [#all()].
    public int index() {
        return index;
    }

    @Override
    public String toString() {
        return key;
    }

    private enum Nature {
        STEADY,
        PASSING
    }
}
