package dev.muster.cli.render;

import java.util.ArrayList;
import java.util.List;

/// How much room text takes in a picture. Fonts differ, so widths are those of a wide one.
public final class SvgText {
    /// Average width of a character, as a share of the font's size; wide fonts have about this.
    private static final double CHARACTER = 0.6;

    private static final double BOLD_CHARACTER = 0.7;

    private SvgText() {}

    /// The width of a text.
    ///
    /// @param size of the font
    public static double width(String text, double size) {
        return text.codePointCount(0, text.length()) * size * CHARACTER;
    }

    /// The width of a bold text.
    ///
    /// @param size of the font
    public static double boldWidth(String text, double size) {
        return width(text, size) * BOLD_CHARACTER / CHARACTER;
    }

    /// As much of a text as there is room for.
    ///
    /// @param size of the font
    public static String cut(String text, double room, double size) {
        return cutAt(text, room, size * CHARACTER);
    }

    /// As much of a bold text as there is room for.
    ///
    /// @param size of the font
    public static String cutBold(String text, double room, double size) {
        return cutAt(text, room, size * BOLD_CHARACTER);
    }

    private static String cutAt(String text, double room, double character) {
        int most = (int) Math.round(room / character);
        int points = text.codePointCount(0, text.length());
        if (points <= most) {
            return text;
        }
        return text.substring(0, text.offsetByCodePoints(0, Math.max(1, most - 1))) + "…";
    }

    /// A text in lines that there is room for; words that are longer than a line are cut.
    ///
    /// @param size of the font
    public static List<String> wrap(String text, double room, double size) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ", -1)) {
            if (!line.isEmpty() && width(line + " " + word, size) > room) {
                lines.add(cut(line.toString(), room, size));
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(cut(line.toString(), room, size));
        return lines;
    }
}
