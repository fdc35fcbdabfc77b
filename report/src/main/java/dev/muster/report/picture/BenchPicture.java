// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.picture;

import dev.muster.mesh.bench.BenchFigures;
import dev.muster.mesh.collective.Operation;
import dev.muster.report.mesh.BenchReport;
import dev.muster.report.text.Font;
import dev.muster.report.text.SvgCanvas;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/// Times and bandwidths of collectives over sizes: for each operation two plots beside each other, with a line for
/// each engine.
public final class BenchPicture {
    private static final String LIGHT = """
            .plot { fill: #ffffff; stroke: #97a1b2; }
            .grid { stroke: #e1e5ec; fill: none; }
            .series-0 { stroke: #0072b2; fill: none; }
            .series-1 { stroke: #d55e00; fill: none; stroke-dasharray: 7 3; }
            .series-2 { stroke: #009e73; fill: none; stroke-dasharray: 2 3; }
            .dot-0 { fill: #0072b2; }
            .dot-1 { fill: #d55e00; }
            .dot-2 { fill: #009e73; }
            """;
    private static final String DARK = """
            .plot { fill: #1b212b; stroke: #5d6879; }
            .grid { stroke: #2e3744; }
            .series-0 { stroke: #56b4e9; }
            .dot-0 { fill: #56b4e9; }
            """;

    private static final double AXIS = 66;
    private static final double PLOT_WIDTH = 400;
    private static final double PLOT_HEIGHT = 240;
    private static final double HEAD = 64;
    private static final double SECTION = 34;
    private static final double FOOT = 40;
    private static final double DOT = 3;
    private static final double THICK = 2;
    private static final double LEGEND = 80;
    private static final double MICRO = 1e-6;

    private final BenchReport report;
    private final List<String> engines;
    private final SvgCanvas canvas;

    private BenchPicture(BenchReport report, List<Operation> operations) {
        this.report = report;
        this.engines =
                report.rows().stream().map(BenchReport.Row::backend).distinct().toList();
        double width = 2 * (Page.MARGIN + AXIS + PLOT_WIDTH) + Page.MARGIN;
        double height = HEAD + operations.size() * (SECTION + PLOT_HEIGHT + FOOT) + Page.MARGIN;
        this.canvas = new SvgCanvas(width, height, title(), LIGHT, DARK);
        drawHead();
        double y = HEAD;
        for (Operation operation : operations) {
            drawOperation(operation, y + SECTION);
            y += SECTION + PLOT_HEIGHT + FOOT;
        }
    }

    /// Returns all measured figures that have a size.
    public static String of(BenchReport report) {
        List<Operation> operations = report.rows().stream()
                .map(row -> row.figures().operation())
                .filter(operation -> !operation.equals(Operation.BARRIER))
                .distinct()
                .toList();
        return new BenchPicture(report, operations).canvas.finish();
    }

    private String title() {
        return "Collectives of " + report.ranks() + " ranks on " + report.processors() + " processors, "
                + report.type().text();
    }

    private void drawHead() {
        canvas.text("title", Page.MARGIN, Page.MARGIN + Font.TITLE.size(), title());
        for (int i = 0; i < engines.size(); i++) {
            double x = Page.MARGIN + i * LEGEND;
            double y = Page.MARGIN + 2 * Font.TITLE.size() + 4;
            canvas.line("series-" + i, THICK, x, y, x + 28, y);
            dot(i, x + 14, y);
            canvas.text("line", x + 34, y + 4, engines.get(i));
        }
    }

    private void drawOperation(Operation operation, double top) {
        canvas.text("name", Page.MARGIN, top - 10, operation.text());
        double left = Page.MARGIN + AXIS;
        plot(operation, "median time of a call", left, top, figures -> figures.p50() * MICRO, Magnitude::seconds);
        plot(
                operation,
                "bus bandwidth of each rank",
                left + PLOT_WIDTH + Page.MARGIN + AXIS,
                top,
                figures -> figures.busBandwidth(report.ranks()),
                value -> Magnitude.of(value, "B/s"));
    }

    private List<BenchFigures> figures(Operation operation, Predicate<String> engine) {
        return report.rows().stream()
                .filter(row -> engine.test(row.backend()))
                .map(BenchReport.Row::figures)
                .filter(figures -> figures.operation().equals(operation))
                .toList();
    }

    private void plot(
            Operation operation,
            String meaning,
            double left,
            double top,
            ToDoubleFunction<BenchFigures> value,
            DoubleFunction<String> words) {
        List<BenchFigures> all = figures(operation, _ -> true);
        LogPlot plot = new LogPlot(
                left,
                top,
                LogPlot.Axis.around(
                        all.stream().map(figures -> (double) figures.bytes()).toList(), PLOT_WIDTH),
                LogPlot.Axis.around(all.stream().map(value::applyAsDouble).toList(), PLOT_HEIGHT));
        plot.draw(canvas, size -> Magnitude.of(size, "B"), words, "size of the message");
        canvas.ending("small", plot.right(), top - 8, meaning);
        for (int i = 0; i < engines.size(); i++) {
            String engine = engines.get(i);
            List<BenchFigures> own = figures(operation, engine::equals);
            if (own.size() > 1) {
                double[] way = own.stream()
                        .flatMapToDouble(figures ->
                                DoubleStream.of(plot.x((double) figures.bytes()), plot.y(value.applyAsDouble(figures))))
                        .toArray();
                canvas.path("series-" + i, THICK, "M##" + "L##".repeat(own.size() - 1), way);
            }
            for (BenchFigures figures : own) {
                double shown = value.applyAsDouble(figures);
                canvas.startGroup(engine + ", " + figures.bytes() + " bytes: " + words.apply(shown));
                dot(i, plot.x((double) figures.bytes()), plot.y(shown));
                canvas.endGroup();
            }
        }
    }

    private void dot(int index, double x, double y) {
        canvas.box("dot-" + index, x - DOT, y - DOT, 2 * DOT, 2 * DOT, DOT);
    }
}
