// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.text;

import java.util.ArrayList;
import java.util.List;

/// The fonts of pictures, and the size of texts in them. Viewers have different fonts, so widths are those of a wide
/// one.
public enum Font {
    /// For titles of pictures.
    TITLE(15, Font.BOLD_CHARACTER),
    /// For names of parts.
    NAME(12, Font.BOLD_CHARACTER),
    /// For lines about a part.
    LINE(11, Font.CHARACTER),
    /// For the least important lines.
    SMALL(10, Font.CHARACTER);

    /// Average width of a character, as a share of the font's size; wide fonts have about this.
    private static final double CHARACTER = 0.6;

    private static final double BOLD_CHARACTER = 0.7;

    private final double size;
    private final double character;

    Font(double size, double share) {
        this.size = size;
        this.character = size * share;
    }

    /// Returns its height in pixels.
    public double size() {
        return size;
    }

    public double width(String text) {
        return text.codePointCount(0, text.length()) * character;
    }

    /// Returns the start of a text that fits a width.
    public String cut(String text, double room) {
        int most = (int) Math.round(room / character);
        int points = text.codePointCount(0, text.length());
        return points <= most ? text : text.substring(0, text.offsetByCodePoints(0, Math.max(1, most - 1))) + "…";
    }

    /// Returns a text in lines that fit a width; words that are longer than a line are cut.
    public List<String> wrap(String text, double room) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ", -1)) {
            if (!line.isEmpty() && width(line + " " + word) > room) {
                lines.add(cut(line.toString(), room));
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(cut(line.toString(), room));
        return lines;
    }
}
