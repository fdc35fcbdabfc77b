package dev.muster.cli.model;

import dev.muster.cli.render.Printable;
import dev.muster.cli.render.Quantity;
import dev.muster.cli.render.Terminal;
import dev.muster.cli.render.TextTable;
import dev.muster.core.FixedText;
import dev.muster.core.Reading;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.core.unit.OperationRate;
import dev.muster.plan.catalogue.DeviceEntry;
import dev.muster.plan.catalogue.Precision;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The device catalogue: names to type, and what data sheets say.
///
/// @param entries the devices
public record DeviceCatalogueText(List<DeviceEntry> entries) {
    private static final List<Precision> SHOWN = List.of(Precision.BF16, Precision.FP8, Precision.INT8, Precision.FP4);

    /// Copies the list.
    public DeviceCatalogueText {
        entries = List.copyOf(entries);
    }

    /// For people.
    public String text(Terminal terminal) {
        List<TextTable.Column> columns = new ArrayList<>(List.of(
                new TextTable.Column("DEVICE", false, 0, false),
                new TextTable.Column("ALSO", false, 3, true),
                new TextTable.Column("MEMORY", false, 1, false),
                new TextTable.Column("BANDWIDTH", true, 2, false)));
        for (Precision precision : SHOWN) {
            columns.add(new TextTable.Column(precision.display(), true, 4, false));
        }
        columns.add(new TextTable.Column("SOURCE", false, 5, true));
        TextTable table = new TextTable(terminal, columns);
        for (DeviceEntry entry : entries) {
            table.add(row(entry, terminal).stream()
                    .map(text -> new TextTable.Cell(Printable.of(text), false))
                    .toList());
        }
        return table.render(true)
                + terminal.dim("Dense peak rates in 10^12 operations per second, as data sheets state them;"
                        + " a part of a name will do where it is clear.\n");
    }

    private static List<String> row(DeviceEntry entry, Terminal terminal) {
        List<String> cells = new ArrayList<>(List.of(
                entry.id(),
                String.join(", ", entry.signature().shortNames()),
                FixedText.of(entry.memory().gigabytes(), 0) + " GB "
                        + entry.memory().type(),
                Quantity.of(entry.memory().bandwidth())));
        for (Precision precision : SHOWN) {
            cells.add(entry.peak(precision)
                    .find()
                    .map(DeviceCatalogueText::number)
                    .orElse(terminal.unknown()));
        }
        cells.add(entry.origin().source());
        return cells;
    }

    private static String number(OperationRate rate) {
        return BigDecimal.valueOf(rate.teraPerSecond()).stripTrailingZeros().toPlainString();
    }

    /// One id a line.
    public String names() {
        StringBuilder names = new StringBuilder();
        entries.forEach(entry -> names.append(entry.id()).append('\n'));
        return names.toString();
    }

    /// For machines.
    public JsonValue json() {
        return JsonObject.builder()
                .put("schema", 1)
                .put("kind", "device-catalogue")
                .put("devices", entries.stream().map(DeviceCatalogueText::json).toList())
                .build();
    }

    private static JsonValue json(DeviceEntry entry) {
        JsonObject.Builder peaks = JsonObject.builder();
        for (Precision precision : Precision.values()) {
            if (entry.peak(precision) instanceof Reading.Known<OperationRate>(OperationRate rate, var _)) {
                peaks.put(precision.display().toLowerCase(Locale.ROOT), new JsonNumber(number(rate)));
            }
        }
        JsonObject.Builder object = JsonObject.builder()
                .put("id", entry.id())
                .put("shortNames", strings(entry.signature().shortNames()))
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
                .put("link", entry.link().kind());
        entry.link().oneWay().find().ifPresent(rate -> object.put("linkBytesPerSecond", Quantity.json(rate)));
        entry.tdp().find().ifPresent(power -> object.put("powerLimitWatts", Quantity.json(power)));
        return object.put("driverNames", strings(entry.signature().aliases()))
                .put("pciIds", strings(entry.signature().pciIds()))
                .put("confidence", entry.origin().confidence().text())
                .put("source", entry.origin().source())
                .put("note", entry.origin().note())
                .build();
    }

    private static List<JsonValue> strings(List<String> texts) {
        return texts.stream().<JsonValue>map(JsonString::new).toList();
    }
}
