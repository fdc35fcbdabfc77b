// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.picture;

import dev.muster.plan.cost.Roofline;
import dev.muster.report.picture.RooflineChart.Mark;
import dev.muster.report.text.Font;
import dev.muster.report.text.Quantity;
import dev.muster.report.text.SvgCanvas;
import java.util.ArrayList;
import java.util.List;

/// Rates over arithmetic intensity, both in decades: the roofs of a device, and work below them. Immutable.
final class RooflinePicture {
    private static final String RATE = "FLOP/s";
    private static final double LEFT = 82;
    private static final double PLOT_WIDTH = 530;
    private static final double PLOT_HEIGHT = 300;
    private static final double HEAD = 20;
    private static final double FOOT = 42;
    private static final double TEXT_LEFT = LEFT + PLOT_WIDTH + 28;
    private static final double LINE = 14;
    private static final double MARK = 6;
    private static final double THIN = 1.2;
    private static final double THICK = 2.4;
    /// Space to the right of all work for the names of the roofs.
    private static final double NAME_ROOM = 3;

    private final RooflineChart chart;
    private final Roofline roofline;
    private final double textRoom;
    private final LogPlot.Axis across;
    private final LogPlot.Axis up;

    /// @param most width of the page
    RooflinePicture(RooflineChart chart, double most) {
        this.chart = chart;
        this.roofline = chart.roofline();
        this.textRoom = most - TEXT_LEFT;
        double fastest = roofline.roofs().getLast().peak();
        List<Double> intensities = new ArrayList<>(List.of(roofline.ridge(), fastest / roofline.bandwidth()));
        List<Double> rates = new ArrayList<>(List.of(fastest));
        for (Mark mark : chart.marks()) {
            intensities.add(mark.point().intensity());
            intensities.add(NAME_ROOM * mark.point().intensity());
            rates.add(mark.point().rate());
            rates.add(roofline.bound(mark.point().intensity()));
        }
        this.across = LogPlot.Axis.around(intensities, PLOT_WIDTH);
        this.up = LogPlot.Axis.around(rates, PLOT_HEIGHT);
    }

    static double height() {
        return HEAD + PLOT_HEIGHT + FOOT;
    }

    void draw(SvgCanvas canvas, double left, double top) {
        LogPlot plot = new LogPlot(left + LEFT, top + HEAD, across, up);
        canvas.text("small", left, top + HEAD - 8, "rate of one device");
        plot.draw(
                canvas,
                Magnitude::of,
                rate -> Magnitude.of(rate, RATE),
                "arithmetic intensity: FLOP for each byte of device memory that is read or written");
        drawSides(canvas, plot);
        roofline.roofs().forEach(roof -> drawRoof(canvas, plot, roof));
        drawRoofNames(canvas, plot);
        for (int i = 0; i < chart.marks().size(); i++) {
            drawMark(canvas, plot, i);
        }
        drawWords(canvas, left + TEXT_LEFT, top + HEAD);
    }

    /// Draws the limits left and right of the ridge, if there is space.
    private void drawSides(SvgCanvas canvas, LogPlot plot) {
        double ridge = plot.x(roofline.ridge());
        canvas.line("ridge", 1, ridge, plot.top(), ridge, plot.bottom());
        side(canvas, bound(true), plot.left(), ridge, plot.bottom() - 8);
        side(canvas, bound(false), ridge, plot.right(), plot.bottom() - 8);
    }

    private static String bound(boolean memory) {
        return memory ? "memory bound" : "compute bound";
    }

    private static void side(SvgCanvas canvas, String text, double from, double to, double baseline) {
        if (Font.SMALL.width(text) + 2 * MARK < to - from) {
            canvas.centred("small", (from + to) / 2, baseline, text);
        }
    }

