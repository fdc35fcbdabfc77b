// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.text;

import java.util.ArrayList;
import java.util.List;

/// Reads tables that tools draw with `|`, `+` and `-`.
public final class PipeTable {
    private static final int MAX_ROWS = 8192;

    private PipeTable() {}

    /// The cells of each line that has any, without the blanks around them. Lines that only draw are left out; text
    /// between tables is too.
    public static List<List<String>> rows(String text) {
        List<List<String>> rows = new ArrayList<>();
        for (String line : text.split("\n")) {
            String row = line.strip();
            if (row.startsWith("|") && row.length() > 1 && !isDrawing(row) && rows.size() < MAX_ROWS) {
                rows.add(cells(row));
            }
        }
        return rows;
    }

    private static boolean isDrawing(String row) {
        for (int i = 0; i < row.length(); i++) {
            if ("|+-=: ".indexOf(row.charAt(i)) < 0) {
                return false;
            }
        }
        return true;
    }

    private static List<String> cells(String row) {
        int end = row.endsWith("|") ? row.length() - 1 : row.length();
        List<String> cells = new ArrayList<>();
        for (String cell : row.substring(1, end).split("\\|", -1)) {
            cells.add(cell.strip());
        }
        return cells;
    }
}
