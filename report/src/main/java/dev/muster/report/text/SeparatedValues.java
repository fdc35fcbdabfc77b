// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.text;

import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/// Lines of values for machine-readable output, each ended by a plain line feed.
public final class SeparatedValues {
    private SeparatedValues() {}

    /// Returns the cells with commas between, as in RFC 4180.
    public static String csv(List<String> cells) {
        return line(cells, ",", SeparatedValues::quote);
    }

    /// Returns the cells with tabs between: a tab, line end or backslash inside a cell is written as `\t`, `\n`, `\r`
    /// or `\\`, so that every line is a row and every tab a column.
    static String tsv(List<String> cells) {
        return line(cells, "\t", SeparatedValues::escape);
    }

    private static String line(List<String> cells, String separator, UnaryOperator<String> write) {
        return cells.stream().map(write).collect(Collectors.joining(separator)) + "\n";
    }

    private static String quote(String cell) {
        boolean plain = cell.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return plain ? cell : '"' + cell.replace("\"", "\"\"") + '"';
    }

    private static String escape(String cell) {
        String escaped = cell.replace("\\", "\\\\")
                .replace("\t", "\\t")
                .replace("\n", "\\n")
                .replace("\r", "\\r");
        return Printable.withoutControls(escaped);
    }
}