    private void drawRoof(SvgCanvas canvas, LogPlot plot, Roofline.Roof roof) {
        boolean isUsed = roof.equals(roofline.used());
        double bandwidth = roofline.bandwidth();
        double start = Math.max(Math.pow(10, across.from()), Math.pow(10, up.from()) / bandwidth);
        double peak = plot.y(roof.peak());
        canvas.startGroup(roof.numbers() + ": " + Magnitude.of(roof.peak(), RATE));
        canvas.path(
                isUsed ? "roof-used" : "roof",
                isUsed ? THICK : THIN,
                "M##L##H#",
                plot.x(start),
                plot.y(start * bandwidth),
                plot.x(roof.peak() / bandwidth),
                peak,
                plot.right());
        canvas.endGroup();
    }

    /// Draws the names above their lines; the lower of two that are close below its own.
    private void drawRoofNames(SvgCanvas canvas, LogPlot plot) {
        List<Roofline.Roof> roofs = roofline.roofs();
        for (int i = 0; i < roofs.size(); i++) {
            double at = plot.y(roofs.get(i).peak());
            boolean isCrowded =
                    i + 1 < roofs.size() && at - plot.y(roofs.get(i + 1).peak()) < LINE + 2;
            canvas.ending(
                    "small",
                    plot.right() - 6,
                    isCrowded ? at + LINE - 2 : at - 5,
                    roofs.get(i).numbers() + " " + Magnitude.of(roofs.get(i).peak(), RATE));
        }
    }

    private void drawMark(SvgCanvas canvas, LogPlot plot, int index) {
        Mark mark = chart.marks().get(index);
        double x = plot.x(mark.point().intensity());
        double y = plot.y(mark.point().rate());
        canvas.line("drop", 1, x, y, x, plot.y(roofline.bound(mark.point().intensity())));
        canvas.startGroup(mark.name() + ": " + String.join(", ", words(mark)));
        shape(canvas, index, x, y);
        canvas.endGroup();
    }

    /// Draws a circle or a diamond: shapes distinguish what colours may not.
    private static void shape(SvgCanvas canvas, int index, double x, double y) {
        double side = MARK + 1;
        if (index == 0) {
            canvas.box("mark-0", x - MARK, y - MARK, 2 * MARK, 2 * MARK, MARK);
        } else {
            canvas.path("mark-" + index, 1, "M##l######z", x, y - side, side, side, -side, side, -side, -side);
        }
    }

    private void drawWords(SvgCanvas canvas, double left, double top) {
        double baseline = top + LINE;
        for (int i = 0; i < chart.marks().size(); i++) {
            Mark mark = chart.marks().get(i);
            shape(canvas, i, left + MARK + 1, baseline - 4);
            canvas.text("name", left + 3 * MARK + 2, baseline, mark.name());
            baseline = drawLines(canvas, words(mark), left, baseline) + LINE;
        }
        canvas.text("name", left, baseline + LINE, Font.NAME.cut(chart.device(), textRoom));
        drawLines(
                canvas,
                List.of(
                        "memory " + Magnitude.of(roofline.bandwidth(), "B/s"),
                        "matrix multiplication " + Magnitude.of(roofline.used().peak(), RATE) + ", "
                                + roofline.used().numbers(),
                        bound(false) + " from " + Magnitude.of(roofline.ridge()) + " FLOP/byte on"),
                left,
                baseline + LINE);
    }

    private double drawLines(SvgCanvas canvas, List<String> texts, double left, double from) {
        double baseline = from;
        for (String text : texts) {
            for (String part : Font.LINE.wrap(text, textRoom)) {
                baseline += LINE;
                canvas.text("line", left, baseline, part);
            }
        }
        return baseline + LINE;
    }

    private List<String> words(Mark mark) {
        Roofline.RooflinePoint point = mark.point();
        List<String> words = new ArrayList<>(List.of(
                Magnitude.of(point.intensity()) + " FLOP/byte, " + Magnitude.of(point.rate(), RATE),
                bound(roofline.isMemoryBound(point)) + ", at " + Quantity.percent(roofline.share(point), 0)
                        + " of the roof"));
        if (!mark.remark().isBlank()) {
            words.add(mark.remark());
        }
        return words;
    }
}
