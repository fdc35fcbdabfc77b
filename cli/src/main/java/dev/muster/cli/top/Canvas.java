// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.top;

import dev.muster.report.text.DisplayWidth;
import dev.muster.report.text.Printable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A screen of cells to draw on. Nothing is ever drawn outside, nothing wraps, and no text can steer the terminal.
/// Confined to one thread.
final class Canvas {
    /// Stands in the second cell of a wide character.
    private static final int COVERED = -1;

    private final int width;
    private final int height;
    private final int[] points;
    private final Tone[] tones;

    Canvas(int width, int height) {
        this.width = width;
        this.height = height;
        this.points = new int[width * height];
        this.tones = new Tone[width * height];
        Arrays.fill(points, ' ');
        Arrays.fill(tones, Tone.PLAIN);
    }

    int width() {
        return width;
    }

    int height() {
        return height;
    }

    /// Draws a text and returns the column behind it; what does not fit before the limit is left out.
    ///
    /// @param limit the first column that must not be touched
    int put(int x, int y, int limit, String text, Tone tone) {
        int at = x;
        int end = Math.min(limit, width);
        String safe = Printable.withoutControls(text);
        for (int i = 0; i < safe.length() && y >= 0 && y < height; i += Character.charCount(safe.codePointAt(i))) {
            int point = safe.codePointAt(i);
            int columns = DisplayWidth.of(point);
            if (columns == 0) {
                continue;
            }
            if (at + columns > end) {
                break;
            }
            set(at, y, point, tone);
            if (columns == 2) {
                set(at + 1, y, COVERED, tone);
            }
            at += columns;
        }
        return at;
    }

    /// Draws a text that ends before a column.
    void putRight(int end, int y, String text, Tone tone) {
        put(Math.max(0, end - DisplayWidth.of(text)), y, end, text, tone);
    }

    /// Gives a part of a line another tone.
    void tint(int x, int y, int limit, Tone tone) {
        for (int at = x; at < Math.min(limit, width) && y >= 0 && y < height; at++) {
            tones[y * width + at] = tone;
        }
    }

    private void set(int x, int y, int point, Tone tone) {
        points[y * width + x] = point;
        tones[y * width + x] = tone;
    }

    /// Returns the lines from top to bottom, without blanks at their ends.
    List<String> lines(boolean color) {
        List<String> lines = new ArrayList<>();
        for (int y = 0; y < height; y++) {
            lines.add(line(y, color));
        }
        return lines;
    }

    private String line(int y, boolean color) {
        int end = width;
        while (end > 0 && isBlank(y * width + end - 1, color)) {
            end--;
        }
        StringBuilder line = new StringBuilder();
        Tone tone = Tone.PLAIN;
        for (int i = y * width; i < y * width + end; i++) {
            if (color && tones[i] != tone) {
                tone = tones[i];
                line.append(tone.sequence());
            }
            if (points[i] != COVERED) {
                line.appendCodePoint(points[i]);
            }
        }
        return line.append(tone == Tone.PLAIN ? "" : Tone.PLAIN.sequence()).toString();
    }

    private boolean isBlank(int cell, boolean color) {
        return points[cell] == ' ' && (!color || tones[cell] != Tone.CURSOR);
    }
}
