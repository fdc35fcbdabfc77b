// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.text;

import dev.muster.core.text.FixedText;

/// A canvas that writes shapes as SVG. Every text is escaped, and nothing but shapes, text and a style sheet is ever
/// written. Confined to one thread.
public final class SvgCanvas {
    /// The style sheet of all pictures; viewers without a preference show the light one.
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

    /// Creates an empty page, with a title for screen readers.
    ///
    /// @param light styles of the picture's own classes, a line each
    /// @param dark differences on a dark background
    public SvgCanvas(double width, double height, String title, String light, String dark) {
        out.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"");
        attribute("width", width);
        attribute("height", height);
        out.append(" viewBox=\"0 0 " + number(width) + " " + number(height) + "\" role=\"img\">\n");
        out.append("<title>" + escape(title) + "</title>\n<style>\n" + LIGHT + light);
        out.append("@media (prefers-color-scheme: dark) {\n" + DARK + dark + "}\n</style>\n");
        box("page", 0, 0, width, height, 0);
    }

    /// Draws a rectangle.
    ///
    /// @param style its class
    /// @param radius radius of its corners
    public void box(String style, double x, double y, double width, double height, double radius) {
        out.append("<rect class=\"").append(style).append('"');
        attribute("x", x);
        attribute("y", y);
        attribute("width", width);
        attribute("height", height);
        attribute("rx", radius);
        out.append("/>\n");
    }

    /// Draws a text that begins at a place.
    ///
    /// @param y height of its baseline
    public void text(String style, double x, double y, String text) {
        text(style, x, y, "start", text);
    }

    /// Draws a text whose middle is at a place.
    ///
    /// @param y height of its baseline
    public void centred(String style, double x, double y, String text) {
        text(style, x, y, "middle", text);
    }

    /// Draws a text that ends at a place.
    ///
    /// @param y height of its baseline
    public void ending(String style, double x, double y, String text) {
        text(style, x, y, "end", text);
    }

    private void text(String style, double x, double y, String anchor, String text) {
        out.append("<text class=\"").append(style).append('"');
        attribute("x", x);
        attribute("y", y);
        out.append(" text-anchor=\"" + anchor + "\">" + escape(text) + "</text>\n");
    }

    /// Starts a group of the shapes that follow, up to [#endGroup()]; a viewer shows its title under the pointer.
    public void startGroup(String meaning) {
        out.append("<g>\n<title>").append(escape(meaning)).append("</title>\n");
    }

    /// Ends the last group.
    public void endGroup() {
        out.append("</g>\n");
    }

    /// Draws a straight line.
    public void line(String style, double thickness, double fromX, double fromY, double toX, double toY) {
        path(style, thickness, "M##L##", fromX, fromY, toX, toY);
    }

    /// Draws a path.
    ///
    /// @param commands as in the `d` of SVG, with a `#` for each number
    public void path(String style, double thickness, String commands, double... numbers) {
        out.append("<path class=\"").append(style).append("\" d=\"");
        int next = 0;
        for (int i = 0; i < commands.length(); i++) {
            boolean number = commands.charAt(i) == '#';
            out.append(number && commands.charAt(i - 1) == '#' ? " " : "");
            out.append(number ? number(numbers[next++]) : commands.substring(i, i + 1));
        }
        out.append('"');
        attribute("stroke-width", thickness);
        out.append("/>\n");
    }

    /// Returns the whole picture.
    public String finish() {
        return out + "</svg>\n";
    }

    private void attribute(String name, double value) {
        out.append(' ').append(name).append("=\"").append(number(value)).append('"');
    }

    /// Returns a number with one decimal, which is a tenth of a pixel.
    private static String number(double value) {
        String text = FixedText.of(value, 1);
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }

    private static String escape(String text) {
        return Printable.of(text)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;")
                // The two characters that XML forbids beside control characters.
                .replace('\ufffe', '?')
                .replace('\uffff', '?');
    }
}
