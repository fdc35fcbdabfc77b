package dev.muster.cli.picture;

import dev.muster.cli.bench.BenchReport;
import dev.muster.cli.render.SvgCanvas;
import dev.muster.mesh.bench.BenchFigures;
import dev.muster.mesh.collective.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// Times and bandwidths of collectives over sizes: for each operation two plots beside each other, with a line for each
/// backend.
public final class BenchPicture {
    private static final String LIGHT = """
            .plot { fill: #ffffff; stroke: #97a1b2; }
            .grid { stroke: #e1e5ec; fill: none; }
            .series-0 { stroke: #0072b2; fill: none; }
            .series-1 { stroke: #d55e00; fill: none; stroke-dasharray: 7 3; }
            .series-2 { stroke: #009e73; fill: none; stroke-dasharray: 2 3; }
            .series-3 { stroke: #cc79a7; fill: none; }
            .series-4 { stroke: #e69f00; fill: none; stroke-dasharray: 7 3; }
            .series-5 { stroke: #8c8c8c; fill: none; stroke-dasharray: 2 3; }
            .dot-0 { fill: #0072b2; }
            .dot-1 { fill: #d55e00; }
            .dot-2 { fill: #009e73; }
            .dot-3 { fill: #cc79a7; }
            .dot-4 { fill: #e69f00; }
            .dot-5 { fill: #8c8c8c; }
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
    private static final int COLOURS = 6;
    private static final List<String> PREFIXES = List.of("p", "n", "µ", "m", "", "k", "M", "G", "T", "P");

    private final BenchReport report;
    private final List<String> backends;
    private final SvgCanvas canvas;

    private BenchPicture(BenchReport report, List<Operation> operations) {
        this.report = report;
        this.backends =
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
        for (int i = 0; i < backends.size(); i++) {
            double x = MARGIN + i * LEGEND;
            double y = MARGIN + 2 * PlanStyle.TITLE_SIZE + 4;
            canvas.path("series-" + i % COLOURS, THICK, "M" + point(x, y) + "L" + point(x + 28, y));
            dot(i, x + 14, y);
            canvas.text("line", x + 34, y + 4, backends.get(i));
        }
    }

    private void drawOperation(Operation operation, double top) {
        canvas.text("name", MARGIN, top - 10, operation.text());
        double left = MARGIN + AXIS;
        plot(operation, "time of the median call", "s", left, top, figures -> figures.p50() * MICRO);
        plot(
                operation,
                "bandwidth over each rank's link",
                "B/s",
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
            Operation operation,
            String meaning,
            String unit,
            double left,
            double top,
            ToDoubleFunction<BenchFigures> value) {
        List<BenchFigures> all = figures(operation);
        LogAxis x = LogAxis.around(
                all.stream().map(figures -> (double) figures.bytes()).toList(), PLOT_WIDTH);
        LogAxis y = LogAxis.around(all.stream().map(value::applyAsDouble).toList(), PLOT_HEIGHT);
        canvas.box("plot", left, top, PLOT_WIDTH, PLOT_HEIGHT, 0);
        canvas.ending("small", left + PLOT_WIDTH, top - 8, meaning);
        for (int decade = x.from(); decade <= x.to(); decade++) {
            double at = left + x.place(Math.pow(10, decade));
            canvas.path("grid", 1, "M" + point(at, top) + "L" + point(at, top + PLOT_HEIGHT));
            canvas.centred("small", at, top + PLOT_HEIGHT + 14, label(decade, "B"));
        }
        for (int decade = y.from(); decade <= y.to(); decade++) {
            double at = top + PLOT_HEIGHT - y.place(Math.pow(10, decade));
            canvas.path("grid", 1, "M" + point(left, at) + "L" + point(left + PLOT_WIDTH, at));
            canvas.ending("small", left - 6, at + 4, label(decade, unit));
        }
        canvas.centred("small", left + PLOT_WIDTH / 2, top + PLOT_HEIGHT + 30, "size of the buffer");
        for (int i = 0; i < backends.size(); i++) {
            drawSeries(
                    i,
                    operation,
                    value,
                    figures -> left + x.place((double) figures.bytes()),
                    figures -> top + PLOT_HEIGHT - y.place(value.applyAsDouble(figures)));
        }
    }

    /// A power of ten in a unit: `100 µs`, `1 GB/s`.
    private static String label(int decade, String unit) {
        int step = Math.floorDiv(decade, 3);
        String prefix = step >= -PREFIXES.indexOf("") && step < PREFIXES.size() - PREFIXES.indexOf("")
                ? PREFIXES.get(step + PREFIXES.indexOf(""))
                : "e" + 3 * step + " ";
        return List.of("1", "10", "100").get(Math.floorMod(decade, 3)) + " " + prefix + unit;
    }

    private void drawSeries(
            int index,
            Operation operation,
            ToDoubleFunction<BenchFigures> value,
            ToDoubleFunction<BenchFigures> x,
            ToDoubleFunction<BenchFigures> y) {
        List<String> points = new ArrayList<>();
        List<BenchFigures> own = report.rows().stream()
                .filter(row -> row.backend().equals(backends.get(index)))
                .map(BenchReport.Row::figures)
                .filter(figures -> figures.operation().equals(operation))
                .toList();
        own.forEach(figures -> points.add(point(x.applyAsDouble(figures), y.applyAsDouble(figures))));
        if (points.size() > 1) {
            canvas.path("series-" + index % COLOURS, THICK, "M" + String.join("L", points));
        }
        for (BenchFigures figures : own) {
            double shown = value.applyAsDouble(figures);
            String amount = shown < 1 ? Magnitude.of(shown / MICRO) + " µs" : Magnitude.of(shown) + "B/s";
            canvas.startGroup(backends.get(index) + ", " + figures.bytes() + " bytes: " + amount);
            dot(index, x.applyAsDouble(figures), y.applyAsDouble(figures));
            canvas.endGroup();
        }
    }

    private void dot(int index, double x, double y) {
        canvas.box("dot-" + index % COLOURS, x - DOT, y - DOT, 2 * DOT, 2 * DOT, DOT);
    }

    private static String point(double x, double y) {
        return SvgCanvas.number(x) + " " + SvgCanvas.number(y);
    }
}
