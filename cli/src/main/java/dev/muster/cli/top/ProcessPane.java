// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.top;

import dev.muster.core.text.FixedText;
import dev.muster.report.text.DisplayWidth;
import java.util.List;

/// The table of processes, with one row marked.
///
/// @param canvas canvas to draw on
/// @param glyphs with which characters
record ProcessPane(Canvas canvas, Glyphs glyphs) {
    private static final int WIDEST_DEVICE = 12;
    private static final int WIDEST_COMMAND = 1_000;
    private static final double PERCENT = 100;

    /// Draws the rows around the one that is marked.
    ///
    /// @param marks true if that one is to be seen
    void draw(Area area, List<ProcessRow> rows, int marked, boolean marks) {
        int device = "DEVICE".length();
        for (ProcessRow row : rows) {
            device = Math.max(device, row.device().text().length());
        }
        device = Math.min(device, WIDEST_DEVICE);
        List<Columns.Column> columns = List.of(
                new Columns.Column("DEVICE", 2, device, device, false),
                new Columns.Column("PID", 0, 8, 8, true),
                new Columns.Column("USER", 3, 8, 10, false),
                new Columns.Column("MEMORY", 1, 10, 10, true),
                new Columns.Column("LOAD", 2, 5, 5, true),
                new Columns.Column("HOST MEM", 5, 10, 10, true),
                new Columns.Column("TIME", 4, 8, 8, true),
                new Columns.Column("COMMAND", 0, 10, WIDEST_COMMAND, false));
        List<Columns.Placed> placed = Columns.fit(columns, area.x(), area.width(), index -> isKnown(index, rows));
        for (Columns.Placed place : placed) {
            Columns.Column column = columns.get(place.index());
            if (column.right()) {
                canvas.putRight(place.end(), area.y(), column.title(), Tone.DIM);
            } else {
                canvas.put(place.x(), area.y(), place.end(), column.title(), Tone.DIM);
            }
        }
        int seen = area.height() - 1;
        int first = first(rows.size(), marked, seen);
        for (int i = 0; i < seen && first + i < rows.size(); i++) {
            int y = area.y() + 1 + i;
            for (Columns.Placed place : placed) {
                draw(rows.get(first + i), place, columns.get(place.index()).right(), y);
            }
            if (marks && first + i == Math.min(marked, rows.size() - 1)) {
                canvas.tint(area.x(), y, area.end(), Tone.CURSOR);
            }
        }
    }

    /// Reports whether a column has a value: recordings have neither users nor times, and empty columns take room
    /// from commands.
    private static boolean isKnown(int column, List<ProcessRow> rows) {
        return switch (column) {
            case 2 -> rows.stream().anyMatch(row -> row.user() != null);
            case 4 -> rows.stream().anyMatch(row -> row.load() != null);
            case 5 -> rows.stream().anyMatch(row -> row.hostMemory() != null);
            case 6 -> rows.stream().anyMatch(row -> row.age() != null);
            default -> true;
        };
    }

    /// Returns the first row that is seen, so that the marked one is.
    private static int first(int rows, int marked, int seen) {
        return Math.clamp((long) marked - seen + 1, 0, Math.max(0, rows - seen));
    }

    private void draw(ProcessRow row, Columns.Placed place, boolean right, int y) {
        String text = switch (place.index()) {
            case 0 -> row.device().text();
            case 1 -> String.valueOf(row.pid());
            case 2 -> row.user() == null ? glyphs.unknown() : row.user();
            case 3 -> row.memory() == null ? glyphs.unknown() : FixedText.of(row.memory());
            case 4 ->
                row.load() == null ? glyphs.unknown() : Math.round(row.load().value() * PERCENT) + "%";
            case 5 -> row.hostMemory() == null ? glyphs.unknown() : FixedText.of(row.hostMemory());
            case 6 -> row.age() == null ? glyphs.unknown() : Figures.time(row.age());
            default ->
                "  ".repeat(Math.max(0, row.depth() - 1)) + (row.depth() > 0 ? glyphs.branch() : "") + row.command();
        };
        Tone tone = place.index() == 1 || place.index() == 3 ? Tone.STRONG : Tone.PLAIN;
        String cut = DisplayWidth.cut(text, place.width(), glyphs.ellipsis());
        if (right) {
            canvas.putRight(place.end(), y, cut, tone);
        } else {
            canvas.put(place.x(), y, place.end(), cut, tone);
        }
    }
}
