package dev.muster.detect.vendor;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.core.json.JsonValue;
import dev.muster.core.unit.Watts;
import dev.muster.detect.text.Amount;
import dev.muster.detect.text.JsonFields;
import dev.muster.detect.tool.Sighting;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Reads the JSON of `rbln-smi -j` and `rbln-stat -j`: all values are texts. Each die is a device; the dies of a card
/// repeat the card's power, which is taken once. Pure.
final class RblnParser {
    private static final String NODE = "rbln";
    private static final double MICRO = 1e-6;
    private static final double MILLI = 1e-3;

    private RblnParser() {}

    static List<AcceleratorProfile> parse(String text, Provenance source) {
        Optional<JsonValue> root = Sighting.json(text);
        if (root.isEmpty()) {
            return List.of();
        }
        String driver = JsonFields.text(root.get(), "KMD_version").orElse("");
        Set<String> cards = new HashSet<>();
        List<AcceleratorProfile> devices = new ArrayList<>();
        for (JsonValue item : JsonFields.items(root.get(), "devices")) {
            if (devices.size() < Sighting.MAX_DEVICES && item.find("name").isPresent()) {
                Sighting device = device(item, devices.size(), source).text(DeviceFact.DRIVER_VERSION, driver);
                String card = value(item, "sid");
                if (card.isEmpty() || cards.add(card)) {
                    device.with(DeviceFact.POWER, power(value(item, "card_power")));
                }
                devices.add(device.build());
            }
        }
        return devices;
    }

    private static Sighting device(JsonValue item, int position, Provenance source) {
        String node = value(item, "device");
        long number = node.startsWith(NODE)
                ? Amount.count(node.substring(NODE.length()), Sighting.MAX_DEVICES)
                        .orElse((long) position)
                : position;
        return new Sighting(AcceleratorKind.REBELLIONS, number, source)
                .text(DeviceFact.DEVICE_NAME, value(item, "name"))
                .text(DeviceFact.UUID, value(item, "uuid"))
                .text(DeviceFact.FIRMWARE_VERSION, value(item, "fw_ver"))
                .health(value(item, "status"), "normal")
                .with(DeviceFact.PCI_ADDRESS, PciAddress.find(value(item, "pci", "bus_id")))
                .with(DeviceFact.NUMA_NODE, Amount.count(value(item, "pci", "numa_node"), Sighting.MAX_DEVICES))
                .with(DeviceFact.TEMPERATURE, Amount.celsius(value(item, "temperature")))
                .with(DeviceFact.MEMORY, Amount.bytes(value(item, "memory", "total"), "B"))
                .with(DeviceFact.MEMORY_USED, Amount.bytes(value(item, "memory", "used"), "B"))
                .with(DeviceFact.UTILIZATION, Amount.percent(value(item, "util")));
    }

    /// `18109794uW`, `38000mW` or `38W`.
    private static Optional<Watts> power(String text) {
        double factor = text.endsWith("uW") ? MICRO : text.endsWith("mW") ? MILLI : 1;
        return Amount.decimal(text).filter(value -> value >= 0).map(value -> new Watts(value * factor));
    }

    private static String value(JsonValue item, String... path) {
        return JsonFields.text(item, path).orElse("");
    }
}
