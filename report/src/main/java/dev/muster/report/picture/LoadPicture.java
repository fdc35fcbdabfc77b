// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.picture;

import dev.muster.plan.serving.ServingLoad;
import dev.muster.plan.serving.ServingSimulation;
import dev.muster.plan.serving.ServingSimulation.Figures;
import dev.muster.plan.serving.ServingSimulation.LoadPoint;
import dev.muster.plan.serving.SimulationRequest;
import dev.muster.report.plan.ServingText;
import dev.muster.report.text.Font;
import dev.muster.report.text.SvgCanvas;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;

/// Time to first token, time per output token and throughput of a deployment over the load, with the knee.
public final class LoadPicture {
    private static final String LIGHT = """
            .plot { fill: #ffffff; stroke: #97a1b2; }
            .grid { stroke: #e1e5ec; fill: none; }
            .knee { stroke: #b0553a; fill: none; stroke-dasharray: 4 3; }
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
    private static final double PLOT_WIDTH = 300;
    private static final double PLOT_HEIGHT = 240;
    private static final double HEAD = 110;
    private static final double FOOT = 46;
    private static final double DOT = 3;
    private static final double THICK = 2;
    private static final double LEGEND = 60;

    private final SvgCanvas canvas;
    private final List<LoadPoint> curve;
    private final Optional<LoadPoint> knee;
    private final String meaning;

    private LoadPicture(SimulationRequest request, ServingSimulation simulation, List<LoadPoint> curve) {
        this.curve =
                curve.stream().filter(point -> point.figures().answered() > 0).toList();
        this.knee = ServingSimulation.findKnee(this.curve);
        this.meaning = meaning(request.load());
        double width = 3 * (Page.MARGIN + AXIS + PLOT_WIDTH) + Page.MARGIN;
        String title = request.serving().model().name() + " under load";
        this.canvas = new SvgCanvas(width, HEAD + PLOT_HEIGHT + FOOT, title, LIGHT, DARK);
        canvas.text("title", Page.MARGIN, Page.MARGIN + Font.TITLE.size(), title);
        canvas.text(
                "line", Page.MARGIN, Page.MARGIN + 2 * Font.TITLE.size() + 4, ServingText.sentence(simulation.plan()));
        legend();
        if (!this.curve.isEmpty()) {
            drawTimes(0, "TTFT", Figures::timeToFirstToken);
            drawTimes(1, "TPOT", Figures::timePerOutputToken);
            plot(2, "output tokens per second", List.of(Figures::tokensPerSecond), Magnitude::of);
        }
    }

    public static String of(SimulationRequest request, ServingSimulation simulation, List<LoadPoint> curve) {
        return new LoadPicture(request, simulation, curve).canvas.finish();
    }

    private static String meaning(ServingLoad load) {
        return switch (load) {
            case ServingLoad.Users _ -> "users";
            case ServingLoad.Burst _ -> "concurrent requests";
            case ServingLoad.Rate _, ServingLoad.Replay _ -> "requests per second";
        };
    }

    private void legend() {
        List<String> names = List.of("p50", "p90", "p99");
        double y = Page.MARGIN + 4 * Font.TITLE.size();
        for (int i = 0; i < names.size(); i++) {
            double x = Page.MARGIN + i * LEGEND;
            canvas.line("series-" + i, THICK, x, y, x + 24, y);
            canvas.text("line", x + 28, y + 4, names.get(i));
        }
        knee.ifPresent(point -> canvas.text(
                "line",
                Page.MARGIN + names.size() * LEGEND,
                y + 4,
                "knee at " + Magnitude.of(point.load()) + " " + meaning));
    }

    private void drawTimes(
            int column, String name, java.util.function.Function<Figures, ServingSimulation.Spread> times) {
        plot(
                column,
                name,
                List.of(
                        figures -> times.apply(figures).p50(),
                        figures -> times.apply(figures).p90(),
                        figures -> times.apply(figures).p99()),
                Magnitude::seconds);
    }

    private void plot(int column, String name, List<ToDoubleFunction<Figures>> series, DoubleFunction<String> words) {
        double left = Page.MARGIN + AXIS + column * (Page.MARGIN + AXIS + PLOT_WIDTH);
        List<Double> values = new ArrayList<>();
        for (ToDoubleFunction<Figures> one : series) {
            curve.forEach(point -> values.add(positive(one.applyAsDouble(point.figures()))));
        }
        LogPlot plot = new LogPlot(
                left,
                HEAD,
                LogPlot.Axis.around(
                        curve.stream().map(point -> positive(point.load())).toList(), PLOT_WIDTH),
                LogPlot.Axis.around(values, PLOT_HEIGHT));
        plot.draw(canvas, Magnitude::of, words, meaning);
        canvas.ending("small", plot.right(), HEAD - 8, name);
        knee.ifPresent(point -> {
            double x = plot.x(positive(point.load()));
            canvas.line("knee", 1, x, HEAD, x, plot.bottom());
        });
        for (int i = 0; i < series.size(); i++) {
            draw(plot, i, series.get(i), words);
        }
    }

    private void draw(LogPlot plot, int index, ToDoubleFunction<Figures> value, DoubleFunction<String> words) {
        double[] way = new double[2 * curve.size()];
        for (int i = 0; i < curve.size(); i++) {
            way[2 * i] = plot.x(positive(curve.get(i).load()));
            way[2 * i + 1] = plot.y(positive(value.applyAsDouble(curve.get(i).figures())));
        }
        if (curve.size() > 1) {
            canvas.path("series-" + index, THICK, "M##" + "L##".repeat(curve.size() - 1), way);
        }
        for (int i = 0; i < curve.size(); i++) {
            LoadPoint point = curve.get(i);
            canvas.startGroup(Magnitude.of(point.load()) + " " + meaning + ": "
                    + words.apply(value.applyAsDouble(point.figures())));
            canvas.box("dot-" + index, way[2 * i] - DOT, way[2 * i + 1] - DOT, 2 * DOT, 2 * DOT, DOT);
            canvas.endGroup();
        }
    }

    /// Returns a value above 0, which axes cannot show.
    private static double positive(double value) {
        return Math.max(value, 1e-6);
    }
}
