// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.vendor;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.core.json.JsonValue;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.text.Amount;
import dev.muster.detect.text.JsonFields;
import dev.muster.detect.tool.ToolDevice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Reads Hygon's `hy-smi`, and its older twin with the name of AMD's `rocm-smi`: an object for each card with
/// `--json`, a table without arguments. Newer releases say HCU where older ones say DCU. Pure.
final class HySmiParser {
    private static final String CARD = "card";
    private static final String TOTAL = "vram total memory (";
    private static final String USED = "vram total used memory (";

    private HySmiParser() {}

    /// The JSON. AMD's tool answers alike: a card that names AMD, or says nothing of Hygon's, is none.
    static List<AcceleratorProfile> parse(String text, Provenance source) {
        List<AcceleratorProfile> devices = new ArrayList<>();
        if (ToolDevice.json(text).orElse(new JsonValue.JsonNull())
                instanceof JsonValue.JsonObject(Map<String, JsonValue> cards)) {
            cards.forEach((name, card) -> {
                Map<String, String> values = values(card);
                Optional<Long> number = Amount.numbered(name, CARD, ToolDevice.MAX_DEVICES);
                if (number.isPresent() && devices.size() < ToolDevice.MAX_DEVICES && !isAmd(values)) {
                    devices.add(device(number.get(), values, source));
                }
            });
        }
        return devices;
    }

    private static Map<String, String> values(JsonValue card) {
        Map<String, String> values = new HashMap<>();
        if (card instanceof JsonValue.JsonObject(Map<String, JsonValue> members)) {
            members.forEach((key, _) -> JsonFields.text(card, key)
                    .ifPresent(value -> values.put(key.strip().toLowerCase(Locale.ROOT), value)));
        }
        return values;
    }

    private static boolean isAmd(Map<String, String> values) {
        String vendor = values.getOrDefault("card vendor", "").toLowerCase(Locale.ROOT);
        return vendor.contains("amd")
                || vendor.contains("advanced micro")
                || values.containsKey("gpu use (%)")
                || values.getOrDefault("gfx version", "").startsWith("gfx");
    }

    private static AcceleratorProfile device(long number, Map<String, String> values, Provenance source) {
        return new ToolDevice(AcceleratorKind.HYGON_DCU, number, source)
                .text(DeviceFact.DEVICE_NAME, first(values, "card series", "card model"))
                .with(DeviceFact.PCI_ADDRESS, PciAddress.find(first(values, "pci bus")))
                .with(DeviceFact.MEMORY, memory(values, TOTAL))
                .with(DeviceFact.MEMORY_USED, memory(values, USED))
                .with(DeviceFact.UTILIZATION, Amount.percent(first(values, "dcu use (%)", "hcu use (%)")))
                .with(
                        DeviceFact.TEMPERATURE,
                        Amount.celsius(first(
                                values,
                                "temperature (sensor edge) (c)",
                                "temperature (sensor core) (c)",
                                "temperature (sensor junction) (c)")))
                .with(DeviceFact.POWER, Amount.watts(first(values, "average graphics package power (w)")))
                .build();
    }

    private static String first(Map<String, String> values, String... keys) {
        for (String key : keys) {
            String value = values.getOrDefault(key, "");
            if (!value.isEmpty()) {
                return value;
            }
        }
        return "";
    }

    /// The unit stands in the key: bytes in older releases, MiB in newer ones.
    private static Optional<Bytes> memory(Map<String, String> values, String beginning) {
        for (Map.Entry<String, String> entry : values.entrySet()) {
            String key = entry.getKey();
            if (key.startsWith(beginning) && key.endsWith(")")) {
                return Amount.bytes(entry.getValue(), key.substring(beginning.length(), key.length() - 1));
            }
        }
        return Optional.empty();
    }

    /// The table: a line of titles that begins with `DCU` or `HCU`, then a line for each card. It tells shares
    /// of memory, not sizes.
    static List<AcceleratorProfile> parseTable(String text, Provenance source) {
        List<AcceleratorProfile> devices = new ArrayList<>();
        List<String> titles = List.of();
        for (String line : text.split("\n")) {
            List<String> words = List.of(line.strip().split("\\s+"));
            String first = words.getFirst();
            Optional<Long> number = Amount.count(first, ToolDevice.MAX_DEVICES);
            if ((first.equals("DCU") || first.equals("HCU")) && words.contains("Temp")) {
                titles = words;
            } else if (number.isPresent() && words.size() == titles.size() && devices.size() < ToolDevice.MAX_DEVICES) {
                devices.add(new ToolDevice(AcceleratorKind.HYGON_DCU, number.get(), source)
                        .with(DeviceFact.TEMPERATURE, Amount.celsius(cell(titles, words, "Temp")))
                        .with(DeviceFact.POWER, Amount.watts(cell(titles, words, "AvgPwr")))
                        .with(DeviceFact.POWER_LIMIT, Amount.watts(cell(titles, words, "PwrCap")))
                        .with(DeviceFact.UTILIZATION, Amount.percent(cell(titles, words, titles.getFirst() + "%")))
                        .build());
            }
        }
        return devices;
    }

    private static String cell(List<String> titles, List<String> words, String title) {
        int index = titles.indexOf(title);
        return index < 0 ? "" : words.get(index);
    }
}
