// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.gaudi;

import dev.muster.core.text.CsvReader;
import dev.muster.detect.tool.ToolRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
        List<ToolRow> devices = new ArrayList<>();
        int unread = 0;
        for (String line : text.split("\n")) {
            List<String> values = CsvReader.fieldsOf(line);
            if (line.isBlank()) {
                continue;
            }
            if (values.getFirst().equals(INDEX)) {
                columns = values.stream().map(HlSmiQueryParser::bare).toList();
                continue;
            }
            Optional<ToolRow> device =
                    values.size() == columns.size() ? ToolRow.find(columns, values, INDEX) : Optional.empty();
            if (device.isPresent() && devices.size() < MAX_DEVICES) {
                devices.add(device.get());
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

    /// The content of an answer.
    ///
    /// @param devices the devices
    /// @param unread number of unreadable lines
    record Answer(List<ToolRow> devices, int unread) {
        Answer {
            devices = List.copyOf(devices);
        }
    }
}
