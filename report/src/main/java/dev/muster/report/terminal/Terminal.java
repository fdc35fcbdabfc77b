// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.terminal;

/// The capabilities of the output terminal.
///
/// @param tty true if it is interactive
/// @param color true to use colour
/// @param ascii true to keep to ASCII characters
/// @param width number of columns
public record Terminal(boolean tty, boolean color, boolean ascii, int width) {
    private static final String RESET = "\u001b[0m";

    /// Returns a copy with another width.
    public Terminal withWidth(int columns) {
        return new Terminal(tty, color, ascii, columns);
    }

    /// Returns emphasised text.
    public String bold(String text) {
        return paint("\u001b[1m", text);
    }

    /// Returns less visible text.
    public String dim(String text) {
        return paint("\u001b[2m", text);
    }

    /// Returns text for good news.
    public String green(String text) {
        return paint("\u001b[32m", text);
    }

    /// Returns text for bad news.
    public String red(String text) {
        return paint("\u001b[31m", text);
    }

    /// Returns text for warnings.
    public String yellow(String text) {
        return paint("\u001b[33m", text);
    }

    /// Returns three dots, in one column if possible.
    public String ellipsis() {
        return ascii ? "..." : "…";
    }

    /// Returns the sign for unknown values.
    public String unknown() {
        return ascii ? "-" : "–";
    }

    /// Returns an arrow from an old value to a new one.
    public String arrow() {
        return ascii ? "->" : "→";
    }

    /// Returns text with its dashes and dots in ASCII if requested.
    public String plain(String text) {
        return ascii ? text.replace("…", "...").replace('—', '-').replace('–', '-') : text;
    }

    /// Adds a text in lines that fit, behind a start and, from the second line on, an indent.
    public void wrap(StringBuilder out, String start, int indent, String text) {
        StringBuilder line = new StringBuilder(start);
        boolean fresh = true;
        for (String word : text.split(" ")) {
            if (!fresh && line.length() + 1 + word.length() > width) {
                out.append(line).append('\n');
                line = new StringBuilder(" ".repeat(indent));
                fresh = true;
            }
            line.append(fresh ? "" : " ").append(word);
            fresh = false;
        }
        out.append(line).append('\n');
    }

    private String paint(String code, String text) {
        return color ? code + text + RESET : text;
    }
}
