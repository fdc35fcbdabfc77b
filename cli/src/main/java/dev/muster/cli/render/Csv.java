package dev.muster.cli.render;

import java.util.List;
import java.util.stream.Collectors;

/// Lines of comma-separated values as RFC 4180 has them, with a plain line feed at their end.
final class Csv {
    private Csv() {}

    static String line(List<String> cells) {
        return cells.stream().map(Csv::quote).collect(Collectors.joining(",")) + "\n";
    }

    private static String quote(String cell) {
        boolean plain = cell.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return plain ? cell : '"' + cell.replace("\"", "\"\"") + '"';
    }
}
