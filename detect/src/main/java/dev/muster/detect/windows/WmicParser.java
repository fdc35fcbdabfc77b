// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.windows;

import dev.muster.core.text.CsvReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads lists of video controllers in the forms of older tools: `Key=Value` lines with blank lines between
/// controllers, as `wmic /format:list` prints them, or comma-separated values below a line of names, as
/// `wmic /format:csv` and PowerShell's `ConvertTo-Csv` do. Blank lines before the names are usual.
final class WmicParser {
    private static final String NAME = "Name";

    private WmicParser() {}

    /// The controllers; nothing if the text has neither form.
    static Optional<List<WindowsAdapter>> parse(String text) {
        List<String> lines =
                text.replace("\ufeff", "").lines().map(String::strip).toList();
        for (String line : lines) {
            if (!line.isEmpty()) {
                return CsvReader.fieldsOf(line).contains(NAME) ? csv(lines) : list(lines);
            }
        }
        return Optional.empty();
    }

    private static Optional<List<WindowsAdapter>> csv(List<String> lines) {
        List<String> columns = List.of();
        List<WindowsAdapter> adapters = new ArrayList<>();
        for (String line : lines) {
            if (line.isEmpty()) {
                continue;
            }
            List<String> values = CsvReader.fieldsOf(line);
            if (columns.isEmpty()) {
                columns = values;
            } else if (values.size() == columns.size()) {
                Map<String, String> fields = new LinkedHashMap<>();
                for (int i = 0; i < values.size(); i++) {
                    fields.putIfAbsent(columns.get(i), values.get(i));
                }
                add(adapters, fields);
            }
        }
        return Optional.of(adapters);
    }

    private static Optional<List<WindowsAdapter>> list(List<String> lines) {
        List<WindowsAdapter> adapters = new ArrayList<>();
        Map<String, String> fields = new LinkedHashMap<>();
        boolean isList = false;
        for (String line : lines) {
            int equals = line.indexOf('=');
            // Some releases print each line end twice, so a blank line alone does not end a controller.
            if (equals > 0) {
                isList = true;
                String key = line.substring(0, equals);
                if (fields.containsKey(key)) {
                    add(adapters, fields);
                    fields = new LinkedHashMap<>();
                }
                fields.put(key, line.substring(equals + 1).strip());
            }
        }
        add(adapters, fields);
        return isList ? Optional.of(adapters) : Optional.empty();
    }

    private static void add(List<WindowsAdapter> adapters, Map<String, String> fields) {
        String name = fields.getOrDefault(NAME, "");
        if (!name.isEmpty() && adapters.size() < WindowsAdapter.MAX_ADAPTERS) {
            adapters.add(new WindowsAdapter(
                    name,
                    fields.getOrDefault("AdapterRAM", ""),
                    fields.getOrDefault("DriverVersion", ""),
                    fields.getOrDefault("PNPDeviceID", "").replace("&amp;", "&")));
        }
    }
}
