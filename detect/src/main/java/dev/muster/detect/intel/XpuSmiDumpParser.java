// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.intel;

import dev.muster.core.text.CsvReader;
import dev.muster.detect.tool.ToolRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Reads `xpu-smi discovery --dump …`: a line of column names, then a line for each device with its texts in quotes.
/// The names decide what a column means; the same number of a property means different things in different releases.
final class XpuSmiDumpParser {
    private static final int MAX_DEVICES = 1024;
    private static final String ID = "device_id";

    private XpuSmiDumpParser() {}

    /// Returns the devices; nothing if this is not such a list.
    static Optional<List<ToolRow>> parse(String text) {
        List<String> columns = List.of();
        List<ToolRow> devices = new ArrayList<>();
        for (String line : text.split("\n")) {
            if (line.isBlank()) {
                continue;
            }
            List<String> values = CsvReader.fieldsOf(line);
            if (columns.isEmpty()) {
                columns = values.stream().map(XpuSmiDumpParser::columnOf).toList();
                if (!columns.getFirst().equals(ID)) {
                    return Optional.empty();
                }
            } else if (values.size() == columns.size() && devices.size() < MAX_DEVICES) {
                ToolRow.find(columns, values, ID).ifPresent(devices::add);
            }
        }
        return columns.isEmpty() ? Optional.empty() : Optional.of(devices);
    }

    private static String columnOf(String name) {
        String key = XpuSmi.keyOf(name);
        return key.equals("deviceid") ? ID : key;
    }
}
