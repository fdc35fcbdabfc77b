package dev.muster.cli.picture;

import dev.muster.cli.picture.RooflineChart.Mark;
import dev.muster.cli.render.SvgCanvas;
import dev.muster.cli.render.SvgText;
import dev.muster.core.FixedText;
import dev.muster.plan.time.Roofline;
import dev.muster.plan.time.RooflinePoint;
import java.util.ArrayList;
import java.util.List;

/// Operations per second over operations for each byte, both in decades: the roofs of a device, and
/// work below them. Immutable.
final class RooflinePicture {
    private static final double LEFT = 52;
    private static final double PLOT_WIDTH = 560;
    private static final double PLOT_HEIGHT = 300;
    private static final double HEAD = 20;
    private static final double FOOT = 42;
    private static final double TEXT_LEFT = LEFT + PLOT_WIDTH + 28;
    private static final double LINE = 14;
    private static final double MARK = 6;
    private static final double THIN = 1.2;
    private static final double THICK = 2.4;
    private static final double PERCENT = 100;
    /// Right of all work there is room for the names of the roofs.
    private static final double NAME_ROOM = 3;

    private final RooflineChart chart;
    private final double textRoom;
    private final LogAxis x;
    private final LogAxis y;

    /// @param most the width of the page
    RooflinePicture(RooflineChart chart, double most) {
        this.chart = chart;
        this.textRoom = most - TEXT_LEFT;
        Roofline roofline = chart.roofline();
        double fastest = roofline.roofs().getLast().peak();
        List<Double> intensities = new ArrayList<>(List.of(roofline.ridge(), fastest / roofline.bandwidth()));
        List<Double> rates = new ArrayList<>(List.of(fastest));
        for (Mark mark : chart.marks()) {
            intensities.add(mark.point().intensity());
            intensities.add(NAME_ROOM * mark.point().intensity());
            rates.add(mark.point().rate());
            rates.add(roofline.bound(mark.point().intensity()));
        }
        this.x = LogAxis.around(intensities, PLOT_WIDTH);
        this.y = LogAxis.around(rates, PLOT_HEIGHT);
    }

    static double height() {
        return HEAD + PLOT_HEIGHT + FOOT;
    }

    void draw(SvgCanvas canvas, double left, double top) {
        Frame frame = new Frame(left + LEFT, top + HEAD);
        canvas.text("small", left, top + HEAD - 8, "operations per second of one device");
        canvas.box("plot", frame.left, frame.top, PLOT_WIDTH, PLOT_HEIGHT, 0);
        drawGrid(canvas, frame);
        drawSides(canvas, frame);
        drawRoofs(canvas, frame);
        for (int i = 0; i < chart.marks().size(); i++) {
            drawMark(canvas, frame, i);
        }
        drawWords(canvas, left + TEXT_LEFT, top + HEAD);
    }

    /// Where the plot stands.
    private record Frame(double left, double top) {}

    private double px(Frame frame, double intensity) {
        return frame.left + x.place(intensity);
    }

    private double py(Frame frame, double rate) {
        return frame.top + PLOT_HEIGHT - y.place(rate);
    }

    private void drawGrid(SvgCanvas canvas, Frame frame) {
        for (int decade = x.from(); decade <= x.to(); decade++) {
            double at = px(frame, Math.pow(10, decade));
            line(canvas, "grid", 1, at, frame.top, at, frame.top + PLOT_HEIGHT);
            canvas.centred("small", at, frame.top + PLOT_HEIGHT + 14, Magnitude.of(Math.pow(10, decade)));
        }
        for (int decade = y.from(); decade <= y.to(); decade++) {
            double at = py(frame, Math.pow(10, decade));
            line(canvas, "grid", 1, frame.left, at, frame.left + PLOT_WIDTH, at);
            canvas.ending("small", frame.left - 6, at + 4, Magnitude.of(Math.pow(10, decade)));
        }
        canvas.centred(
                "small",
                frame.left + PLOT_WIDTH / 2,
                frame.top + PLOT_HEIGHT + 32,
                "operations for each byte of the device's memory that is read or written");
    }

    /// Which of both limits, left and right of the ridge, where there is room to say so.
    private void drawSides(SvgCanvas canvas, Frame frame) {
        double ridge = px(frame, chart.roofline().ridge());
        line(canvas, "ridge", 1, ridge, frame.top, ridge, frame.top + PLOT_HEIGHT);
        double baseline = frame.top + PLOT_HEIGHT - 8;
        side(canvas, "memory limits", frame.left, ridge, baseline);
        side(canvas, "arithmetic limits", ridge, frame.left + PLOT_WIDTH, baseline);
    }

    private static void side(SvgCanvas canvas, String text, double from, double to, double baseline) {
        if (SvgText.width(text, PlanStyle.SMALL_SIZE) + 2 * MARK < to - from) {
            canvas.centred("small", (from + to) / 2, baseline, text);
        }
    }

