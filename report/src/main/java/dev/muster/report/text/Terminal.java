// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.text;

/// What the place that shows our text can do.
///
/// @param tty whether a person looks at it
/// @param color whether to use colour
/// @param ascii whether to keep to ASCII characters
/// @param width how many columns there are
public record Terminal(boolean tty, boolean color, boolean ascii, int width) {
    private static final String RESET = "\u001b[0m";

    /// The same with another width.
    public Terminal withWidth(int columns) {
        return new Terminal(tty, color, ascii, columns);
    }

    /// Text that stands out.
    public String bold(String text) {
        return paint("\u001b[1m", text);
    }

    /// Text that steps back.
    public String dim(String text) {
        return paint("\u001b[2m", text);
    }

    /// Good news.
    public String green(String text) {
        return paint("\u001b[32m", text);
    }

    /// Bad news.
    public String red(String text) {
        return paint("\u001b[31m", text);
    }

    /// Something to look at.
    public String yellow(String text) {
        return paint("\u001b[33m", text);
    }

    /// Three dots in one column where possible.
    public String ellipsis() {
        return ascii ? "..." : "…";
    }

    /// The sign for something that is not known.
    public String unknown() {
        return ascii ? "-" : "–";
    }

    /// An arrow from an old value to a new one.
    public String arrow() {
        return ascii ? "->" : "→";
    }

    /// Text of ours with its dashes and dots in ASCII where asked for.
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
