// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.picture;

import dev.muster.report.text.SvgCanvas;
import java.util.ArrayList;
import java.util.List;

/// Boxes side by side, in as many rows as they need.
///
/// @param spots position of each box
/// @param width width of all rows
/// @param height height of all rows
record Flow(List<Spot> spots, double width, double height) {
    Flow {
        spots = List.copyOf(spots);
    }

    /// The position and size of a box.
    record Spot(double x, double y, double width, double height) {
        Spot moved(double right, double down) {
            return new Spot(right + x, down + y, width, height);
        }

        void draw(SvgCanvas canvas, String style, double radius) {
            canvas.box(style, x, y, width, height, radius);
        }
    }

    /// Puts boxes into rows.
    ///
    /// @param sizes widths and heights; their positions do not matter
    /// @param most width of a row; a wider box has a row for itself
    /// @param gap space between boxes
    static Flow of(List<Spot> sizes, double most, double gap) {
        List<Spot> spots = new ArrayList<>();
        double x = 0;
        double y = 0;
        double row = 0;
        double width = 0;
        for (Spot size : sizes) {
            if (x > 0 && x + size.width > most) {
                x = 0;
                y += row + gap;
                row = 0;
            }
            spots.add(new Spot(x, y, size.width, size.height));
            width = Math.max(width, x + size.width);
            row = Math.max(row, size.height);
            x += size.width + gap;
        }
        return new Flow(spots, width, y + row);
    }
}
