// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.top;

import java.util.OptionalDouble;

/// The characters of bars and lines, in Unicode or in ASCII.
///
/// @param ascii true if to keep to ASCII
public record Glyphs(boolean ascii) {
    private static final String SPARKS = "▁▂▃▄▅▆▇█";
    private static final String ASCII_SPARKS = "_.-:=+*#";
    private static final int EIGHTHS = 8;

    /// Returns the filled part of a bar.
    String filled(double share, int width) {
        double cells = Math.clamp(share, 0, 1) * width;
        int whole = (int) cells;
        boolean half = cells - whole >= 0.5;
        return ascii ? "#".repeat((int) Math.round(cells)) : "━".repeat(whole) + (half && whole < width ? "╸" : "");
    }

    /// Returns the rest of a bar.
    String track(int width) {
        return (ascii ? "-" : "─").repeat(Math.max(0, width));
    }

    /// Returns a number from 0 to 1 as one character; a blank if it is unknown.
    String spark(OptionalDouble share) {
        if (share.isEmpty()) {
            return " ";
        }
        String levels = ascii ? ASCII_SPARKS : SPARKS;
        int level = (int) Math.clamp(share.getAsDouble() * levels.length(), 0, levels.length() - 1);
        return levels.substring(level, level + 1);
    }

    /// Returns one cell of a column that is so many cells high.
    ///
    /// @param cells the height of the column in cells
    /// @param row cell, from 0 at the bottom
    String cell(double cells, int row) {
        int eighths = (int) Math.round((cells - row) * EIGHTHS);
        if (eighths <= 0) {
            return row == 0 && cells >= 0 ? (ascii ? "_" : "▁") : " ";
        }
        if (ascii) {
            return eighths >= EIGHTHS / 2 ? "#" : ".";
        }
        return SPARKS.substring(Math.min(eighths, EIGHTHS) - 1, Math.min(eighths, EIGHTHS));
    }

    String rule() {
        return ascii ? "-" : "─";
    }

    String ellipsis() {
        return ascii ? "..." : "…";
    }

    String unknown() {
        return ascii ? "-" : "–";
    }

    String degrees() {
        return ascii ? "C" : "°C";
    }

    String down() {
        return ascii ? "<" : "↓";
    }

    String up() {
        return ascii ? ">" : "↑";
    }

    String branch() {
        return ascii ? "`- " : "└─ ";
    }

    String dot() {
        return ascii ? "|" : "·";
    }
}
