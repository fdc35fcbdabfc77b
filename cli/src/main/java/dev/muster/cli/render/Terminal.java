package dev.muster.cli.render;

/// What the place that shows our text can do.
///
/// @param tty whether a person looks at it
/// @param color whether to use colour
/// @param ascii whether to keep to ASCII characters
/// @param width how many columns there are
public record Terminal(boolean tty, boolean color, boolean ascii, int width) {
    private static final String RESET = "\u001b[0m";

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

    private String paint(String code, String text) {
        return color ? code + text + RESET : text;
    }
}
