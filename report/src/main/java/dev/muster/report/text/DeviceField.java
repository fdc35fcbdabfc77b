// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.text;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// A column of a device in tables and CSV.
///
/// @param name name on the command line
/// @param key name in CSV, as in JSON; blank if several facts form one cell
/// @param column column of tables
/// @param value its value; empty when unknown
/// @param parts fields of machine-readable output in its place; empty if it stands for itself
public record DeviceField(
        String name,
        String key,
        TextTable.Column column,
        Function<AcceleratorProfile, Optional<?>> value,
        List<DeviceField> parts) {
    /// Every field of one fact, in the order of a wide table.
    public static final List<DeviceField> ALL = facts();

    /// Fields that combine several facts in one cell, for tables.
    public static final List<DeviceField> COMBINED = combined();

    /// The columns of an ordinary table, in order; of a name, combined fields come first.
    private static final String[] NARROW = {
        "id", "name", "use", "load", "temperature", "draw", "link", "fabric", "bandwidth", "units", "numa", "state"
    };

    /// Further columns of an ordinary table with telemetry.
    private static final String[] TELEMETRY = {
        "compute-active",
        "tensor-active",
        "bandwidth-load",
        "memory-load",
        "pcie-sent",
        "pcie-received",
        "fabric-sent",
        "fabric-received",
        "energy",
        "row-remapping"
    };
    /// The column names of ai-hwaccel, and common names for ours.
    private static final String[][] ALIASES = {
        {"device", "name"},
        {"mem", "memory"},
        {"bw", "bandwidth"},
        {"utilization", "load"},
        {"busy", "load"},
        {"temp", "temperature"}
    };

    private static List<DeviceField> facts() {
        List<DeviceField> fields = new ArrayList<>();
        own(fields, "id", "id", left("ID", 0), Own.ID);
        own(fields, "name", DeviceFact.DEVICE_NAME.key(), new TextTable.Column("DEVICE", false, 0, true), Own.NAME);
        own(fields, "family", "family", left("FAMILY", 11), Own.FAMILY);
        fact(fields, "memory", DeviceFact.MEMORY, right("MEMORY", 1));
        fact(fields, "free", DeviceFact.MEMORY_FREE, right("FREE", 3));
        fact(fields, "used", DeviceFact.MEMORY_USED, right("USED", 12));
        fact(fields, "reserved", DeviceFact.MEMORY_RESERVED, right("RESERVED", 20));
        fact(fields, "shared", DeviceFact.MEMORY_SHARED, right("SHARED", 20));
        fact(fields, "memory-type", DeviceFact.MEMORY_TYPE, left("TYPE", 20));
        fact(fields, "memory-vendor", DeviceFact.MEMORY_VENDOR, left("VENDOR", 20));
        fact(fields, "bandwidth", DeviceFact.MEMORY_BANDWIDTH, right("BANDWIDTH", 8));
        fact(fields, "load", DeviceFact.UTILIZATION, right("LOAD", 4));
        fact(fields, "temperature", DeviceFact.TEMPERATURE, right("TEMP", 6));
        fact(fields, "hotspot-temperature", DeviceFact.HOTSPOT_TEMPERATURE, right("HOT SPOT", 20));
        fact(fields, "memory-temperature", DeviceFact.MEMORY_TEMPERATURE, right("MEM TEMP", 20));
        fact(fields, "power", DeviceFact.POWER, right("POWER", 5));
        fact(fields, "power-limit", DeviceFact.POWER_LIMIT, right("LIMIT", 13));
        fact(fields, "clock", DeviceFact.CLOCK, right("CLOCK", 14));
        fact(fields, "clock-max", DeviceFact.CLOCK_MAX, right("MAX CLOCK", 20));
        fact(fields, "memory-clock", DeviceFact.MEMORY_CLOCK, right("MEM CLOCK", 20));
        fact(fields, "memory-clock-max", DeviceFact.MEMORY_CLOCK_MAX, right("MAX MEM CLOCK", 20));
        fact(fields, "units", DeviceFact.COMPUTE_UNITS, right("UNITS", 10));
        fact(fields, "sockets", DeviceFact.SOCKETS, right("SOCKETS", 20));
        fact(fields, "threads", DeviceFact.THREADS, right("THREADS", 20));
        fact(fields, "cache", DeviceFact.LAST_CACHE, right("CACHE", 20));
        fact(fields, "memory-channels", DeviceFact.MEMORY_CHANNELS, right("CHANNELS", 20));
        fact(fields, "architecture", DeviceFact.ARCHITECTURE, left("ARCHITECTURE", 20));
        fact(fields, "capability", DeviceFact.COMPUTE_CAPABILITY, left("CAPABILITY", 15));
        fact(fields, "driver", DeviceFact.DRIVER_VERSION, left("DRIVER", 15));
        fact(fields, "kernel-driver", DeviceFact.KERNEL_DRIVER, left("KERNEL DRIVER", 20));
        fact(fields, "runtime", DeviceFact.RUNTIME_VERSION, left("RUNTIME", 20));
        fact(fields, "firmware", DeviceFact.FIRMWARE_VERSION, left("FIRMWARE", 20));
        fact(fields, "pcie", DeviceFact.PCIE_BANDWIDTH, right("PCIE", 16));
        fact(fields, "pcie-generation", DeviceFact.PCIE_GENERATION, right("GEN", 20));
        fact(fields, "pcie-generation-max", DeviceFact.PCIE_GENERATION_MAX, right("MAX GEN", 20));
        fact(fields, "pcie-width", DeviceFact.PCIE_WIDTH, right("LANES", 20));
        fact(fields, "pcie-width-max", DeviceFact.PCIE_WIDTH_MAX, right("MAX LANES", 20));
        fact(fields, "numa", DeviceFact.NUMA_NODE, right("NUMA", 9));
        fact(fields, "pci", DeviceFact.PCI_ADDRESS, left("PCI", 17));
        fact(fields, "pci-id", DeviceFact.PCI_ID, left("PCI ID", 20));
        fact(fields, "uuid", DeviceFact.UUID, left("UUID", 18));
        fact(fields, "fabric-links", DeviceFact.FABRIC_LINKS, right("LINKS", 20));
        fact(fields, "fabric-bandwidth", DeviceFact.FABRIC_BANDWIDTH, right("LINK RATE", 20));
        fact(fields, "fabric-state", DeviceFact.FABRIC_STATE, left("FABRIC", 20));
        fact(fields, "fabric-domain", DeviceFact.FABRIC_DOMAIN, left("DOMAIN", 20));
        fact(fields, "ecc", DeviceFact.ECC, left("ECC", 20));
        fact(fields, "ecc-corrected", DeviceFact.ECC_CORRECTED, right("CORRECTED", 20));
        fact(fields, "ecc-uncorrected", DeviceFact.ECC_UNCORRECTED, right("UNCORRECTED", 20));
        fact(fields, "ecc-lifetime", DeviceFact.ECC_UNCORRECTED_LIFETIME, right("LIFETIME", 20));
        fact(fields, "sram-threshold", DeviceFact.SRAM_THRESHOLD_EXCEEDED, left("SRAM", 20));
        fact(fields, "compute-mode", DeviceFact.COMPUTE_MODE, left("COMPUTE MODE", 20));
        fact(fields, "hidden-by", DeviceFact.HIDDEN_BY, left("HIDDEN BY", 20));
        fact(fields, "shared-free", DeviceFact.MEMORY_SHARED_FREE, right("SHARED FREE", 20));
        fact(fields, "fabric-links-down", DeviceFact.FABRIC_LINKS_DOWN, right("DOWN", 20));
        fact(fields, "fan", DeviceFact.FAN, right("FAN", 20));
        fact(fields, "performance-state", DeviceFact.PERFORMANCE_STATE, left("PERF", 20));
        fact(fields, "persistence-mode", DeviceFact.PERSISTENCE_MODE, left("PERSISTENCE", 20));
        fact(fields, "serial", DeviceFact.SERIAL, left("SERIAL", 20));
        fact(fields, "module", DeviceFact.MODULE, left("MODULE", 20));
        fact(fields, "chassis", DeviceFact.CHASSIS, left("CHASSIS", 20));
        fact(fields, "power-limit-min", DeviceFact.POWER_LIMIT_MIN, right("MIN LIMIT", 20));
        fact(fields, "power-limit-max", DeviceFact.POWER_LIMIT_MAX, right("MAX LIMIT", 20));
        fact(fields, "temperature-limit", DeviceFact.TEMPERATURE_LIMIT, right("TEMP LIMIT", 20));
        fact(fields, "bar-size", DeviceFact.BAR_SIZE, right("BAR", 20));
        fact(fields, "bar-used", DeviceFact.BAR_USED, right("BAR USED", 20));
        fact(fields, "pcie-replays", DeviceFact.PCIE_REPLAYS, right("REPLAYS", 20));
        fact(fields, "partitioning", DeviceFact.PARTITIONING, left("PARTITIONING", 20));
        fact(fields, "virtualization", DeviceFact.VIRTUALIZATION, left("VIRTUALIZATION", 20));
        fact(fields, "throttling", DeviceFact.THROTTLING, left("THROTTLING", 20));
        fact(fields, "extensions", DeviceFact.EXTENSIONS, left("EXTENSIONS", 21));
        fact(fields, "core-kinds", DeviceFact.CORE_KINDS, left("CORE KINDS", 21));
        fact(fields, "processes", DeviceFact.PROCESSES, left("PROCESSES", 21));
        fact(fields, "energy", DeviceFact.ENERGY, right("ENERGY", 21));
        fact(fields, "memory-load", DeviceFact.MEMORY_UTILIZATION, right("MEM LOAD", 21));
        fact(fields, "encoder-load", DeviceFact.ENCODER_UTILIZATION, right("ENCODER", 21));
        fact(fields, "decoder-load", DeviceFact.DECODER_UTILIZATION, right("DECODER", 21));
        fact(fields, "pcie-sent", DeviceFact.PCIE_SENT, right("PCIE SENT", 21));
        fact(fields, "pcie-received", DeviceFact.PCIE_RECEIVED, right("PCIE RECEIVED", 21));
        fact(fields, "fabric-sent", DeviceFact.FABRIC_SENT, right("FABRIC SENT", 21));
        fact(fields, "fabric-received", DeviceFact.FABRIC_RECEIVED, right("FABRIC RECEIVED", 21));
        fact(fields, "engine-active", DeviceFact.ENGINE_ACTIVE, right("ENGINES", 21));
        fact(fields, "compute-active", DeviceFact.COMPUTE_ACTIVE, right("SM", 21));
        fact(fields, "occupancy", DeviceFact.OCCUPANCY, right("OCCUPANCY", 21));
        fact(fields, "tensor-active", DeviceFact.TENSOR_ACTIVE, right("TENSOR", 21));
        fact(fields, "bandwidth-load", DeviceFact.BANDWIDTH_UTILIZATION, right("MEM BANDWIDTH", 21));
        fact(fields, "fabric-send-rate", DeviceFact.FABRIC_SEND_RATE, right("FABRIC OUT", 21));
        fact(fields, "fabric-receive-rate", DeviceFact.FABRIC_RECEIVE_RATE, right("FABRIC IN", 21));
        fact(fields, "remapped-rows", DeviceFact.REMAPPED_ROWS, right("REMAPPED ROWS", 21));
        fact(fields, "row-remapping", DeviceFact.ROW_REMAPPING, left("ROW REMAPPING", 21));
        fact(fields, "health", DeviceFact.HEALTH, left("HEALTH", 12));
        own(fields, "status", "available", left("STATUS", 2), Own.STATUS);
        return List.copyOf(fields);
    }

    private static List<DeviceField> combined() {
        return List.of(
                join("use", right("MEMORY FREE", 1), CombinedFact.MEMORY, "free", "memory"),
                join("draw", right("POWER", 5), CombinedFact.POWER, "power", "power-limit"),
                join(
                        "link",
                        left("LINK", 7),
                        CombinedFact.LINK,
                        "pcie-generation-max",
                        "pcie-width",
                        "pcie-width-max",
                        "pcie"),
                join("fabric", left("FABRIC", 7), CombinedFact.FABRIC, "fabric-links", "fabric-bandwidth"),
                join(
                        "limit",
                        left("LIMITED BY", 9),
                        CombinedFact.LIMIT,
                        "compute-active",
                        "tensor-active",
                        "bandwidth-load",
                        "pcie-sent",
                        "pcie-received"),
                join("state", left("STATUS", 2), CombinedFact.STATE, "status", "health"));
    }

    private static void own(
            List<DeviceField> fields,
            String name,
            String key,
            TextTable.Column column,
            Function<AcceleratorProfile, Optional<?>> value) {
        fields.add(new DeviceField(name, key, column, value, List.of()));
    }

    private static void fact(List<DeviceField> fields, String name, DeviceFact<?> fact, TextTable.Column column) {
        own(fields, name, fact.key(), column, new OneFact(fact));
    }

    private static DeviceField join(
            String name, TextTable.Column column, Function<AcceleratorProfile, Optional<?>> value, String... parts) {
        List<DeviceField> fields = new ArrayList<>();
        for (String part : parts) {
            fields.add(named(ALL, part));
        }
        return new DeviceField(name, "", column, value, List.copyOf(fields));
    }

    private static TextTable.Column left(String header, int priority) {
        return new TextTable.Column(header, false, priority, false);
    }

    private static TextTable.Column right(String header, int priority) {
        return new TextTable.Column(header, true, priority, false);
    }

    /// Returns the field with a name, with a key of JSON, or with ai-hwaccel's name.
    public static Optional<DeviceField> find(String name) {
        for (DeviceField field : ALL) {
            if (field.name.equals(name) || field.key.equals(name)) {
                return Optional.of(field);
            }
        }
        for (DeviceField field : COMBINED) {
            if (field.name.equals(name)) {
                return Optional.of(field);
            }
        }
        for (String[] alias : ALIASES) {
            if (alias[0].equals(name)) {
                return find(alias[1]);
            }
        }
        return Optional.empty();
    }

    /// Returns the fields of an ordinary table: the important ones with a known value.
    public static List<DeviceField> forTable(List<AcceleratorProfile> devices) {
        List<DeviceField> shown = new ArrayList<>();
        for (String name : NARROW) {
            DeviceField field = find(name).orElseThrow();
            if (field.name.equals("use") && !field.parts.getFirst().isKnownOfAny(devices)) {
                field = field.parts.getLast();
            }
            if (devices.isEmpty() || field.isKnownOfAny(devices)) {
                shown.add(field);
            }
        }
        for (String name : TELEMETRY) {
            DeviceField field = named(ALL, name);
            if (field.isKnownOfAny(devices)) {
                shown.add(field);
            }
        }
        DeviceField limit = find("limit").orElseThrow();
        if (shown.contains(find("compute-active").orElseThrow()) && limit.isKnownOfAny(devices)) {
            shown.add(limit);
        }
        return shown;
    }

    /// Returns the fields of a wide table: all with a known value.
    public static List<DeviceField> forWideTable(List<AcceleratorProfile> devices) {
        List<DeviceField> shown = new ArrayList<>();
        for (DeviceField field : ALL) {
            if (devices.isEmpty() || field.isKnownOfAny(devices)) {
                shown.add(field);
            }
        }
        return shown;
    }

    /// Returns the fields for machine-readable output: the parts of combined ones.
    public static List<DeviceField> forMachines(List<DeviceField> fields) {
        List<DeviceField> single = new ArrayList<>();
        for (DeviceField field : fields) {
            if (field.parts.isEmpty()) {
                single.add(field);
            } else {
                single.addAll(field.parts);
            }
        }
        return single;
    }

    private boolean isKnownOfAny(List<AcceleratorProfile> devices) {
        for (AcceleratorProfile device : devices) {
            if (value.apply(device).isPresent()) {
                return true;
            }
        }
        return false;
    }

    private static DeviceField named(List<DeviceField> fields, String name) {
        for (DeviceField field : fields) {
            if (field.name.equals(name)) {
                return field;
            }
        }
        throw new AssertionError("no field " + name);
    }

    /// Returns the type of a device without a name.
    private static String typeName(AcceleratorType type) {
        if (type instanceof AcceleratorType.Tpu tpu) {
            return "TPU " + tpu.version().display() + " x" + tpu.chipCount();
        }
        if (type instanceof AcceleratorType.Gaudi gaudi) {
            return "Intel " + gaudi.generation().display();
        }
        if (type instanceof AcceleratorType.Neuron neuron) {
            return "AWS " + neuron.chip().display();
        }
        if (type instanceof AcceleratorType.Other other) {
            return other.vendor() + " " + other.family().display();
        }
        return type.kind().display();
    }

    /// Returns the name of a device, or its type if it has none.
    public static String nameOf(AcceleratorProfile device) {
        return device.deviceName().find().orElseGet(() -> typeName(device.accelerator()));
    }

    /// The value of a field of one fact.
    private record OneFact(DeviceFact<?> fact) implements Function<AcceleratorProfile, Optional<?>> {
        @Override
        public Optional<?> apply(AcceleratorProfile device) {
            return device.reading(fact).find();
        }
    }

    /// The values of a device that are not facts. An enum instead of lambdas: docs/decisions/0004.
    private enum Own implements Function<AcceleratorProfile, Optional<?>> {
        ID,
        NAME,
        FAMILY,
        STATUS;

        @Override
        public Optional<?> apply(AcceleratorProfile device) {
            return Optional.of(
                    switch (this) {
                        case ID -> device.id();
                        case NAME -> nameOf(device);
                        case FAMILY -> device.accelerator().family();
                        case STATUS -> new Availability(device.available());
                    });
        }
    }
}
