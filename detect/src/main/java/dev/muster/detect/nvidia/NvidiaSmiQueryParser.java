package dev.muster.detect.nvidia;

import dev.muster.core.text.CsvReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/// Reads what `nvidia-smi --query-gpu=… --format=csv` prints. Nothing is quoted, so a comma in a GPU's name looks like
/// one between columns: columns are counted from both ends, and what is left between is the name.
final class NvidiaSmiQueryParser {
    /// The columns that are asked for, in the order of ai-hwaccel.
    static final List<String> COLUMNS = List.of(
            "index",
            "memory.total",
            "memory.used",
            "memory.free",
            "compute_cap",
            "driver_version",
            "name",
            "temperature.gpu",
            "power.draw",
            "utilization.gpu",
            "clocks.max.memory");

    private static final String NAME = "name";
    private static final String INDEX = "index";
    private static final int LEAST_FIELDS = 6;
    private static final long MAX_INDEX = 1024;

    private NvidiaSmiQueryParser() {}

    /// Rows without a header, of the columns that are asked for.
    static NvidiaQuery parse(String text) {
        return parse(text, COLUMNS);
    }

    /// Rows without a header.
    ///
    /// @param columns what was asked for
    static NvidiaQuery parse(String text, List<String> columns) {
        return rows(List.of(text.split("\n")), columns);
    }

    /// Rows below a header that names their columns, such as `memory.total [MiB]`.
    static NvidiaQuery parseWithHeader(String text) {
        String stripped = text.strip();
        int end = stripped.indexOf('\n');
        List<String> columns = new ArrayList<>();
        for (String title : CsvReader.fieldsOf(end < 0 ? stripped : stripped.substring(0, end))) {
            int unit = title.indexOf(" [");
            columns.add(unit < 0 ? title : title.substring(0, unit));
        }
        return end < 0
                ? new NvidiaQuery(List.of(), List.of())
                : rows(List.of(stripped.substring(end + 1).split("\n")), columns);
    }

    private static NvidiaQuery rows(List<String> lines, List<String> columns) {
        List<NvidiaQueryRow> rows = new ArrayList<>();
        List<String> faults = new ArrayList<>();
        for (String line : lines) {
            if (line.isBlank() || rows.size() >= MAX_INDEX || faults.size() >= MAX_INDEX) {
                continue;
            }
            List<String> cells = CsvReader.fieldsOf(line);
            if (cells.size() < Math.min(LEAST_FIELDS, columns.size())) {
                faults.add("expected 6+ CSV fields, got " + cells.size() + ": " + NvidiaFormatException.quote(line));
                continue;
            }
            addRow(rows, faults, name(cells, columns));
        }
        return new NvidiaQuery(rows, faults);
    }

    private static void addRow(List<NvidiaQueryRow> rows, List<String> faults, Map<String, String> values) {
        String text = values.getOrDefault(INDEX, "");
        OptionalLong index = NvidiaValue.wholeNumber(text.startsWith("+") ? text.substring(1) : text);
        if (index.isEmpty()) {
            faults.add("invalid device id '" + NvidiaFormatException.quote(text) + "'");
        } else if (index.getAsLong() > MAX_INDEX) {
            faults.add("device id " + index.getAsLong() + " exceeds maximum (" + MAX_INDEX + ")");
        } else {
            rows.add(new NvidiaQueryRow(index.getAsLong(), values));
        }
    }

    /// Cells under the names of their columns. Older tools answer fewer columns: those at the end are missing then.
    private static Map<String, String> name(List<String> cells, List<String> columns) {
        Map<String, String> values = new LinkedHashMap<>();
        int extra = Math.max(0, cells.size() - columns.size());
        int place = 0;
        for (String column : columns) {
            if (place >= cells.size()) {
                break;
            }
            // A header may name the column twice; only the first can have taken the rest.
            int end = Math.min(cells.size(), place + (column.equals(NAME) ? extra + 1 : 1));
            values.put(column, String.join(", ", cells.subList(place, end)));
            place = end;
        }
        return values;
    }
}
