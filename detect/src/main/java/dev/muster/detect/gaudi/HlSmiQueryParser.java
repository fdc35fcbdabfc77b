package dev.muster.detect.gaudi;

import dev.muster.core.text.CsvReader;
import dev.muster.detect.text.Quantity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Reads what `hl-smi -Q …` prints: a line for each device, with or without a line of names before.
final class HlSmiQueryParser {
    private static final int MAX_DEVICES = 1024;
    private static final String INDEX = "index";

    private HlSmiQueryParser() {}

    /// The devices. Lines that do not fit are left out and counted by [Answer#unread()].
    ///
    /// @param names the fields that were asked for; a line of names in the text counts more
    static Answer parse(String text, List<String> names) {
        List<String> columns = names;
        List<HlSmiDevice> devices = new ArrayList<>();
        int unread = 0;
        for (String line : text.split("\n")) {
            List<String> values = CsvReader.fieldsOf(line);
            if (line.isBlank()) {
                continue;
            }
            if (values.getFirst().equals(INDEX)) {
                columns = values.stream().map(HlSmiQueryParser::bare).toList();
            } else if (values.size() == columns.size() && index(columns, values) >= 0 && devices.size() < MAX_DEVICES) {
                devices.add(device(columns, values));
            } else {
                unread++;
            }
        }
        return new Answer(devices, unread);
    }

    /// A name without its unit: `memory.total [MiB]`.
    private static String bare(String name) {
        int bracket = name.indexOf('[');
        return bracket < 0 ? name : name.substring(0, bracket).strip();
    }

    private static long index(List<String> columns, List<String> values) {
        int column = columns.indexOf(INDEX);
        return column < 0
                ? -1
                : Quantity.findCount(values.get(column), HlSmiDevice.MAX_INDEX).orElse(-1L);
    }

    private static HlSmiDevice device(List<String> columns, List<String> values) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (int i = 0; i < columns.size(); i++) {
            fields.putIfAbsent(columns.get(i), values.get(i));
        }
        return new HlSmiDevice(index(columns, values), fields);
    }

    /// What was read.
    ///
    /// @param devices the devices
    /// @param unread how many lines could not be read
    record Answer(List<HlSmiDevice> devices, int unread) {
        Answer {
            devices = List.copyOf(devices);
        }
    }
}
