// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Hertz;
import dev.muster.core.unit.Joules;
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
    public static final DeviceFact<Bytes> MEMORY = fixed("memoryTotalBytes", "memory", Bytes.class);
    /// The vendor's name for the device's abilities, such as `9.0` or `gfx942`.
    public static final DeviceFact<String> COMPUTE_CAPABILITY =
            fixed("computeCapability", "compute capability", String.class);
    /// Version of the driver.
    public static final DeviceFact<String> DRIVER_VERSION = fixed("driverVersion", "driver version", String.class);
    /// Marketing name.
    public static final DeviceFact<String> DEVICE_NAME = fixed("deviceName", "name", String.class);
    /// Peak rate between the device and its memory.
    public static final DeviceFact<Bandwidth> MEMORY_BANDWIDTH =
            fixed("memoryBandwidthBytesPerSecond", "memory bandwidth", Bandwidth.class);
    /// Memory in use.
    public static final DeviceFact<Bytes> MEMORY_USED = changing("memoryUsedBytes", "memory used", Bytes.class);
    /// Memory that can still be taken.
    public static final DeviceFact<Bytes> MEMORY_FREE = changing("memoryFreeBytes", "memory free", Bytes.class);
    /// Peak rate between the device and the host over PCI Express.
    public static final DeviceFact<Bandwidth> PCIE_BANDWIDTH =
            fixed("pcieBandwidthBytesPerSecond", "PCIe bandwidth", Bandwidth.class);
    /// The NUMA node next to the device.
    public static final DeviceFact<Long> NUMA_NODE = fixed("numaNode", "NUMA node", Long.class);
    /// Temperature.
    public static final DeviceFact<Celsius> TEMPERATURE = changing("temperatureCelsius", "temperature", Celsius.class);
    /// Power drawn now.
    public static final DeviceFact<Watts> POWER = changing("powerWatts", "power", Watts.class);
    /// Share of time the device was busy.
    public static final DeviceFact<Ratio> UTILIZATION = changing("utilizationRatio", "utilization", Ratio.class);
    /// The vendor's unique id, such as `GPU-…` or `MIG-…`.
    public static final DeviceFact<String> UUID = fixed("uuid", "UUID", String.class);
    /// The device's address on the PCI bus.
    public static final DeviceFact<PciAddress> PCI_ADDRESS = fixed("pciAddress", "PCI address", PciAddress.class);
    /// Independent compute units: multiprocessors of a GPU, cores of a CPU.
    public static final DeviceFact<Long> COMPUTE_UNITS = fixed("computeUnits", "compute units", Long.class);
    /// Memory that the driver keeps for itself; used, free and reserved make up the total.
    public static final DeviceFact<Bytes> MEMORY_RESERVED =
            changing("memoryReservedBytes", "memory reserved", Bytes.class);
    /// Host memory that the device can use as if it were its own: what an APU may map, what a coherent link reaches.
    public static final DeviceFact<Bytes> MEMORY_SHARED =
            fixed("memorySharedBytes", "memory shared with the host", Bytes.class);
    /// The memory technology, such as `HBM3` or `GDDR6`.
    public static final DeviceFact<String> MEMORY_TYPE = fixed("memoryType", "memory type", String.class);
    /// Vendor and device on the PCI bus, such as `10de:2330`.
    public static final DeviceFact<String> PCI_ID = fixed("pciId", "PCI id", String.class);
    /// The fastest PCI Express generation that device and slot can do.
    public static final DeviceFact<Long> PCIE_GENERATION_MAX =
            fixed("pcieGenerationMax", "PCIe generation, most", Long.class);
    /// The PCI Express generation now; devices lower it to save power.
    public static final DeviceFact<Long> PCIE_GENERATION = changing("pcieGeneration", "PCIe generation", Long.class);
    /// The most PCI Express lanes that device and slot can use.
    public static final DeviceFact<Long> PCIE_WIDTH_MAX = fixed("pcieWidthMax", "PCIe lanes, most", Long.class);
    /// The PCI Express lanes in use.
    public static final DeviceFact<Long> PCIE_WIDTH = changing("pcieWidth", "PCIe lanes", Long.class);
    /// The kernel's driver, such as `amdgpu`.
    public static final DeviceFact<String> KERNEL_DRIVER = fixed("kernelDriver", "kernel driver", String.class);
    /// Version of the newest interface the driver offers to programs, such as CUDA's.
    public static final DeviceFact<String> RUNTIME_VERSION = fixed("runtimeVersion", "runtime version", String.class);
    /// Version of the device's own firmware or VBIOS.
    public static final DeviceFact<String> FIRMWARE_VERSION =
            fixed("firmwareVersion", "firmware version", String.class);
    /// The vendor's name for the chip's generation, such as `Hopper`.
    public static final DeviceFact<String> ARCHITECTURE = fixed("architecture", "architecture", String.class);
    /// The device's health in the source's words; `ok` for a healthy device.
    public static final DeviceFact<String> HEALTH = fixed("health", "health", String.class);
    /// Power the device may draw.
    public static final DeviceFact<Watts> POWER_LIMIT = fixed("powerLimitWatts", "power limit", Watts.class);
    /// Clock of the compute units now.
    public static final DeviceFact<Hertz> CLOCK = changing("clockHertz", "clock", Hertz.class);
    /// The fastest clock of the compute units.
    public static final DeviceFact<Hertz> CLOCK_MAX = fixed("clockMaxHertz", "clock, most", Hertz.class);
    /// Clock of the memory now.
    public static final DeviceFact<Hertz> MEMORY_CLOCK = changing("memoryClockHertz", "memory clock", Hertz.class);
    /// The fastest clock of the memory.
    public static final DeviceFact<Hertz> MEMORY_CLOCK_MAX =
            fixed("memoryClockMaxHertz", "memory clock, most", Hertz.class);
    /// Temperature of the memory.
    public static final DeviceFact<Celsius> MEMORY_TEMPERATURE =
            changing("memoryTemperatureCelsius", "memory temperature", Celsius.class);
    /// Temperature of the chip's hottest point, where the source tells it apart from the chip's.
    public static final DeviceFact<Celsius> HOTSPOT_TEMPERATURE =
            changing("hotspotTemperatureCelsius", "hottest point", Celsius.class);
    /// The manufacturer of the memory, in the source's words, such as `samsung`.
    public static final DeviceFact<String> MEMORY_VENDOR = fixed("memoryVendor", "memory vendor", String.class);
    /// Error correction of memory is on.
    public static final DeviceFact<Boolean> ECC = fixed("ecc", "ECC", Boolean.class);
    /// Memory errors that were corrected since the driver started.
    public static final DeviceFact<Long> ECC_CORRECTED = changing("eccCorrected", "ECC errors corrected", Long.class);
    /// Memory errors that could not be corrected since the driver started.
    public static final DeviceFact<Long> ECC_UNCORRECTED =
            changing("eccUncorrected", "ECC errors not corrected", Long.class);
    /// The partitioning mode in the vendor's words, such as `MIG`, `CPX/NPS4`; `none` for an undivided device that
    /// supports it.
    public static final DeviceFact<String> PARTITIONING = fixed("partitioning", "partitioning", String.class);
    /// The way into a virtual machine, in the source's words, such as `pass-through`.
    public static final DeviceFact<String> VIRTUALIZATION = fixed("virtualization", "virtualization", String.class);
    /// Links of the device's own fabric that are up.
    public static final DeviceFact<Long> FABRIC_LINKS = fixed("fabricLinks", "fabric links", Long.class);
    /// Rate of all fabric links that are up, one way.
    public static final DeviceFact<Bandwidth> FABRIC_BANDWIDTH =
            fixed("fabricBandwidthBytesPerSecond", "fabric bandwidth", Bandwidth.class);
    /// State of the device in its fabric, in the source's words, such as `completed`.
    public static final DeviceFact<String> FABRIC_STATE = fixed("fabricState", "fabric state", String.class);
    /// The fabric domain that the device belongs to, such as an NVLink clique or an XGMI hive.
    public static final DeviceFact<String> FABRIC_DOMAIN = fixed("fabricDomain", "fabric domain", String.class);
    /// Processor sockets.
    public static final DeviceFact<Long> SOCKETS = fixed("sockets", "sockets", Long.class);
    /// Hardware threads.
    public static final DeviceFact<Long> THREADS = fixed("threads", "threads", Long.class);
    /// The largest cache, all of its instances together.
    public static final DeviceFact<Bytes> LAST_CACHE = fixed("lastCacheBytes", "last cache", Bytes.class);
    /// Vector and matrix extensions of a processor, in the kernel's words, with blanks between.
    public static final DeviceFact<String> EXTENSIONS = fixed("extensions", "extensions", String.class);
    /// Kinds of a processor's cores: how many hardware threads have which capacity, in the kernel's figures (1024 is
    /// the strongest), such as `4 x 512, 4 x 1024`.
    public static final DeviceFact<String> CORE_KINDS = fixed("coreKinds", "core kinds", String.class);
    /// Channels between the processors and their memory that have a module in them.
    public static final DeviceFact<Long> MEMORY_CHANNELS = fixed("memoryChannels", "memory channels", Long.class);
    /// The reason for a clock below the maximum that the user did not choose, such as `hw thermal slowdown`;
    /// `none` where nothing does.
    public static final DeviceFact<String> THROTTLING = changing("throttling", "throttling", String.class);
    /// Programs that hold the device's memory.
    public static final DeviceFact<ProcessList> PROCESSES = changing("processes", "processes", ProcessList.class);
    /// Rows of the memory that were remapped to spare ones, after errors of either kind; pages that were retired,
    /// where the device has no spare rows.
    public static final DeviceFact<Long> REMAPPED_ROWS = changing("remappedRows", "remapped rows", Long.class);
    /// The state of row remapping: `ok`, `pending` if the device must be reset first, `failed` if no row was left.
    public static final DeviceFact<String> ROW_REMAPPING = changing("rowRemapping", "row remapping", String.class);
    /// Host memory that the device could use as its own now, where it shares the host's memory.
    public static final DeviceFact<Bytes> MEMORY_SHARED_FREE =
            changing("memorySharedFreeBytes", "free memory shared with the host", Bytes.class);
    /// The environment variable that hides the device from programs, with its value.
    public static final DeviceFact<String> HIDDEN_BY = fixed("hiddenBy", "hidden by", String.class);
    /// The compute mode in the vendor's words, in lower case: `default`, `exclusive process`, `prohibited`.
    public static final DeviceFact<String> COMPUTE_MODE = fixed("computeMode", "compute mode", String.class);
    /// Links of the device's own fabric that should be up and are down.
    public static final DeviceFact<Long> FABRIC_LINKS_DOWN = fixed("fabricLinksDown", "fabric links down", Long.class);
    /// The device counted more uncorrected errors of its SRAM than its vendor accepts.
    public static final DeviceFact<Boolean> SRAM_THRESHOLD_EXCEEDED =
            changing("sramThresholdExceeded", "SRAM threshold exceeded", Boolean.class);
    /// Memory errors that could not be corrected in the device's whole life.
    public static final DeviceFact<Long> ECC_UNCORRECTED_LIFETIME =
            changing("eccUncorrectedLifetime", "ECC errors not corrected, lifetime", Long.class);
    /// Energy drawn since the driver was loaded. This fact and those below are telemetry: a detection asks for them
    /// only where it is told to, since some take longer than all others together.
    public static final DeviceFact<Joules> ENERGY = changing("energyJoules", "energy", Joules.class);
    /// Share of time in which the device's memory was read or written.
    public static final DeviceFact<Ratio> MEMORY_UTILIZATION =
            changing("memoryUtilizationRatio", "memory utilization", Ratio.class);
    /// Share of time the video encoder was busy; of the one engine where it decodes too.
    public static final DeviceFact<Ratio> ENCODER_UTILIZATION =
            changing("encoderUtilizationRatio", "encoder utilization", Ratio.class);
    /// Share of time the video decoder was busy; of the one engine where it encodes too.
    public static final DeviceFact<Ratio> DECODER_UTILIZATION =
            changing("decoderUtilizationRatio", "decoder utilization", Ratio.class);
    /// PCIe throughput from the device to the host.
    public static final DeviceFact<Bandwidth> PCIE_SENT =
            changing("pcieSentBytesPerSecond", "PCIe sent", Bandwidth.class);
    /// PCIe throughput from the host to the device.
    public static final DeviceFact<Bandwidth> PCIE_RECEIVED =
            changing("pcieReceivedBytesPerSecond", "PCIe received", Bandwidth.class);
    /// Bytes sent over all links of the device's fabric since the driver was loaded; two samples make a rate.
    public static final DeviceFact<Bytes> FABRIC_SENT = changing("fabricSentBytes", "fabric sent", Bytes.class);
    /// Bytes received over all links of the device's fabric since the driver was loaded; two samples make a rate.
    public static final DeviceFact<Bytes> FABRIC_RECEIVED =
            changing("fabricReceivedBytes", "fabric received", Bytes.class);
    /// Speed of the fan, of its fastest.
    public static final DeviceFact<Ratio> FAN = changing("fanRatio", "fan", Ratio.class);
    /// The performance state in the vendor's words, such as `P0`.
    public static final DeviceFact<String> PERFORMANCE_STATE =
            changing("performanceState", "performance state", String.class);
    /// The driver stays loaded while no program uses the device.
    public static final DeviceFact<Boolean> PERSISTENCE_MODE =
            fixed("persistenceMode", "persistence mode", Boolean.class);
    /// The manufacturer's serial number.
    public static final DeviceFact<String> SERIAL = fixed("serial", "serial number", String.class);
    /// The device's place on its board, such as `3` of eight.
    public static final DeviceFact<String> MODULE = fixed("module", "module", String.class);
    /// The chassis, tray or slot in the rack, in the source's words.
    public static final DeviceFact<String> CHASSIS = fixed("chassis", "chassis", String.class);
    /// The lowest power limit that can be set.
    public static final DeviceFact<Watts> POWER_LIMIT_MIN =
            fixed("powerLimitMinWatts", "power limit, least", Watts.class);
    /// The highest power limit that can be set.
    public static final DeviceFact<Watts> POWER_LIMIT_MAX =
            fixed("powerLimitMaxWatts", "power limit, most", Watts.class);
    /// The temperature at which the device lowers its clocks.
    public static final DeviceFact<Celsius> TEMPERATURE_LIMIT =
            fixed("temperatureLimitCelsius", "temperature limit", Celsius.class);
    /// The window through which the host reaches the device's memory (BAR1 of NVIDIA's GPUs).
    public static final DeviceFact<Bytes> BAR_SIZE = fixed("barSizeBytes", "BAR size", Bytes.class);
    /// The part of that window in use.
    public static final DeviceFact<Bytes> BAR_USED = changing("barUsedBytes", "BAR used", Bytes.class);
    /// Packets that PCI Express sent again.
    public static final DeviceFact<Long> PCIE_REPLAYS = changing("pcieReplays", "PCIe replays", Long.class);

    /// Share of time in which any engine of the device worked.
    public static final DeviceFact<Ratio> ENGINE_ACTIVE = changing("engineActiveRatio", "engines active", Ratio.class);
    /// Share of its compute units that were busy, on average over time. A unit that waits for memory is busy.
    public static final DeviceFact<Ratio> COMPUTE_ACTIVE =
            changing("computeActiveRatio", "compute units active", Ratio.class);
    /// Share of the threads that its compute units can hold, on average over time.
    public static final DeviceFact<Ratio> OCCUPANCY = changing("occupancyRatio", "occupancy", Ratio.class);
    /// Share of time in which its matrix units worked.
    public static final DeviceFact<Ratio> TENSOR_ACTIVE =
            changing("tensorActiveRatio", "tensor cores active", Ratio.class);
    /// Share of the memory's peak bandwidth in use.
    public static final DeviceFact<Ratio> BANDWIDTH_UTILIZATION =
            changing("bandwidthUtilizationRatio", "memory bandwidth used", Ratio.class);
    /// Rate at which it sends over all links of its fabric.
    public static final DeviceFact<Bandwidth> FABRIC_SEND_RATE =
            changing("fabricSentBytesPerSecond", "fabric sent per second", Bandwidth.class);
    /// Rate at which it receives over all links of its fabric.
    public static final DeviceFact<Bandwidth> FABRIC_RECEIVE_RATE =
            changing("fabricReceivedBytesPerSecond", "fabric received per second", Bandwidth.class);

    private static final List<DeviceFact<?>> ALL = List.copyOf(TABLE);

    private final String key;
    private final String label;
    private final Class<T> javaType;
    private final boolean isVolatile;
    private final int index;

    private DeviceFact(String key, String label, Class<T> javaType, boolean isVolatile) {
        this.key = key;
        this.label = label;
        this.javaType = javaType;
        this.isVolatile = isVolatile;
        this.index = TABLE.size();
        TABLE.add(this);
    }

    private static <T> DeviceFact<T> fixed(String key, String label, Class<T> javaType) {
        return new DeviceFact<>(key, label, javaType, false);
    }

    private static <T> DeviceFact<T> changing(String key, String label, Class<T> javaType) {
        return new DeviceFact<>(key, label, javaType, true);
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

    /// The Java type of its values.
    public Class<T> javaType() {
        return javaType;
    }

    /// Reports whether the value changes while the machine stays the same, as a temperature does.
    public boolean isVolatile() {
        return isVolatile;
    }

    /// Position in [#all()].
    public int index() {
        return index;
    }

    @Override
    public String toString() {
        return key;
    }
}
