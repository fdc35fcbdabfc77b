// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.fit;

import dev.muster.model.CatalogueException;
import dev.muster.model.table.CsvRow;

/// One row of a table of measurements. Blank numbers are 0, which no measured number is.
///
/// @param place table and row number, for rows without an id
record TruthRow(CsvRow row, String place) {
    /// More devices than any installation has.
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
            // The error below covers this case.
        }
        throw CatalogueException.at(row.line(), "column '" + column + "' is not a number");
    }

    int count(String column) {
        double number = number(column);
        if (number != Math.rint(number) || Math.abs(number) > MAX_COUNT) {
            throw CatalogueException.at(row.line(), "column '" + column + "' is not a whole number up to " + MAX_COUNT);
        }
        return (int) number;
    }

    /// Returns a degree of parallelism; 1 if it is not stated.
    int degree(String column) {
        return Math.max(1, count(column));
    }
}
