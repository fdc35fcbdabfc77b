// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.plan;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.core.text.FixedText;
import dev.muster.core.unit.OperationRate;
import dev.muster.plan.catalogue.DeviceEntry;
import dev.muster.plan.catalogue.Precision;
import dev.muster.report.terminal.Report;
import dev.muster.report.terminal.Terminal;
import dev.muster.report.text.Quantity;
import dev.muster.report.text.Table;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;

/// The device catalogue: names and data sheets.
///
/// @param entries the devices
public record DeviceCatalogueText(List<DeviceEntry> entries) implements Report {
    private static final List<Precision> SHOWN = List.of(Precision.BF16, Precision.FP8, Precision.INT8, Precision.FP4);

    @Override
    public String text(Terminal terminal) {
        Table<DeviceEntry> table = new Table<DeviceEntry>(terminal)
                .left("DEVICE", DeviceEntry::id)
                .flexible(
                        "ALSO", 3, entry -> String.join(", ", entry.signature().shortNames()))
                .left(
                        "MEMORY",
                        1,
                        entry -> FixedText.of(entry.memory().gigabytes(), 0) + " GB "
                                + entry.memory().type())
                .right("BANDWIDTH", 2, entry -> entry.memory().bandwidth());
        for (Precision precision : SHOWN) {
            table.right(
                    precision.display(),
                    4,
                    entry -> entry.peak(precision).find().map(DeviceCatalogueText::number));
        }
        table.flexible("SOURCE", 5, entry -> entry.origin().source());
        return table.render(entries)
                + terminal.dim("Dense peak rates in 10^12 operations per second, as data sheets state them;"
                        + " an unambiguous part of a name is enough.\n");
    }

    private static String number(OperationRate rate) {
        return BigDecimal.valueOf(rate.teraPerSecond()).stripTrailingZeros().toPlainString();
    }

    /// Returns one id a line.
    public String names() {
        StringBuilder names = new StringBuilder();
        entries.forEach(entry -> names.append(entry.id()).append('\n'));
        return names.toString();
    }

    @Override
    public JsonValue json() {
        return JsonObject.document("device-catalogue")
                .put("devices", entries, DeviceCatalogueText::json)
                .build();
    }

    private static JsonValue json(DeviceEntry entry) {
        JsonObject.ObjectBuilder peaks = JsonObject.builder();
        for (Precision precision : Precision.values()) {
            peaks.put(
                    precision.display().toLowerCase(Locale.ROOT),
                    entry.peak(precision).find(),
                    rate -> new JsonNumber(number(rate)));
        }
        return JsonObject.builder()
                .put("id", entry.id())
                .put("shortNames", entry.signature().shortNames(), JsonString::new)
                .put("name", entry.name())
                .put("vendor", entry.vendor())
                .put("class", entry.deviceClass().text())
                .put("memoryTotalBytes", Quantity.json(entry.memory().total()))
                .put("memoryUsableBytes", Quantity.json(entry.memory().usable()))
                .put("memoryType", entry.memory().type())
                .put(
                        "memoryBandwidthBytesPerSecond",
                        Quantity.json(entry.memory().bandwidth()))
                .put("peakTeraOperationsPerSecond", peaks.build())
                .put("link", entry.link().kind())
                .put("linkBytesPerSecond", entry.link().oneWay().find(), Quantity::json)
                .put("powerLimitWatts", entry.tdp().find(), Quantity::json)
                .put("driverNames", entry.signature().aliases(), JsonString::new)
                .put("pciIds", entry.signature().pciIds(), JsonString::new)
                .put("confidence", entry.origin().confidence().text())
                .put("source", entry.origin().source())
                .put("note", entry.origin().note())
                .build();
    }
}
