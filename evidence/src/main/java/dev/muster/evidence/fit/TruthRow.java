// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.fit;

import dev.muster.model.CatalogueException;
import dev.muster.model.table.CsvRow;

/// One row of a table of measurements. Blank numbers are 0, which no measured number is.
///
/// @param place its table and number, for rows that have no id of their own
record TruthRow(CsvRow row, String place) {
    /// More devices than anybody has.
    private static final int MAX_COUNT = 1_000_000;

    String id() {
        return row.find("row_id").orElse(place);
    }

    String text(String column) {
        return row.orEmpty(column);
    }

    double number(String column) {
        String text = text(column);
        if (text.isEmpty()) {
            return 0;
        }
        try {
            double number = Double.parseDouble(text);
            if (Double.isFinite(number)) {
                return number;
            }
        } catch (NumberFormatException _) {
            // Said below, as for numbers without end.
        }
        throw CatalogueException.at(row.line(), "column '" + column + "' is no number");
    }

    int count(String column) {
        double number = number(column);
        if (number != Math.rint(number) || Math.abs(number) > MAX_COUNT) {
            throw CatalogueException.at(row.line(), "column '" + column + "' is no whole number up to " + MAX_COUNT);
        }
        return (int) number;
    }

    /// A degree of parallelism: 1 where nothing is said.
    int degree(String column) {
        return Math.max(1, count(column));
    }
}
