// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.gaudi;

import dev.muster.core.PciAddress;
import dev.muster.detect.text.Amount;
import dev.muster.detect.tool.ToolRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads the table that `hl-smi` prints on its own: two lines for each device, the first with its number, name and bus
/// id, the second with temperature, power, memory and utilization.
final class HlSmiTableParser {
    private static final int MAX_DEVICES = 1024;
    private static final String DRIVER = "| Driver Version:";
    private static final int COLUMNS = 3;

    private final List<ToolRow> devices = new ArrayList<>();
    private Map<String, String> fields = new LinkedHashMap<>();
    private String driver = "";

    private HlSmiTableParser() {}

    /// Returns the devices; nothing if this is not such a table.
    static Optional<List<ToolRow>> parse(String text) {
        HlSmiTableParser parser = new HlSmiTableParser();
        boolean isTable = false;
        for (String line : text.split("\n")) {
            String row = line.strip();
            if (row.startsWith("| Compute Processes")) {
                break;
            }
            isTable |= row.startsWith("| HL-SMI Version");
            // The version of the network driver stands in a line of its own that ends alike.
            if (row.startsWith(DRIVER)) {
                parser.driver = row.substring(DRIVER.length()).replace("|", "").strip();
            } else if (row.startsWith("|")) {
                parser.take(row.substring(1).split("\\|"));
            }
        }
        return isTable ? Optional.of(List.copyOf(parser.devices)) : Optional.empty();
    }

    private void take(String[] cells) {
        if (cells.length != COLUMNS) {
            return;
        }
        String[] left = cells[0].strip().split(" +");
        String[] middle = cells[1].strip().split(" +");
        Optional<Long> index = Amount.count(left[0], ToolRow.MAX_NUMBER);
        if (index.isPresent() && PciAddress.find(middle[0]).isPresent()) {
            fields = new LinkedHashMap<>();
            fields.put("index", left[0]);
            fields.put("name", left.length > 1 ? left[1] : "");
            fields.put("bus_id", middle[0]);
            fields.put("driver_version", driver);
        } else if (!fields.isEmpty()) {
            takeSecond(left, cells);
        }
    }

    private void takeSecond(String[] left, String[] cells) {
        for (String word : left) {
            if (word.endsWith("C") && Amount.celsius(word).isPresent()) {
                fields.put("temperature.aip", word);
            }
        }
        pair(String.join(" ", left), "power.draw", "power.max");
        pair(cells[1], "memory.used", "memory.total");
        String[] right = cells[2].strip().split(" +");
        fields.put("utilization.aip", right[0]);
        ToolRow.find(fields, "index")
                .filter(device -> devices.size() < MAX_DEVICES)
                .ifPresent(devices::add);
        fields = new LinkedHashMap<>();
    }

    /// Two values with a slash between, such as `87W / 600W`, perhaps behind other words.
    private void pair(String cell, String first, String second) {
        int slash = cell.indexOf(" / ");
        if (slash < 0) {
            return;
        }
        String before = cell.substring(0, slash).strip();
        fields.put(first, before.substring(before.lastIndexOf(' ') + 1));
        fields.put(second, cell.substring(slash + 2).strip());
    }
}
