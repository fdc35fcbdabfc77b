// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results;

import dev.muster.core.text.CsvReader;
import dev.muster.evidence.measured.MeasuredRun;
import dev.muster.evidence.results.form.Numbers;
import dev.muster.evidence.results.form.ResultForm;
import dev.muster.evidence.results.form.ResultText;
import dev.muster.evidence.results.form.ResultsException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/// A table whose first line names its columns.
abstract class CsvForm implements ResultForm {
    private final List<String> required;

    /// @param required columns by which this table is recognised
    CsvForm(String... required) {
        this.required = List.of(required);
    }

    abstract List<MeasuredRun> readRows(List<Row> rows);

    @Override
    public final boolean recognises(ResultText text) {
        return CsvReader.fieldsOf(text.head()).containsAll(required);
    }

    @Override
    public final List<MeasuredRun> read(ResultText text) {
        List<String> columns = CsvReader.fieldsOf(text.head());
        List<Row> rows = new ArrayList<>();
        boolean isHeading = true;
        for (String line : text.lines()) {
            if (!line.isBlank() && !isHeading) {
                rows.add(row(columns, CsvReader.fieldsOf(line), rows.size() + 2));
            }
            isHeading &= line.isBlank();
        }
        if (rows.isEmpty()) {
            throw ResultsException.of("the table has no row");
        }
        return readRows(rows);
    }

    private static Row row(List<String> columns, List<String> cells, int line) {
        if (cells.size() != columns.size()) {
            throw ResultsException.of("line " + line + " has " + cells.size() + " fields where the heading has "
                    + columns.size() + ": the file is cut off");
        }
        Map<String, String> values = new HashMap<>();
        for (int i = 0; i < columns.size(); i++) {
            values.putIfAbsent(columns.get(i), cells.get(i));
        }
        return new Row(values);
    }

    /// A row.
    ///
    /// @param values by column
    record Row(Map<String, String> values) {
        String text(String column) {
            return values.getOrDefault(column, "");
        }

        OptionalDouble number(String column) {
            return Numbers.find(text(column));
        }

        /// Returns a number; 0 if there is none.
        double amount(String column) {
            return number(column).orElse(0);
        }
    }
}
