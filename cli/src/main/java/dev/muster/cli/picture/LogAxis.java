package dev.muster.cli.picture;

import java.util.List;

/// An axis of whole decades.
///
/// @param from the power of ten at its start
/// @param to the power of ten at its end
/// @param length in pixels
record LogAxis(int from, int to, double length) {
    /// Room on both sides, so that nothing lies on the border.
    private static final double ROOM = 1.3;

    LogAxis {
        if (from >= to) {
            throw new IllegalArgumentException("an axis has a decade");
        }
    }

    /// The decades around some values, which are positive.
    static LogAxis around(List<Double> values, double length) {
        double least = Double.MAX_VALUE;
        double most = 0;
        for (double value : values) {
            least = Math.min(least, value);
            most = Math.max(most, value);
        }
        int from = (int) Math.floor(Math.log10(least / ROOM));
        return new LogAxis(from, Math.max(from + 1, (int) Math.ceil(Math.log10(most * ROOM))), length);
    }

    /// Pixels from the start.
    double place(double value) {
        return length * (Math.log10(value) - from) / (to - from);
    }
}
