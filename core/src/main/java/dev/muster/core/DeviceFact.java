package dev.muster.core;

import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Hertz;
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
    /// Memory that the driver keeps for itself; used, free and reserved make up the total.
    public static final DeviceFact<Bytes> MEMORY_RESERVED =
            row("memoryReservedBytes", "memory reserved", FactType.BYTES, Nature.PASSING);
    /// Host memory that the device can use as if it were its own: what an APU may map, what a coherent link reaches.
    public static final DeviceFact<Bytes> MEMORY_SHARED =
            row("memorySharedBytes", "memory shared with the host", FactType.BYTES, Nature.STEADY);
    /// What the memory is made of, such as `HBM3` or `GDDR6`.
    public static final DeviceFact<String> MEMORY_TYPE = row("memoryType", "memory type", FactType.TEXT, Nature.STEADY);
    /// Vendor and device on the PCI bus, such as `10de:2330`.
    public static final DeviceFact<String> PCI_ID = row("pciId", "PCI id", FactType.TEXT, Nature.STEADY);
    /// The fastest PCI Express generation that device and slot can do.
    public static final DeviceFact<Long> PCIE_GENERATION_MAX =
            row("pcieGenerationMax", "PCIe generation, most", FactType.COUNT, Nature.STEADY);
    /// The PCI Express generation now; devices lower it to save power.
    public static final DeviceFact<Long> PCIE_GENERATION =
            row("pcieGeneration", "PCIe generation", FactType.COUNT, Nature.PASSING);
    /// The most PCI Express lanes that device and slot can use.
    public static final DeviceFact<Long> PCIE_WIDTH_MAX =
            row("pcieWidthMax", "PCIe lanes, most", FactType.COUNT, Nature.STEADY);
    /// The PCI Express lanes in use.
    public static final DeviceFact<Long> PCIE_WIDTH = row("pcieWidth", "PCIe lanes", FactType.COUNT, Nature.PASSING);
    /// The kernel's driver, such as `amdgpu`.
    public static final DeviceFact<String> KERNEL_DRIVER =
            row("kernelDriver", "kernel driver", FactType.TEXT, Nature.STEADY);
    /// Version of the newest interface the driver offers to programs, such as CUDA's.
    public static final DeviceFact<String> RUNTIME_VERSION =
            row("runtimeVersion", "runtime version", FactType.TEXT, Nature.STEADY);
    /// Version of the device's own firmware or VBIOS.
    public static final DeviceFact<String> FIRMWARE_VERSION =
            row("firmwareVersion", "firmware version", FactType.TEXT, Nature.STEADY);
    /// The vendor's name for the chip's generation, such as `Hopper`.
    public static final DeviceFact<String> ARCHITECTURE =
            row("architecture", "architecture", FactType.TEXT, Nature.STEADY);
    /// Whether the device is well, in the source's words; `ok` when it is.
    public static final DeviceFact<String> HEALTH = row("health", "health", FactType.TEXT, Nature.STEADY);
    /// Power the device may draw.
    public static final DeviceFact<Watts> POWER_LIMIT =
            row("powerLimitWatts", "power limit", FactType.WATTS, Nature.STEADY);
    /// Clock of the compute units now.
    public static final DeviceFact<Hertz> CLOCK = row("clockHertz", "clock", FactType.HERTZ, Nature.PASSING);
    /// The fastest clock of the compute units.
    public static final DeviceFact<Hertz> CLOCK_MAX =
            row("clockMaxHertz", "clock, most", FactType.HERTZ, Nature.STEADY);
    /// Clock of the memory now.
    public static final DeviceFact<Hertz> MEMORY_CLOCK =
            row("memoryClockHertz", "memory clock", FactType.HERTZ, Nature.PASSING);
    /// The fastest clock of the memory.
    public static final DeviceFact<Hertz> MEMORY_CLOCK_MAX =
            row("memoryClockMaxHertz", "memory clock, most", FactType.HERTZ, Nature.STEADY);
    /// Temperature of the memory.
    public static final DeviceFact<Celsius> MEMORY_TEMPERATURE =
            row("memoryTemperatureCelsius", "memory temperature", FactType.CELSIUS, Nature.PASSING);
    /// Temperature of the chip's hottest point, where the source tells it apart from the chip's.
    public static final DeviceFact<Celsius> HOTSPOT_TEMPERATURE =
            row("hotspotTemperatureCelsius", "hottest point", FactType.CELSIUS, Nature.PASSING);
    /// Who made the memory, in the source's words, such as `samsung`.
    public static final DeviceFact<String> MEMORY_VENDOR =
            row("memoryVendor", "memory vendor", FactType.TEXT, Nature.STEADY);
    /// Whether memory errors are corrected.
    public static final DeviceFact<Boolean> ECC = row("ecc", "ECC", FactType.FLAG, Nature.STEADY);
    /// Memory errors that were corrected since the driver started.
    public static final DeviceFact<Long> ECC_CORRECTED =
            row("eccCorrected", "ECC errors corrected", FactType.COUNT, Nature.PASSING);
    /// Memory errors that could not be corrected since the driver started.
    public static final DeviceFact<Long> ECC_UNCORRECTED =
            row("eccUncorrected", "ECC errors not corrected", FactType.COUNT, Nature.PASSING);
    /// How the device is divided, in the vendor's words, such as `MIG`, `CPX/NPS4`; `none` when it could be but is not.
    public static final DeviceFact<String> PARTITIONING =
            row("partitioning", "partitioning", FactType.TEXT, Nature.STEADY);
    /// How the device reaches a virtual machine, in the source's words, such as `pass-through`.
    public static final DeviceFact<String> VIRTUALIZATION =
            row("virtualization", "virtualization", FactType.TEXT, Nature.STEADY);
    /// Links of the device's own fabric that are up.
    public static final DeviceFact<Long> FABRIC_LINKS =
            row("fabricLinks", "fabric links", FactType.COUNT, Nature.STEADY);
    /// Rate of all fabric links that are up, one way.
    public static final DeviceFact<Bandwidth> FABRIC_BANDWIDTH =
            row("fabricBandwidthBytesPerSecond", "fabric bandwidth", FactType.BANDWIDTH, Nature.STEADY);
    /// State of the device in its fabric, in the source's words, such as `completed`.
    public static final DeviceFact<String> FABRIC_STATE =
            row("fabricState", "fabric state", FactType.TEXT, Nature.STEADY);
    /// The fabric domain that the device belongs to, such as an NVLink clique or an XGMI hive.
    public static final DeviceFact<String> FABRIC_DOMAIN =
            row("fabricDomain", "fabric domain", FactType.TEXT, Nature.STEADY);
    /// Processor sockets.
    public static final DeviceFact<Long> SOCKETS = row("sockets", "sockets", FactType.COUNT, Nature.STEADY);
    /// Hardware threads.
    public static final DeviceFact<Long> THREADS = row("threads", "threads", FactType.COUNT, Nature.STEADY);
    /// The largest cache, all of its instances together.
    public static final DeviceFact<Bytes> LAST_CACHE =
            row("lastCacheBytes", "last cache", FactType.BYTES, Nature.STEADY);
    /// Vector and matrix extensions of a processor, in the kernel's words, with blanks between.
    public static final DeviceFact<String> EXTENSIONS = row("extensions", "extensions", FactType.TEXT, Nature.STEADY);
    /// Kinds of a processor's cores: how many hardware threads have which capacity, in the kernel's figures (1024 is
    /// the strongest), such as `4 x 512, 4 x 1024`.
    public static final DeviceFact<String> CORE_KINDS = row("coreKinds", "core kinds", FactType.TEXT, Nature.STEADY);
    /// Channels between the processors and their memory that have a module in them.
    public static final DeviceFact<Long> MEMORY_CHANNELS =
            row("memoryChannels", "memory channels", FactType.COUNT, Nature.STEADY);
    /// Programs that hold the device's memory.
    public static final DeviceFact<ProcessList> PROCESSES =
            row("processes", "processes", FactType.PROCESSES, Nature.PASSING);

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