    private void drawRoofs(SvgCanvas canvas, Frame frame) {
        Roofline roofline = chart.roofline();
        double right = frame.left + PLOT_WIDTH;
        for (Roofline.Roof roof : roofline.roofs()) {
            boolean isUsed = roof.equals(roofline.used());
            double ridge = roof.peak() / roofline.bandwidth();
            double start = Math.max(Math.pow(10, x.from()), Math.pow(10, y.from()) / roofline.bandwidth());
            String style = isUsed ? "roof-used" : "roof";
            canvas.startGroup(roof.numbers() + ": " + Magnitude.of(roof.peak()) + " operations/s");
            canvas.path(
                    style,
                    isUsed ? THICK : THIN,
                    "M" + SvgCanvas.number(px(frame, start)) + " "
                            + SvgCanvas.number(py(frame, start * roofline.bandwidth())) + "L"
                            + SvgCanvas.number(px(frame, ridge)) + " " + SvgCanvas.number(py(frame, roof.peak()))
                            + "L" + SvgCanvas.number(right) + " " + SvgCanvas.number(py(frame, roof.peak())));
            canvas.endGroup();
        }
        drawRoofNames(canvas, frame, right - 6);
    }

    /// Above their lines; the lower of two that are near each other below its own.
    private void drawRoofNames(SvgCanvas canvas, Frame frame, double right) {
        List<Roofline.Roof> roofs = chart.roofline().roofs();
        for (int i = 0; i < roofs.size(); i++) {
            double at = py(frame, roofs.get(i).peak());
            boolean isCrowded =
                    i + 1 < roofs.size() && at - py(frame, roofs.get(i + 1).peak()) < LINE + 2;
            canvas.ending(
                    "small",
                    right,
                    isCrowded ? at + LINE - 2 : at - 5,
                    roofs.get(i).numbers() + " " + Magnitude.of(roofs.get(i).peak()));
        }
    }

    private void drawMark(SvgCanvas canvas, Frame frame, int index) {
        Mark mark = chart.marks().get(index);
        double at = px(frame, mark.point().intensity());
        double height = py(frame, mark.point().rate());
        line(
                canvas,
                "drop",
                1,
                at,
                height,
                at,
                py(frame, chart.roofline().bound(mark.point().intensity())));
        canvas.startGroup(mark.name() + ": " + String.join(", ", words(mark)));
        shape(canvas, index, at, height);
        canvas.endGroup();
    }

    /// A circle and a diamond: shapes tell apart what colours may not.
    private static void shape(SvgCanvas canvas, int index, double x, double y) {
        if (index == 0) {
            canvas.box("mark-0", x - MARK, y - MARK, 2 * MARK, 2 * MARK, MARK);
        } else {
            String side = SvgCanvas.number(MARK + 1);
            canvas.path(
                    "mark-" + index,
                    1,
                    "M" + SvgCanvas.number(x) + " " + SvgCanvas.number(y - MARK - 1) + "l" + side + " " + side + "l-"
                            + side + " " + side + "l-" + side + " -" + side + "z");
        }
    }

    private void drawWords(SvgCanvas canvas, double left, double top) {
        Roofline roofline = chart.roofline();
        double baseline = top + LINE;
        for (int i = 0; i < chart.marks().size(); i++) {
            Mark mark = chart.marks().get(i);
            shape(canvas, i, left + MARK + 1, baseline - 4);
            canvas.text("name", left + 3 * MARK + 2, baseline, mark.name());
            baseline = drawLines(canvas, words(mark), left, baseline) + LINE;
        }
        canvas.text("name", left, baseline + LINE, SvgText.cutBold(chart.device(), textRoom, PlanStyle.NAME_SIZE));
        drawLines(
                canvas,
                List.of(
                        "memory " + Magnitude.of(roofline.bandwidth()) + " bytes/s",
                        "products " + Magnitude.of(roofline.used().peak()) + " operations/s, "
                                + roofline.used().numbers(),
                        "from " + Magnitude.of(roofline.ridge()) + " operations/byte on arithmetic limits"),
                left,
                baseline + LINE);
    }

    private double drawLines(SvgCanvas canvas, List<String> texts, double left, double from) {
        double baseline = from;
        for (String text : texts) {
            for (String part : SvgText.wrap(text, textRoom, PlanStyle.LINE_SIZE)) {
                baseline += LINE;
                canvas.text("line", left, baseline, part);
            }
        }
        return baseline + LINE;
    }

    private List<String> words(Mark mark) {
        Roofline roofline = chart.roofline();
        RooflinePoint point = mark.point();
        List<String> words = new ArrayList<>(List.of(
                Magnitude.of(point.intensity()) + " operations/byte, " + Magnitude.of(point.rate()) + " operations/s",
                (roofline.isMemoryBound(point) ? "memory" : "arithmetic") + " limits; "
                        + FixedText.of(PERCENT * roofline.share(point), 0) + " % of that limit is reached"));
        if (!mark.remark().isBlank()) {
            words.add(mark.remark());
        }
        return words;
    }

    private static void line(
            SvgCanvas canvas, String style, double thickness, double x1, double y1, double x2, double y2) {
        canvas.path(
                style,
                thickness,
                "M" + SvgCanvas.number(x1) + " " + SvgCanvas.number(y1) + "L" + SvgCanvas.number(x2) + " "
                        + SvgCanvas.number(y2));
    }
}
