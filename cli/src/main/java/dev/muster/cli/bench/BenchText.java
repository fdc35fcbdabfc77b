package dev.muster.cli.bench;

import dev.muster.cli.render.Terminal;
import dev.muster.cli.render.TextTable;
import dev.muster.core.FixedText;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.mesh.bench.BenchFigures;
import java.util.List;

/// Figures of collectives for people and machines.
///
/// @param report what was measured
public record BenchText(BenchReport report) {
    private static final double MICRO = 1e-6;
    private static final double GIGA = 1e9;
    private static final double HUNDRED = 100;
    private static final double TEN = 10;
    private static final long KIB = 1L << 10;
    private static final long MIB = 1L << 20;

    /// For people.
    public String text(Terminal terminal) {
        TextTable table = new TextTable(
                terminal,
                List.of(
                        new TextTable.Column("BACKEND", false, 0, false),
                        new TextTable.Column("OPERATION", false, 0, false),
                        new TextTable.Column("SIZE", true, 0, false),
                        new TextTable.Column("CALLS", true, 6, false),
                        new TextTable.Column("MIN", true, 4, false),
                        new TextTable.Column("MEAN", true, 3, false),
                        new TextTable.Column("MAX", true, 4, false),
                        new TextTable.Column("P50", true, 0, false),
                        new TextTable.Column("P99", true, 2, false),
                        new TextTable.Column("ALGBW GB/s", true, 5, false),
                        new TextTable.Column("BUSBW GB/s", true, 1, false),
                        new TextTable.Column("ALLOCATED", true, 1, false),
                        new TextTable.Column("WRONG", true, 0, false)));
        report.rows().forEach(row -> table.add(cells(row)));
        StringBuilder out = new StringBuilder(table.render(true)).append('\n');
        terminal.wrap(
                out,
                "",
                0,
                report.ranks() + " ranks on " + report.processors() + " processors, "
                        + report.type().text()
                        + ". Microseconds a call: MIN, MEAN and MAX over the means of ranks, P50 the mean of their"
                        + " medians, P99 that of the slowest. Before each call there is a barrier, which is not timed."
                        + " Bandwidth is by P50. ALLOCATED is bytes of objects for a call and its barrier.");
        return out.toString();
    }

    private List<TextTable.Cell> cells(BenchReport.Row row) {
        BenchFigures figures = row.figures();
        return List.of(
                cell(row.backend()),
                cell(figures.operation().text()),
                cell(size(figures.bytes())),
                cell(Integer.toString(figures.calls())),
                cell(micros(figures.min())),
                cell(micros(figures.mean())),
                cell(micros(figures.max())),
                cell(micros(figures.p50())),
                cell(micros(figures.p99())),
                cell(FixedText.of(figures.algorithmBandwidth() / GIGA, 3)),
                cell(FixedText.of(figures.busBandwidth(report.ranks()) / GIGA, 3)),
                cell(FixedText.of(figures.allocated(), 1)),
                cell(Long.toString(figures.wrong())));
    }

    /// Three digits at least.
    private static String micros(double value) {
        return FixedText.of(value, value < TEN ? 2 : value < HUNDRED ? 1 : 0);
    }

    /// A size in the largest unit that divides it.
    public static String size(long bytes) {
        if (bytes >= MIB && bytes % MIB == 0) {
            return bytes / MIB + " MiB";
        }
        return bytes >= KIB && bytes % KIB == 0 ? bytes / KIB + " KiB" : bytes + " B";
    }

    private static TextTable.Cell cell(String text) {
        return new TextTable.Cell(text, false);
    }

    /// For machines.
    public JsonValue json() {
        List<JsonValue> results = report.rows().stream().map(this::json).toList();
        return JsonObject.builder()
                .put("schema", 1)
                .put("kind", "mesh-bench")
                .put("ranks", report.ranks())
                .put("processors", report.processors())
                .put("type", report.type().text())
                .put("results", results)
                .build();
    }

    private JsonValue json(BenchReport.Row row) {
        BenchFigures figures = row.figures();
        return JsonObject.builder()
                .put("backend", row.backend())
                .put("operation", figures.operation().text())
                .put("sizeBytes", figures.bytes())
                .put("iterations", figures.calls())
                .put("minSeconds", seconds(figures.min()))
                .put("meanSeconds", seconds(figures.mean()))
                .put("maxSeconds", seconds(figures.max()))
                .put("p50Seconds", seconds(figures.p50()))
                .put("p99Seconds", seconds(figures.p99()))
                .put("algorithmBytesPerSecond", JsonNumber.of(figures.algorithmBandwidth()))
                .put("busBytesPerSecond", JsonNumber.of(figures.busBandwidth(report.ranks())))
                .put("allocatedBytesPerCall", JsonNumber.of(figures.allocated()))
                .put("wrongElements", figures.wrong())
                .build();
    }

    private static JsonValue seconds(double micros) {
        return JsonNumber.of(micros * MICRO);
    }
}
