// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.topology;

import dev.muster.core.TopologyNode;
import dev.muster.report.text.Font;
import dev.muster.report.text.SvgCanvas;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A rectangle of the picture and its content: lines of text, a row of small boxes (network cards, the processor) and
/// below it a row of large ones (bridges, devices), which stand on one line so that links can leave at the bottom.
/// Created, measured, then placed; confined to one thread.
final class PictureBox {
    static final double LINE = 14;
    private static final double ROW_GAP = 8;

    final TopologyNode node;
    final String style;
    final String name;
    final List<String> lines;
    final List<PictureBox> upper = new ArrayList<>();
    final List<PictureBox> lower = new ArrayList<>();
    private final double padding;
    private final double gap;
    private final double widest;

    /// Share of memory in use; negative when unknown.
    double used = -1;

    double x;
    double y;
    double width;
    double height;

    /// @param padding space between the border and the content
    /// @param gap space between boxes inside
    /// @param widest width at which longer texts are cut
    PictureBox(
            TopologyNode node,
            String style,
            String name,
            List<String> lines,
            double padding,
            double gap,
            double widest) {
        this.node = node;
        this.style = style;
        this.name = name;
        this.lines = List.copyOf(lines);
        this.padding = padding;
        this.gap = gap;
        this.widest = widest;
    }

    /// Computes the size of the box.
    void measure() {
        upper.forEach(PictureBox::measure);
        lower.forEach(PictureBox::measure);
        double text = Math.min(widest, nameFont().width(name));
        for (String line : lines) {
            text = Math.max(text, Math.min(widest, Font.LINE.width(line)));
        }
        width = Math.max(text, Math.max(rowWidth(upper), rowWidth(lower))) + 2 * padding;
        height = padding + headHeight() + rowHeight(upper) + rowHeight(lower) + padding;
    }

    private double headHeight() {
        return LINE * (lines.size() + 1) + (used >= 0 ? LINE / 2 : 0);
    }

    private double rowWidth(List<PictureBox> row) {
        double sum = 0;
        for (PictureBox box : row) {
            sum += box.width + gap;
        }
        return row.isEmpty() ? 0 : sum - gap;
    }

    private double rowHeight(List<PictureBox> row) {
        double highest = 0;
        for (PictureBox box : row) {
            highest = Math.max(highest, box.height);
        }
        return row.isEmpty() ? 0 : highest + ROW_GAP;
    }

    /// Stretches the box to the height of its neighbours.
    void stretch(double newHeight) {
        double more = newHeight - height;
        height = newHeight;
        double room = rowHeight(lower) - ROW_GAP;
        for (PictureBox box : lower) {
            if (box.isContainer()) {
                box.stretch(room + more);
            }
        }
    }

    boolean isContainer() {
        return !upper.isEmpty() || !lower.isEmpty();
    }

    /// Places the box with all its content: small boxes below the text, large ones at the bottom.
    void place(double left, double top) {
        x = left;
        y = top;
        double under = y + padding + headHeight() + ROW_GAP;
        double at = x + padding;
        double share = upper.isEmpty() ? 0 : (width - 2 * padding - rowWidth(upper)) / upper.size();
        for (PictureBox box : upper) {
            box.width += share;
            box.place(at, under);
            at += box.width + gap;
        }
        double extra = lower.isEmpty() ? 0 : (width - 2 * padding - rowWidth(lower)) / lower.size();
        at = x + padding;
        for (PictureBox box : lower) {
            box.width += extra;
            box.place(at, y + height - padding - box.height);
            at += box.width + gap;
        }
    }

    double centre() {
        return x + width / 2;
    }

    /// Reports whether the other one lies between the left and the right side of this.
    boolean spans(@Nullable PictureBox other) {
        return other != null && other.x >= x && other.x < x + width;
    }

    double bottom() {
        return y + height;
    }

    /// Draws the box, then its content.
    void draw(SvgCanvas canvas) {
        canvas.box(style, x, y, width, height, isContainer() ? 6 : 4);
        double baseline = y + padding + LINE - 3;
        double room = width - 2 * padding;
        canvas.text(
                isBridge() ? "small" : "name", x + padding, baseline, nameFont().cut(name, room));
        for (String line : lines) {
            baseline += LINE;
            canvas.text("line", x + padding, baseline, Font.LINE.cut(line, room));
        }
        if (used >= 0) {
            canvas.box("bar", x + padding, baseline + 6, room, 5, 2);
            canvas.box("used", x + padding, baseline + 6, room * used, 5, 2);
        }
        upper.forEach(box -> box.draw(canvas));
        lower.forEach(box -> box.draw(canvas));
    }

    private boolean isBridge() {
        return node instanceof TopologyNode.PcieBridge;
    }

    private Font nameFont() {
        return isBridge() ? Font.LINE : Font.NAME;
    }
}
