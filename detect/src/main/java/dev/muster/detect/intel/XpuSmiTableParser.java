// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.intel;

import dev.muster.detect.text.Amount;
import dev.muster.detect.tool.ToolRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads the tables of `xpu-smi discovery`, `discovery -d N` and `topology -d N`: two columns, of which the first holds
/// the device's number and the second `Name: value` lines. A line that starts with more blanks goes on with the value
/// before it.
final class XpuSmiTableParser {
    private static final int MAX_DEVICES = 1024;
    private static final int MAX_VALUE = 4096;
    private static final String CONTINUED = "   ";

    private final List<ToolRow> devices = new ArrayList<>();
    private Map<String, String> properties = new LinkedHashMap<>();
    private String last = "";
    private long id = -1;

    private XpuSmiTableParser() {}

    /// Returns the devices; nothing if this is not such a table.
    static Optional<List<ToolRow>> parse(String text) {
        XpuSmiTableParser parser = new XpuSmiTableParser();
        boolean inTable = false;
        for (String line : text.split("\n")) {
            String row = line.stripTrailing();
            if (row.startsWith("| Device ID ")) {
                inTable = true;
            } else if (inTable && row.startsWith("|") && row.endsWith("|") && row.length() > 2) {
                parser.take(row.substring(1, row.length() - 1));
            }
        }
        parser.close();
        return inTable ? Optional.of(List.copyOf(parser.devices)) : Optional.empty();
    }

    private void take(String row) {
        int bar = row.indexOf('|');
        if (bar < 0) {
            return;
        }
        String number = row.substring(0, bar).strip();
        if (!number.isEmpty()) {
            close();
            id = Amount.count(number, ToolRow.MAX_NUMBER).orElse(-1L);
        }
        take(row.substring(bar + 1), row.startsWith(CONTINUED, bar + 1));
    }

    private void take(String cell, boolean continued) {
        if (continued && !last.isEmpty()) {
            if (properties.getOrDefault(last, "").length() < MAX_VALUE) {
                properties.merge(last, cell.strip(), String::concat);
            }
            return;
        }
        int colon = cell.indexOf(": ");
        if (colon > 0 && properties.size() < XpuSmi.MAX_PROPERTIES) {
            last = XpuSmi.keyOf(cell.substring(0, colon));
            properties.putIfAbsent(last, cell.substring(colon + 2).strip());
        }
    }

    private void close() {
        if (id >= 0 && devices.size() < MAX_DEVICES) {
            devices.add(new ToolRow(id, properties));
        }
        properties = new LinkedHashMap<>();
        last = "";
        id = -1;
    }
}
