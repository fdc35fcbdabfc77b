package dev.muster.cli.render;

import dev.muster.core.FixedText;

/// Writes shapes as SVG. Every text is escaped, and nothing but shapes, text and a style sheet is ever written.
/// Confined to one thread.
public final class SvgCanvas {
    /// What every picture has; a viewer that knows no preference shows the light one.
    private static final String LIGHT = """
            text { font-family: Inter, "Helvetica Neue", Arial, "DejaVu Sans", sans-serif; fill: #1f2733; }
            .page { fill: #ffffff; }
            .title { font-size: 15px; font-weight: 600; }
            .name { font-size: 12px; font-weight: 600; }
            .line { font-size: 11px; }
            .small { font-size: 10px; fill: #5b6675; }
            """;

    private static final String DARK = """
            text { fill: #e6eaf0; }
            .page { fill: #14181f; }
            .small { fill: #a3adbb; }
            """;

    private final StringBuilder out = new StringBuilder();

    /// A picture of that size, with a title for those who cannot see it.
    ///
    /// @param light styles of the picture's own classes, a line each
    /// @param dark what differs on a dark background
    public SvgCanvas(double width, double height, String title, String light, String dark) {
        out.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"")
                .append(number(width))
                .append("\" height=\"")
                .append(number(height))
                .append("\" viewBox=\"0 0 ")
                .append(number(width))
                .append(' ')
                .append(number(height))
                .append("\" role=\"img\">\n<title>")
                .append(escape(title))
                .append("</title>\n<style>\n")
                .append(LIGHT)
                .append(light)
                .append("@media (prefers-color-scheme: dark) {\n")
                .append(DARK)
                .append(dark)
                .append("}\n</style>\n");
    }

    /// A rectangle.
    ///
    /// @param style its class
    /// @param radius of its corners
    public void box(String style, double x, double y, double width, double height, double radius) {
        out.append("<rect class=\"").append(style).append('"');
        attribute("x", x);
        attribute("y", y);
        attribute("width", width);
        attribute("height", height);
        attribute("rx", radius);
        out.append("/>\n");
    }

    /// A text that begins at a place.
    ///
    /// @param y of its baseline
    public void text(String style, double x, double y, String text) {
        text(style, x, y, "start", text);
    }

    /// A text whose middle is at a place.
    ///
    /// @param y of its baseline
    public void centred(String style, double x, double y, String text) {
        text(style, x, y, "middle", text);
    }

    /// A text that ends at a place.
    ///
    /// @param y of its baseline
    public void ending(String style, double x, double y, String text) {
        text(style, x, y, "end", text);
    }

    private void text(String style, double x, double y, String anchor, String text) {
        out.append("<text class=\"").append(style).append('"');
        attribute("x", x);
        attribute("y", y);
        out.append(" text-anchor=\"")
                .append(anchor)
                .append("\">")
                .append(escape(text))
                .append("</text>\n");
    }

    /// Shapes that follow belong together until [#endGroup()]; a viewer shows what they are under the pointer.
    public void startGroup(String meaning) {
        out.append("<g>\n<title>").append(escape(meaning)).append("</title>\n");
    }

    /// The last group is complete.
    public void endGroup() {
        out.append("</g>\n");
    }

    /// A line.
    ///
    /// @param commands as in the `d` of SVG, of numbers that [#number(double)] wrote
    public void path(String style, double thickness, String commands) {
        out.append("<path class=\"")
                .append(style)
                .append("\" d=\"")
                .append(commands)
                .append('"');
        attribute("stroke-width", thickness);
        out.append("/>\n");
    }

    /// The whole picture.
    public String finish() {
        return out + "</svg>\n";
    }

    private void attribute(String name, double value) {
        out.append(' ').append(name).append("=\"").append(number(value)).append('"');
    }

    /// A length for a path; one decimal is a tenth of a pixel.
    public static String number(double value) {
        String text = FixedText.of(value, 1);
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }

    private static String escape(String text) {
        StringBuilder safe = new StringBuilder();
        String printable = Printable.of(text);
        for (int i = 0; i < printable.length(); i++) {
            char c = printable.charAt(i);
            switch (c) {
                case '&' -> safe.append("&amp;");
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '"' -> safe.append("&quot;");
                case '\'' -> safe.append("&#39;");
                // The two characters that XML forbids and that are no control characters.
                case '\ufffe', '\uffff' -> safe.append('?');
                default -> safe.append(c);
            }
        }
        return safe.toString();
    }
}
