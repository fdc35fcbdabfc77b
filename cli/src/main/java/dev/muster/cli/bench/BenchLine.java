package dev.muster.cli.bench;

import dev.muster.mesh.bench.BenchFigures;
import dev.muster.mesh.collective.Operation;
import java.util.Arrays;
import java.util.Optional;

/// Figures as a line that a rank process writes for the process that started it.
final class BenchLine {
    private static final String MARK = "figures";
    private static final int WORDS = 11;

    private BenchLine() {}

    static String of(BenchFigures figures) {
        return String.join(
                "\t",
                MARK,
                figures.operation().text(),
                Long.toString(figures.bytes()),
                Integer.toString(figures.calls()),
                Double.toString(figures.min()),
                Double.toString(figures.mean()),
                Double.toString(figures.max()),
                Double.toString(figures.p50()),
                Double.toString(figures.p99()),
                Long.toString(figures.wrong()),
                Double.toString(figures.allocated()));
    }

    /// What a line says; nothing if it is some other output.
    static Optional<BenchFigures> parse(String line) {
        String[] words = line.split("\t", -1);
        if (words.length != WORDS || !words[0].equals(MARK)) {
            return Optional.empty();
        }
        return operation(words[1])
                .map(operation -> new BenchFigures(
                        operation,
                        Long.parseLong(words[2]),
                        Integer.parseInt(words[3]),
                        Double.parseDouble(words[4]),
                        Double.parseDouble(words[5]),
                        Double.parseDouble(words[6]),
                        Double.parseDouble(words[7]),
                        Double.parseDouble(words[8]),
                        Long.parseLong(words[9]),
                        Double.parseDouble(words[10])));
    }

    static Optional<Operation> operation(String text) {
        return Arrays.stream(Operation.values())
                .filter(operation -> operation.text().equals(text))
                .findFirst();
    }
}
