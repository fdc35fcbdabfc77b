package dev.muster.cli.picture;

import dev.muster.cli.bench.BenchReport;
import dev.muster.cli.render.SvgCanvas;
import dev.muster.mesh.bench.BenchFigures;
import dev.muster.mesh.collective.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// Times and bandwidths of collectives over sizes: for each operation two plots beside each other, with a line for each
/// engine.
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

    private static final double MARGIN = 24;
    private static final double AXIS = 56;
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
        double width = 2 * (MARGIN + AXIS + PLOT_WIDTH) + MARGIN;
        double height = HEAD + operations.size() * (SECTION + PLOT_HEIGHT + FOOT) + MARGIN;
        this.canvas = new SvgCanvas(width, height, title(), LIGHT, DARK);
        canvas.box("page", 0, 0, width, height, 0);
        drawHead();
        double y = HEAD;
        for (Operation operation : operations) {
            drawOperation(operation, y + SECTION);
            y += SECTION + PLOT_HEIGHT + FOOT;
        }
    }

    /// Everything that was measured and has a size.
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
        canvas.text("title", MARGIN, MARGIN + PlanStyle.TITLE_SIZE, title());
        for (int i = 0; i < engines.size(); i++) {
            double x = MARGIN + i * LEGEND;
            double y = MARGIN + 2 * PlanStyle.TITLE_SIZE + 4;
            canvas.path("series-" + i, THICK, "M" + point(x, y) + "L" + point(x + 28, y));
            dot(i, x + 14, y);
            canvas.text("line", x + 34, y + 4, engines.get(i));
        }
    }

    private void drawOperation(Operation operation, double top) {
        canvas.text("name", MARGIN, top - 10, operation.text());
        double left = MARGIN + AXIS;
        plot(operation, "seconds of the median call", left, top, figures -> figures.p50() * MICRO);
        plot(
                operation,
                "bytes per second over each rank's link",
                left + PLOT_WIDTH + MARGIN + AXIS,
                top,
                figures -> figures.busBandwidth(report.ranks()));
    }

    private List<BenchFigures> figures(Operation operation) {
        return report.rows().stream()
                .map(BenchReport.Row::figures)
                .filter(figures -> figures.operation().equals(operation))
                .toList();
    }

    private void plot(
            Operation operation, String meaning, double left, double top, ToDoubleFunction<BenchFigures> value) {
        List<BenchFigures> all = figures(operation);
        LogAxis x = LogAxis.around(
                all.stream().map(figures -> (double) figures.bytes()).toList(), PLOT_WIDTH);
        LogAxis y = LogAxis.around(all.stream().map(value::applyAsDouble).toList(), PLOT_HEIGHT);
        canvas.box("plot", left, top, PLOT_WIDTH, PLOT_HEIGHT, 0);
        canvas.ending("small", left + PLOT_WIDTH, top - 8, meaning);
        for (int decade = x.from(); decade <= x.to(); decade++) {
            double at = left + x.place(Math.pow(10, decade));
            canvas.path("grid", 1, "M" + point(at, top) + "L" + point(at, top + PLOT_HEIGHT));
            canvas.centred("small", at, top + PLOT_HEIGHT + 14, Magnitude.of(Math.pow(10, decade)));
        }
        for (int decade = y.from(); decade <= y.to(); decade++) {
            double at = top + PLOT_HEIGHT - y.place(Math.pow(10, decade));
            canvas.path("grid", 1, "M" + point(left, at) + "L" + point(left + PLOT_WIDTH, at));
            canvas.ending("small", left - 6, at + 4, label(decade));
        }
        canvas.centred("small", left + PLOT_WIDTH / 2, top + PLOT_HEIGHT + 30, "bytes");
        for (int i = 0; i < engines.size(); i++) {
            drawSeries(
                    i,
                    operation,
                    value,
                    figures -> left + x.place((double) figures.bytes()),
                    figures -> top + PLOT_HEIGHT - y.place(value.applyAsDouble(figures)));
        }
    }

    private static String label(int decade) {
        String[] small = {"1 µ", "10 µ", "100 µ", "1 m", "10 m", "100 m"};
        int index = decade + 6;
        return index >= 0 && index < small.length
                ? small[index]
                : decade < 0 ? Magnitude.of(Math.pow(10, decade + 9.0)) + " n" : Magnitude.of(Math.pow(10, decade));
    }

    private void drawSeries(
            int index,
            Operation operation,
            ToDoubleFunction<BenchFigures> value,
            ToDoubleFunction<BenchFigures> x,
            ToDoubleFunction<BenchFigures> y) {
        List<String> points = new ArrayList<>();
        List<BenchFigures> own = report.rows().stream()
                .filter(row -> row.backend().equals(engines.get(index)))
                .map(BenchReport.Row::figures)
                .filter(figures -> figures.operation().equals(operation))
                .toList();
        own.forEach(figures -> points.add(point(x.applyAsDouble(figures), y.applyAsDouble(figures))));
        if (points.size() > 1) {
            canvas.path("series-" + index, THICK, "M" + String.join("L", points));
        }
        for (BenchFigures figures : own) {
            double shown = value.applyAsDouble(figures);
            String amount = shown < 1 ? Magnitude.of(shown / MICRO) + " µs" : Magnitude.of(shown) + "B/s";
            canvas.startGroup(engines.get(index) + ", " + figures.bytes() + " bytes: " + amount);
            dot(index, x.applyAsDouble(figures), y.applyAsDouble(figures));
            canvas.endGroup();
        }
    }

    private void dot(int index, double x, double y) {
        canvas.box("dot-" + index, x - DOT, y - DOT, 2 * DOT, 2 * DOT, DOT);
    }

    private static String point(double x, double y) {
        return SvgCanvas.number(x) + " " + SvgCanvas.number(y);
    }
}
