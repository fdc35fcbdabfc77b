// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.top;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;

/// The columns of a table that fit, and their widths: the least important are left out, and what is left over goes to
/// those that can be wider.
final class Columns {
    private static final int GAP = 1;

    private Columns() {}

    /// A column.
    ///
    /// @param title its head
    /// @param rank importance, 0 most
    /// @param least the fewest columns it needs
    /// @param most the most it can use
    /// @param right true if its text stands at the right
    record Column(String title, int rank, int least, int most, boolean right) {}

    /// A column that fits.
    ///
    /// @param index its place among all
    /// @param x start
    /// @param width width in columns
    record Placed(int index, int x, int width) {
        int end() {
            return x + width;
        }
    }

    /// Chooses and places columns.
    ///
    /// @param wanted true if there is anything to show in a column
    static List<Placed> fit(List<Column> columns, int x, int width, IntPredicate wanted) {
        List<Integer> chosen = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            if (wanted.test(i)) {
                chosen.add(i);
            }
        }
        Comparator<Integer> byRank = Comparator.comparing(i -> columns.get(i).rank());
        while (chosen.size() > 1 && least(columns, chosen) > width) {
            chosen.remove(chosen.stream().max(byRank).orElseThrow());
        }
        int[] widths = new int[columns.size()];
        int left = width - least(columns, chosen);
        for (int i : chosen) {
            widths[i] = columns.get(i).least();
        }
        for (boolean grown = true; left > 0 && grown; ) {
            grown = false;
            for (int i : chosen) {
                if (left > 0 && widths[i] < columns.get(i).most()) {
                    widths[i]++;
                    left--;
                    grown = true;
                }
            }
        }
        List<Placed> placed = new ArrayList<>();
        int at = x;
        for (int i : chosen) {
            int room = Math.min(widths[i], x + width - at);
            placed.add(new Placed(i, at, Math.max(0, room)));
            at += widths[i] + GAP;
        }
        return placed;
    }

    private static int least(List<Column> columns, List<Integer> chosen) {
        int sum = -GAP;
        for (int i : chosen) {
            sum += columns.get(i).least() + GAP;
        }
        return sum;
    }
}
