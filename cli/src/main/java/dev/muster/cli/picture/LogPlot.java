package dev.muster.cli.picture;

import dev.muster.cli.render.SvgCanvas;
import java.util.function.DoubleFunction;

/// A frame with two axes of whole decades. Immutable.
///
/// @param left of the frame
/// @param top of the frame
/// @param across the axis from left to right
/// @param up the axis from the bottom to the top
record LogPlot(double left, double top, LogAxis across, LogAxis up) {
    double right() {
        return left + across.length();
    }

    double bottom() {
        return top + up.length();
    }

    double x(double value) {
        return left + across.place(value);
    }

    double y(double value) {
        return bottom() - up.place(value);
    }

    /// Draws the frame and a line with its value for each decade.
    void draw(
            SvgCanvas canvas,
            DoubleFunction<String> valueAcross,
            DoubleFunction<String> valueUp,
            String meaningAcross) {
        canvas.box("plot", left, top, across.length(), up.length(), 0);
        for (int decade = across.from(); decade <= across.to(); decade++) {
            double value = Math.pow(10, decade);
            canvas.line("grid", 1, x(value), top, x(value), bottom());
            canvas.centred("small", x(value), bottom() + 14, valueAcross.apply(value));
        }
        for (int decade = up.from(); decade <= up.to(); decade++) {
            double value = Math.pow(10, decade);
            canvas.line("grid", 1, left, y(value), right(), y(value));
            canvas.ending("small", left - 6, y(value) + 4, valueUp.apply(value));
        }
        canvas.centred("small", left + across.length() / 2, bottom() + 30, meaningAcross);
    }
}
