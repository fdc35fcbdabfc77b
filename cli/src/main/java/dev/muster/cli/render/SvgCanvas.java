package dev.muster.cli.topology;

import dev.muster.cli.render.Printable;
import dev.muster.core.FixedText;

/// Writes shapes as SVG. Every text is escaped, and nothing but shapes, text and a style sheet is ever written.
/// Confined to one thread.
final class SvgCanvas {
    /// Light and dark; a viewer that knows no preference shows the light one.
    private static final String STYLE = """
            text { font-family: Inter, "Helvetica Neue", Arial, "DejaVu Sans", sans-serif; fill: #1f2733; }
            .page { fill: #ffffff; }
            .title { font-size: 15px; font-weight: 600; }
            .name { font-size: 12px; font-weight: 600; }
            .line { font-size: 11px; }
            .small { font-size: 10px; fill: #5b6675; }
            .host { fill: #f4f6f9; stroke: #97a1b2; stroke-width: 1.2; }
            .numa { fill: #ffffff; stroke: #b6bfcd; }
            .bridge { fill: #edf0f5; stroke: #c2cad6; }
            .cpu { fill: #e4e8ee; stroke: #76819a; }
            .gpu { fill: #e2f3e5; stroke: #3f8f52; }
            .npu { fill: #ece5f8; stroke: #7a58b4; }
            .tpu { fill: #fdedda; stroke: #c77f2c; }
            .ai-asic { fill: #fbe3e6; stroke: #ba5562; }
            .nic { fill: #dfeefb; stroke: #3f7fb5; }
            .bar { fill: #ffffff; stroke: #d5dbe5; stroke-width: 0.8; }
            .used { fill: #3f8f52; }
            .unwell { stroke: #c62828; stroke-width: 2; }
            .unavailable { stroke-dasharray: 4 3; opacity: 0.65; }
            .socket { stroke: #76819a; stroke-width: 4; fill: none; }
            .nvlink, .nvlink-c2c { stroke: #6a9e12; fill: none; }
            .xgmi { stroke: #d1583a; fill: none; }
            .xe-link, .ici, .neuron-link, .accelerator-ethernet { stroke: #2f72c4; fill: none; }
            .switch { fill: #f1f7e4; stroke-width: 1.6; }
            .switch.xgmi { fill: #fdeee9; }
            .switch.xe-link, .switch.ici, .switch.neuron-link, .switch.accelerator-ethernet { fill: #e8f1fb; }
            .mesh { stroke-dasharray: 6 3; }
            .down { stroke: #c62828; stroke-dasharray: 3 3; }
            @media (prefers-color-scheme: dark) {
            text { fill: #e6eaf0; }
            .page { fill: #14181f; }
            .small { fill: #a3adbb; }
            .host { fill: #1b212b; stroke: #5d6879; }
            .numa { fill: #222a36; stroke: #4b5667; }
            .bridge { fill: #2a3341; stroke: #4b5667; }
            .cpu { fill: #303a49; stroke: #8a95a8; }
            .gpu { fill: #1f3d28; stroke: #5fb574; }
            .npu { fill: #332a49; stroke: #a386dc; }
            .tpu { fill: #453319; stroke: #e0a050; }
            .ai-asic { fill: #46262b; stroke: #dd808c; }
            .nic { fill: #1d3547; stroke: #6aa7d8; }
            .bar { fill: #14181f; stroke: #4b5667; }
            .switch { fill: #28331a; }
            .switch.xgmi { fill: #3f241c; }
            .switch.xe-link, .switch.ici, .switch.neuron-link, .switch.accelerator-ethernet { fill: #1c2f45; }
            }
            """;

    private final StringBuilder out = new StringBuilder();

    /// A picture of that size, with a title for those who cannot see it.
    SvgCanvas(double width, double height, String title) {
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
                .append(STYLE)
                .append("</style>\n");
    }

    void box(String style, double x, double y, double width, double height, double radius) {
        out.append("<rect class=\"").append(style).append('"');
        attribute("x", x);
        attribute("y", y);
        attribute("width", width);
        attribute("height", height);
        attribute("rx", radius);
        out.append("/>\n");
    }

    void text(String style, double x, double y, String text) {
        text(style, x, y, "start", text);
    }

    void centred(String style, double x, double y, String text) {
        text(style, x, y, "middle", text);
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

    void path(String style, double thickness, String commands) {
        out.append("<path class=\"")
                .append(style)
                .append("\" d=\"")
                .append(commands)
                .append('"');
        attribute("stroke-width", thickness);
        out.append("/>\n");
    }

    String finish() {
        return out + "</svg>\n";
    }

    private void attribute(String name, double value) {
        out.append(' ').append(name).append("=\"").append(number(value)).append('"');
    }

    /// One decimal is a tenth of a pixel.
    static String number(double value) {
        String text = FixedText.of(value, 1);
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }

    static String escape(String text) {
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
