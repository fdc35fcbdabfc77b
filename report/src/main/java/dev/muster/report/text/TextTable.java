// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.text;

import dev.muster.report.terminal.Terminal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// A layout of a text table that is never wider than the terminal: columns are dropped from the least important on,
/// and if that does not suffice, cells of the flexible column are cut. Confined to one thread.
public final class TextTable {
    private static final String GAP = "  ";
    private static final int LEAST_FLEXIBLE = 20;

    private final Terminal terminal;
    private final List<Column> columns;
    private final List<List<Cell>> rows = new ArrayList<>();

    /// One column.
    ///
    /// @param header its title
    /// @param right true if its cells are aligned to the right
    /// @param priority importance: 0 is always shown, higher numbers are dropped first
    /// @param flexible true if its cells may be cut to fit
    public record Column(String header, boolean right, int priority, boolean flexible) {}

    /// The tone of a cell, if there is colour.
    public enum Tone {
        /// The tone of the text around it.
        USUAL,
        /// A less visible tone.
        FAINT,
        /// The tone of warnings.
        WARNING,
        /// The tone of faults.
        ALARM;

        private String paint(String text, Terminal terminal) {
            return switch (this) {
                case USUAL -> text;
                case FAINT -> terminal.dim(text);
                case WARNING -> terminal.yellow(text);
                case ALARM -> terminal.red(text);
            };
        }
    }

    /// One cell.
    ///
    /// @param text its text, without control characters
    /// @param tone tone of the text
    public record Cell(String text, Tone tone) {
        /// Creates a cell that may be less visible.
        public Cell(String text, boolean faint) {
            this(text, faint ? Tone.FAINT : Tone.USUAL);
        }
    }

    /// Creates an empty table.
    public TextTable(Terminal terminal, List<Column> columns) {
        this.terminal = terminal;
        this.columns = List.copyOf(columns);
    }

    /// Adds a row: one cell for each column.
    public void add(List<Cell> cells) {
        rows.add(List.copyOf(cells));
    }

    /// Returns the table with a line for each row.
    public String render(boolean header) {
        int[] widths = measure(header);
        List<Integer> shown = choose(widths);
        shrink(widths, shown);
        StringBuilder out = new StringBuilder();
        if (header) {
            List<Cell> titles = columns.stream()
                    .map(column -> new Cell(column.header(), false))
                    .toList();
            out.append(terminal.bold(line(titles, widths, shown, false))).append('\n');
        }
        for (List<Cell> row : rows) {
            out.append(line(row, widths, shown, true)).append('\n');
        }
        return out.toString();
    }

    private int[] measure(boolean header) {
        int[] widths = new int[columns.size()];
        for (int i = 0; i < widths.length; i++) {
            widths[i] = header ? DisplayWidth.of(columns.get(i).header()) : 0;
            for (List<Cell> row : rows) {
                widths[i] = Math.max(widths[i], DisplayWidth.of(row.get(i).text()));
            }
        }
        return widths;
    }

    /// Returns the columns that fit, in their order; flexible ones are counted at their least width.
    private List<Integer> choose(int[] widths) {
        List<Integer> byImportance = new ArrayList<>();
        for (int i = 0; i < widths.length; i++) {
            byImportance.add(i);
        }
        // Not Comparator.comparingInt: its serializable lambda is linked at run time (docs/decisions/0004).
        byImportance.sort((a, b) ->
                Integer.compare(columns.get(a).priority(), columns.get(b).priority()));
        List<Integer> shown = new ArrayList<>();
        int used = 0;
        for (int i : byImportance) {
            int least = columns.get(i).flexible() ? Math.min(widths[i], LEAST_FLEXIBLE) : widths[i];
            int more = least + (shown.isEmpty() ? 0 : GAP.length());
            if (columns.get(i).priority() == 0 || used + more <= terminal.width()) {
                shown.add(i);
                used += more;
            }
        }
        shown.sort(Comparator.naturalOrder());
        return shown;
    }

    private void shrink(int[] widths, List<Integer> shown) {
        int total = shown.stream().mapToInt(i -> widths[i]).sum() + GAP.length() * (shown.size() - 1);
        int excess = total - terminal.width();
        for (int i : shown) {
            if (excess > 0 && columns.get(i).flexible()) {
                int narrower = Math.max(Math.min(LEAST_FLEXIBLE, widths[i]), widths[i] - excess);
                excess -= widths[i] - narrower;
                widths[i] = narrower;
            }
        }
        while (excess > 0 && narrowWidest(widths, shown)) {
            excess--;
        }
    }

    /// Narrows the widest column if even the required columns do not fit.
    private static boolean narrowWidest(int[] widths, List<Integer> shown) {
        int widest = shown.getFirst();
        for (int i : shown) {
            widest = widths[i] > widths[widest] ? i : widest;
        }
        widths[widest]--;
        return widths[widest] > 0;
    }

    private String line(List<Cell> cells, int[] widths, List<Integer> shown, boolean paint) {
        StringBuilder line = new StringBuilder();
        for (int position = 0; position < shown.size(); position++) {
            int i = shown.get(position);
            Cell cell = cells.get(i);
            String text = DisplayWidth.cut(cell.text(), widths[i], terminal.ellipsis());
            String padding = " ".repeat(Math.max(0, widths[i] - DisplayWidth.of(text)));
            String painted = paint ? cell.tone().paint(text, terminal) : text;
            boolean last = position == shown.size() - 1;
            line.append(columns.get(i).right() ? padding + painted : painted + (last ? "" : padding));
            line.append(last ? "" : GAP);
        }
        return line.toString();
    }
}
