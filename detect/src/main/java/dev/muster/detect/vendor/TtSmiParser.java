package dev.muster.detect.vendor;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.core.json.JsonValue;
import dev.muster.core.unit.Hertz;
import dev.muster.detect.text.Amount;
import dev.muster.detect.text.JsonFields;
import dev.muster.detect.tool.Sighting;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Reads the JSON of `tt-smi -s`. Numbers are texts with blanks before them; registers are hexadecimal and not taken.
/// A board with two chips has two entries, of which the second has no bus id. Pure.
final class TtSmiParser {
    private static final long MAX_MEGAHERTZ = 100_000;
    private static final double NOTHING_LIMITED = 0;

    private TtSmiParser() {}

    static List<AcceleratorProfile> parse(String text, Provenance source) {
        Optional<JsonValue> root = Sighting.json(text);
        if (root.isEmpty()) {
            return List.of();
        }
        String driver = JsonFields.text(root.get(), "host_info", "Driver").orElse("");
        List<AcceleratorProfile> devices = new ArrayList<>();
        for (JsonValue item : JsonFields.items(root.get(), "device_info")) {
            if (devices.size() < Sighting.MAX_DEVICES && item.find("board_info").isPresent()) {
                devices.add(device(item, devices.size(), driver, source));
            }
        }
        return devices;
    }

    private static AcceleratorProfile device(JsonValue item, int number, String driver, Provenance source) {
        return new Sighting(AcceleratorKind.TENSTORRENT, number, source)
                .text(DeviceFact.DEVICE_NAME, value(item, "board_info", "board_type"))
                .with(DeviceFact.PCI_ADDRESS, PciAddress.find(value(item, "board_info", "bus_id")))
                .with(DeviceFact.TEMPERATURE, Amount.celsius(value(item, "telemetry", "asic_temperature")))
                .with(DeviceFact.POWER, Amount.watts(value(item, "telemetry", "power")))
                .with(DeviceFact.CLOCK, megahertz(value(item, "telemetry", "aiclk")))
                .with(DeviceFact.CLOCK_MAX, megahertz(value(item, "limits", "asic_fmax")))
                .with(
                        DeviceFact.POWER_LIMIT,
                        Amount.watts(value(item, "limits", "tdp_limit"))
                                .filter(limit -> limit.value() > NOTHING_LIMITED))
                .text(DeviceFact.FIRMWARE_VERSION, value(item, "firmwares", "fw_bundle_version"))
                // `TT-KMD 2.3.0`
                .text(DeviceFact.DRIVER_VERSION, driver.substring(driver.lastIndexOf(' ') + 1))
                .build();
    }

    private static String value(JsonValue item, String group, String name) {
        return JsonFields.text(item, group, name).orElse("");
    }

    private static Optional<Hertz> megahertz(String text) {
        return Amount.count(text, MAX_MEGAHERTZ).filter(value -> value > 0).map(Hertz::ofMegahertz);
    }
}
