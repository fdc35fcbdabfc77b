package dev.muster.cli.render;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// A column that tables and CSV can show of a device.
///
/// @param name its name on the command line
/// @param key its name in CSV, as in JSON
/// @param column how tables show it
/// @param value what it shows; nothing when unknown
public record DeviceField(
        String name, String key, TextTable.Column column, Function<AcceleratorProfile, Optional<?>> value) {
    /// Every field, in the order of a wide table.
    public static final List<DeviceField> ALL = table();

    private static final List<String> NARROW =
            List.of("id", "name", "memory", "free", "bandwidth", "units", "numa", "status");

    private static List<DeviceField> table() {
        List<DeviceField> fields = new ArrayList<>();
        fields.add(new DeviceField("id", "id", left("ID", 0), profile -> Optional.of(profile.id())));
        fields.add(new DeviceField(
                "name",
                DeviceFact.DEVICE_NAME.key(),
                new TextTable.Column("DEVICE", false, 0, true),
                profile -> profile.deviceName().find().or(() -> Optional.of(typeName(profile.accelerator())))));
        fields.add(new DeviceField(
                "family",
                "family",
                left("FAMILY", 6),
                profile -> Optional.of(profile.accelerator().family())));
        fact(fields, "memory", DeviceFact.MEMORY, right("MEMORY", 1));
        fact(fields, "free", DeviceFact.MEMORY_FREE, right("FREE", 3));
        fact(fields, "used", DeviceFact.MEMORY_USED, right("USED", 7));
        fact(fields, "bandwidth", DeviceFact.MEMORY_BANDWIDTH, right("BANDWIDTH", 4));
        fact(fields, "units", DeviceFact.COMPUTE_UNITS, right("UNITS", 5));
        fact(fields, "capability", DeviceFact.COMPUTE_CAPABILITY, left("CAPABILITY", 7));
        fact(fields, "driver", DeviceFact.DRIVER_VERSION, left("DRIVER", 7));
        fact(fields, "pcie", DeviceFact.PCIE_BANDWIDTH, right("PCIE", 8));
        fact(fields, "numa", DeviceFact.NUMA_NODE, right("NUMA", 6));
        fact(fields, "temperature", DeviceFact.TEMPERATURE, right("TEMP", 8));
        fact(fields, "power", DeviceFact.POWER, right("POWER", 8));
        fact(fields, "utilization", DeviceFact.UTILIZATION, right("BUSY", 8));
        fact(fields, "pci", DeviceFact.PCI_ADDRESS, left("PCI", 9));
        fact(fields, "uuid", DeviceFact.UUID, left("UUID", 9));
        fields.add(
                new DeviceField("status", "available", left("STATUS", 2), profile -> Optional.of(profile.available())));
        return List.copyOf(fields);
    }

    private static void fact(List<DeviceField> fields, String name, DeviceFact<?> fact, TextTable.Column column) {
        fields.add(new DeviceField(
                name, fact.key(), column, profile -> profile.reading(fact).find()));
    }

    private static TextTable.Column left(String header, int priority) {
        return new TextTable.Column(header, false, priority, false);
    }

    private static TextTable.Column right(String header, int priority) {
        return new TextTable.Column(header, true, priority, false);
    }

    /// What a device is, where it has no name of its own.
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
        return type.kind().display();
    }

    /// The field with that name, or with that key of JSON.
    public static Optional<DeviceField> find(String name) {
        return ALL.stream()
                .filter(field -> field.name.equals(name) || field.key.equals(name))
                .findFirst();
    }

    /// The fields of an ordinary table: the important ones of which something is known.
    public static List<DeviceField> forTable(List<AcceleratorProfile> devices) {
        return ALL.stream()
                .filter(field -> NARROW.contains(field.name))
                .filter(field -> devices.isEmpty()
                        || devices.stream()
                                .anyMatch(device -> field.value.apply(device).isPresent()))
                .toList();
    }
}
