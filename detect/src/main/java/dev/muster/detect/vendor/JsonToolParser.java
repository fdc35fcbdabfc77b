// SPDX-License-Identifier: Apache-2.0
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
import dev.muster.detect.tool.ToolDevice;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Reads tools that print JSON, a text for each. Pure.
final class JsonToolParser {
    private static final String NODE = "rbln";
    private static final String MEMORY = "FB Memory Usage";
    private static final double MICRO = 1e-6;
    private static final double MILLI = 1e-3;

    private JsonToolParser() {}

    /// One device of a list.
    private interface Item {
        /// @param position its place in the list
        ToolDevice read(JsonValue root, JsonValue item, long position);
    }

    /// @param list the member that lists the devices
    /// @param mark the member that every device has
    private static List<AcceleratorProfile> devices(String text, String list, String mark, Item reader) {
        List<AcceleratorProfile> devices = new ArrayList<>();
        ToolDevice.json(text).ifPresent(root -> {
            for (JsonValue item : JsonFields.items(root, list)) {
                if (devices.size() < ToolDevice.MAX_DEVICES && item.find(mark).isPresent()) {
                    devices.add(reader.read(root, item, devices.size()).build());
                }
            }
        });
        return devices;
    }

    /// `tt-smi -s`. Numbers are texts with blanks before them; registers are hexadecimal and not taken. A board with
    /// two chips has two entries, of which the second has no bus id.
    static List<AcceleratorProfile> ttSmi(String text, Provenance source) {
        return devices(text, "device_info", "board_info", (root, item, position) -> {
            // `TT-KMD 2.3.0`
            String driver = value(root, "host_info", "Driver");
            return new ToolDevice(AcceleratorKind.TENSTORRENT, position, source)
                    .text(DeviceFact.DEVICE_NAME, value(item, "board_info", "board_type"))
                    .with(DeviceFact.PCI_ADDRESS, PciAddress.find(value(item, "board_info", "bus_id")))
                    .with(DeviceFact.TEMPERATURE, Amount.celsius(value(item, "telemetry", "asic_temperature")))
                    .with(DeviceFact.POWER, Amount.watts(value(item, "telemetry", "power")))
                    .with(DeviceFact.CLOCK, Amount.megahertz(value(item, "telemetry", "aiclk")))
                    .with(DeviceFact.CLOCK_MAX, Amount.megahertz(value(item, "limits", "asic_fmax")))
                    .with(DeviceFact.POWER_LIMIT, limit(value(item, "limits", "tdp_limit")))
                    .text(DeviceFact.FIRMWARE_VERSION, value(item, "firmwares", "fw_bundle_version"))
                    .text(DeviceFact.DRIVER_VERSION, driver.substring(driver.lastIndexOf(' ') + 1));
        });
    }

    private static Optional<Watts> limit(String text) {
        return Amount.watts(text).filter(limit -> limit.value() > 0);
    }

    /// `rbln-smi -j` and `rbln-stat -j`: all values are texts. Each die is a device; the dies of a card repeat the
    /// card's power, which is taken once.
    static List<AcceleratorProfile> rbln(String text, Provenance source) {
        Set<String> cards = new HashSet<>();
        return devices(text, "devices", "name", (root, item, position) -> {
            String node = value(item, "device");
            ToolDevice device = new ToolDevice(
                            AcceleratorKind.REBELLIONS,
                            Amount.numbered(node, NODE, ToolDevice.MAX_DEVICES).orElse(position),
                            source)
                    .text(DeviceFact.DEVICE_NAME, value(item, "name"))
                    .text(DeviceFact.UUID, value(item, "uuid"))
                    .text(DeviceFact.FIRMWARE_VERSION, value(item, "fw_ver"))
                    .text(DeviceFact.DRIVER_VERSION, value(root, "KMD_version"))
                    .health(value(item, "status"), "normal")
                    .with(DeviceFact.PCI_ADDRESS, PciAddress.find(value(item, "pci", "bus_id")))
                    .with(DeviceFact.NUMA_NODE, Amount.count(value(item, "pci", "numa_node"), ToolDevice.MAX_DEVICES))
                    .with(DeviceFact.TEMPERATURE, Amount.celsius(value(item, "temperature")))
                    .with(DeviceFact.MEMORY, Amount.bytes(value(item, "memory", "total"), "B"))
                    .with(DeviceFact.MEMORY_USED, Amount.bytes(value(item, "memory", "used"), "B"))
                    .with(DeviceFact.UTILIZATION, Amount.percent(value(item, "util")));
            String card = value(item, "sid");
            return card.isEmpty() || cards.add(card)
                    ? device.with(DeviceFact.POWER, power(value(item, "card_power")))
                    : device;
        });
    }

    /// `18109794uW`, `38000mW` or `38W`.
    private static Optional<Watts> power(String text) {
        double factor = text.endsWith("uW") ? MICRO : text.endsWith("mW") ? MILLI : 1;
        return Amount.decimal(text).filter(value -> value >= 0).map(value -> new Watts(value * factor));
    }

    /// `mthreads-gmi -q --json`.
    static List<AcceleratorProfile> mthreads(String text, Provenance source) {
        return devices(
                text,
                "GPU",
                "Product Name",
                (root, item, position) -> new ToolDevice(
                                AcceleratorKind.MOORE_THREADS_GPU,
                                JsonFields.count(item, "Index", ToolDevice.MAX_DEVICES)
                                        .orElse(position),
                                source)
                        .text(DeviceFact.DEVICE_NAME, value(item, "Product Name"))
                        .text(DeviceFact.DRIVER_VERSION, value(root, "Driver Version"))
                        .with(DeviceFact.MEMORY, Amount.bytes(value(item, MEMORY, "Total")))
                        .with(DeviceFact.MEMORY_USED, Amount.bytes(value(item, MEMORY, "Used")))
                        .with(DeviceFact.TEMPERATURE, Amount.celsius(value(item, "Temperature", "GPU Current Temp")))
                        .with(DeviceFact.UTILIZATION, Amount.percent(value(item, "Utilization", "Gpu"))));
    }

    private static String value(JsonValue item, String... path) {
        return JsonFields.text(item, path).orElse("");
    }
}
