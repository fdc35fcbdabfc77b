// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.picture;

import dev.muster.report.text.SvgCanvas;
import java.util.List;
import java.util.function.DoubleFunction;

/// A frame with two axes of whole decades. Immutable.
///
/// @param left left side of the frame
/// @param top top of the frame
/// @param across axis from left to right
/// @param up axis from the bottom to the top
record LogPlot(double left, double top, Axis across, Axis up) {
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

    /// An axis of whole decades.
    ///
    /// @param from power of ten at its start
    /// @param to power of ten at its end
    /// @param length length in pixels
    record Axis(int from, int to, double length) {
        /// Space on both sides, so that nothing lies on the border.
        private static final double ROOM = 1.3;

        Axis {
            if (from >= to) {
                throw new IllegalArgumentException("an axis has a decade");
            }
        }

        /// Returns the decades around some values, which are positive.
        static Axis around(List<Double> values, double length) {
            double least = Double.MAX_VALUE;
            double most = 0;
            for (double value : values) {
                least = Math.min(least, value);
                most = Math.max(most, value);
            }
            int from = (int) Math.floor(Math.log10(least / ROOM));
            return new Axis(from, Math.max(from + 1, (int) Math.ceil(Math.log10(most * ROOM))), length);
        }

        /// Returns the pixels from the start.
        double place(double value) {
            return length * (Math.log10(value) - from) / (to - from);
        }
    }
}
