// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.mesh;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.text.FixedText;
import dev.muster.mesh.bench.BenchFigures;
import dev.muster.report.terminal.Report;
import dev.muster.report.terminal.Terminal;
import dev.muster.report.text.Table;

/// Figures of collectives as text and JSON.
///
/// @param report measured figures
public record BenchText(BenchReport report) implements Report {
    private static final double MICRO = 1e-6;
    private static final double GIGA = 1e9;
    private static final double HUNDRED = 100;
    private static final double TEN = 10;
    private static final long KIB = 1L << 10;
    private static final long MIB = 1L << 20;

    @Override
    public String text(Terminal terminal) {
        String table = new Table<BenchReport.Row>(terminal)
                .left("BACKEND", BenchReport.Row::backend)
                .left("OPERATION", row -> row.figures().operation().text())
                .right("SIZE", row -> size(row.figures().bytes()))
                .right("CALLS", 6, row -> row.figures().calls())
                .right("MIN", 4, row -> micros(row.figures().min()))
                .right("MEAN", 3, row -> micros(row.figures().mean()))
                .right("MAX", 4, row -> micros(row.figures().max()))
                .right("P50", row -> micros(row.figures().p50()))
                .right("P99", 2, row -> micros(row.figures().p99()))
                .right("ALGBW GB/s", 5, row -> FixedText.of(row.figures().algorithmBandwidth() / GIGA, 3))
                .right("BUSBW GB/s", 1, row -> FixedText.of(row.figures().busBandwidth(report.ranks()) / GIGA, 3))
                .right("ALLOCATED", 1, row -> FixedText.of(row.figures().allocated(), 1))
                .right("WRONG", row -> row.figures().wrong())
                .render(report.rows());
        StringBuilder out = new StringBuilder(table).append('\n');
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

    /// Returns a number with at least three digits.
    private static String micros(double value) {
        return FixedText.of(value, value < TEN ? 2 : value < HUNDRED ? 1 : 0);
    }

    /// Returns a size in the largest unit that divides it.
    public static String size(long bytes) {
        if (bytes >= MIB && bytes % MIB == 0) {
            return bytes / MIB + " MiB";
        }
        return bytes >= KIB && bytes % KIB == 0 ? bytes / KIB + " KiB" : bytes + " B";
    }

    @Override
    public JsonValue json() {
        return JsonObject.document("mesh-bench")
                .put("ranks", report.ranks())
                .put("processors", report.processors())
                .put("type", report.type().text())
                .put("results", report.rows(), this::json)
                .build();
    }

    private JsonValue json(BenchReport.Row row) {
        BenchFigures figures = row.figures();
        return JsonObject.builder()
                .put("backend", row.backend())
                .put("operation", figures.operation().text())
                .put("sizeBytes", figures.bytes())
                .put("iterations", figures.calls())
                .put("minSeconds", MICRO * figures.min())
                .put("meanSeconds", MICRO * figures.mean())
                .put("maxSeconds", MICRO * figures.max())
                .put("p50Seconds", MICRO * figures.p50())
                .put("p99Seconds", MICRO * figures.p99())
                .put("algorithmBytesPerSecond", figures.algorithmBandwidth())
                .put("busBytesPerSecond", figures.busBandwidth(report.ranks()))
                .put("allocatedBytesPerCall", figures.allocated())
                .put("wrongElements", figures.wrong())
                .build();
    }
}
