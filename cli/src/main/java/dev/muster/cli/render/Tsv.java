package dev.muster.cli.render;

import java.util.List;
import java.util.stream.Collectors;

/// Lines of tab-separated values: a tab, line end or backslash inside a cell is written as `\t`, `\n`, `\r` or `\\`,
/// so that every line is a row and every tab a column.
final class Tsv {
    private Tsv() {}

    static String line(List<String> cells) {
        return cells.stream().map(Tsv::escape).collect(Collectors.joining("\t")) + "\n";
    }

    private static String escape(String cell) {
        String escaped = cell.replace("\\", "\\\\")
                .replace("\t", "\\t")
                .replace("\n", "\\n")
                .replace("\r", "\\r");
        return Printable.withoutControls(escaped);
    }
}
