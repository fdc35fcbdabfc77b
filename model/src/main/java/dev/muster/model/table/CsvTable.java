// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.table;

import dev.muster.core.text.CsvReader;
import dev.muster.model.CatalogueException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/// A table with named columns, read from CSV (RFC 4180). Strict: every row has a field for each column, and an
/// unknown column is an error, since it is most likely misspelled. Immutable.
public record CsvTable(Map<String, Integer> columns, List<CsvRow> rows) {
    public static final int MAX_ROWS = 20_000;

    /// Returns the text of a table that comes with Muster.
    ///
    /// @param owner a class of the package that has the table
    public static String resource(Class<?> owner, String name) {
        return findResource(owner, name)
                .orElseThrow(
                        () -> new IllegalStateException("the table '" + name + "' is missing; the program is damaged"));
    }

    /// Returns the text of a table that comes with Muster, if it exists.
    ///
    /// @param owner a class of the package that has the table
    public static Optional<String> findResource(Class<?> owner, String name) {
        try (InputStream stream = owner.getResourceAsStream(name)) {
            return stream == null
                    ? Optional.empty()
                    : Optional.of(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Parses a table; its first line names the columns.
    ///
    /// @throws CatalogueException if the text is not such a table
    public static CsvTable parse(String text) {
        CsvReader parser = parser(text);
        if (!parser.next()) {
            throw CatalogueException.of("the table is empty; its first line has to name the columns");
        }
        Map<String, Integer> columns = columns(parser);
        List<CsvRow> rows = new ArrayList<>();
        while (parser.next()) {
            if (rows.size() == MAX_ROWS) {
                throw CatalogueException.at(parser.line(), "a table has at most " + MAX_ROWS + " rows; split it");
            }
            rows.add(row(columns, parser.line(), parser.fields()));
        }
        return new CsvTable(columns, List.copyOf(rows));
    }

    private static CsvRow row(Map<String, Integer> columns, int line, List<String> fields) {
        if (fields.size() != columns.size()) {
            throw CatalogueException.at(
                    line,
                    "there are " + fields.size() + " fields, but " + columns.size()
                            + " columns; leave the field of an unknown value blank");
        }
        return new CsvRow(columns, line, List.copyOf(fields));
    }

    /// A row that is taken apart when it is asked for.
    public record Line(Map<String, Integer> columns, int number, String text) implements Supplier<CsvRow> {
        /// Returns the first field.
        public String first() {
            return text.substring(0, text.indexOf(','));
        }

        @Override
        public CsvRow get() {
            CsvReader parser = parser(text);
            parser.next();
            return row(columns, number, parser.fields());
        }
    }

    /// Returns the rows of a table that comes with Muster, in which no field has a line break.
    public static List<Line> lines(String text) {
        CsvReader header = parser(text);
        header.next();
        Map<String, Integer> columns = columns(header);
        List<Line> lines = new ArrayList<>();
        int end;
        for (int from = text.indexOf('\n') + 1; from < text.length(); from = end + 1) {
            end = text.indexOf('\n', from);
            lines.add(new Line(columns, lines.size() + 2, text.substring(from, end)));
        }
        return lines;
    }

    private static CsvReader parser(String text) {
        return CsvReader.strict(
                text, (line, what) -> line == 0 ? CatalogueException.of(what) : CatalogueException.at(line, what));
    }

    private static Map<String, Integer> columns(CsvReader parser) {
        Map<String, Integer> columns = new HashMap<>();
        for (String name : parser.fields()) {
            if (name.isBlank()) {
                throw CatalogueException.at(parser.line(), "a column has no name; name it or delete it");
            }
            if (columns.putIfAbsent(name, columns.size()) != null) {
                throw CatalogueException.at(
                        parser.line(), "column '" + CsvRow.shown(name) + "' occurs twice; delete one");
            }
        }
        return columns;
    }

    /// Checks that all required columns exist and all others are optional ones.
    ///
    /// @throws CatalogueException if one is missing or not known
    public CsvTable checked(List<String> required, List<String> optional) {
        for (String name : required) {
            if (!columns.containsKey(name)) {
                throw CatalogueException.at(1, "column '" + name + "' is missing; the first line has to name it");
            }
        }
        Set<String> known = new HashSet<>(required);
        known.addAll(optional);
        for (String name : columns.keySet()) {
            if (!known.contains(name)) {
                throw CatalogueException.at(
                        1,
                        "unknown column '" + CsvRow.shown(name) + "'; known: " + String.join(", ", required)
                                + (optional.isEmpty() ? "" : ", " + String.join(", ", optional)));
            }
        }
        return this;
    }
}
