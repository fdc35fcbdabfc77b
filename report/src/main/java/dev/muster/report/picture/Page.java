// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.picture;

import dev.muster.report.text.Font;
import dev.muster.report.text.SvgCanvas;
import java.util.List;

/// The head of a picture: its title, and the lines below it.
final class Page {
    static final double MARGIN = 24;
    static final double WIDTH = 1000;
    private static final double TITLE = 26;
    private static final double LINE = 16;

    private Page() {}

    /// Returns the height of a head with a number of lines.
    static double head(int lines) {
        return MARGIN + TITLE + lines * LINE;
    }

    static List<String> wrap(List<String> sentences, double width) {
        return sentences.stream()
                .flatMap(sentence -> Font.LINE.wrap(sentence, width).stream())
                .toList();
    }

    /// Returns a canvas with its head drawn.
    ///
    /// @param inner width between the margins
    /// @param bottom bottom of the drawing
    static SvgCanvas open(String title, List<String> lines, double inner, double bottom, String light, String dark) {
        SvgCanvas canvas = new SvgCanvas(inner + 2 * MARGIN, bottom + MARGIN, title, light, dark);
        canvas.text("title", MARGIN, MARGIN + Font.TITLE.size(), Font.TITLE.cut(title, inner));
        for (int i = 0; i < lines.size(); i++) {
            canvas.text("line", MARGIN, head(i + 1) - 4, lines.get(i));
        }
        return canvas;
    }
}
