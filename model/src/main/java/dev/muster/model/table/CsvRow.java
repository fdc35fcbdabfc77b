// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.table;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.model.CatalogueException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// One row of a table: its fields by the name of their column. A blank field is unknown. Immutable.
///
/// No lambda here refers to a variable: until it is compiled, each takes a microsecond to make, and tables are read at
/// the start of commands (docs/decisions/0004).
public record CsvRow(Map<String, Integer> columns, int line, List<String> fields) {
    private static final int MAX_DIGITS = 18;
    private static final int MAX_SHOWN = 40;
    private static final String LIST_SEPARATOR = ";";
    private static final String DATE = "2026-11-15";

    /// Returns the field without surrounding blanks, unless it is blank or the column does not exist.
    public Optional<String> find(String column) {
        Integer index = columns.get(column);
        String field = index == null ? "" : fields.get(index);
        if (!field.isEmpty()) {
            field = field.strip();
        }
        return field.isEmpty() ? Optional.empty() : Optional.of(field);
    }

    /// Returns the field, which may not be blank.
    public String require(String column) {
        Optional<String> field = find(column);
        if (field.isEmpty()) {
            throw error("column '" + column + "' is blank; fill it in");
        }
        return field.get();
    }

    /// Returns the field, or the empty text.
    public String orEmpty(String column) {
        return find(column).orElse("");
    }

    /// Returns the parts of the field between semicolons.
    public List<String> list(String column) {
        Optional<String> field = find(column);
        if (field.isEmpty()) {
            return List.of();
        }
        List<String> parts = new ArrayList<>();
        for (String part : field.get().split(LIST_SEPARATOR)) {
            if (!part.isBlank()) {
                parts.add(part.strip());
            }
        }
        return List.copyOf(parts);
    }

    /// Returns a decimal number from 0 to `most`, such as `989.4`, unless the field is blank.
    public Optional<Double> findNumber(String column, long most) {
        Optional<String> text = find(column);
        return text.isEmpty() ? Optional.empty() : Optional.of(number(column, text.get(), most));
    }

    /// Returns a decimal number above 0 and at most `most`, unless the field is blank.
    public Optional<Double> findPositive(String column, long most) {
        Optional<Double> number = findNumber(column, most);
        if (number.isPresent() && number.get() == 0) {
            throw error("column '" + column + "' is 0; write a number above 0, or nothing");
        }
        return number;
    }

    /// Returns a decimal number above 0 and at most `most`.
    public double requirePositive(String column, long most) {
        require(column);
        return findPositive(column, most).orElseThrow();
    }

    /// Returns an integer from `least` to `most`, unless the field is blank.
    public Optional<Long> findCount(String column, long least, long most) {
        Optional<String> field = find(column);
        if (field.isEmpty()) {
            return Optional.empty();
        }
        String text = field.get();
        double number = number(column, text, most);
        if (text.indexOf('.') >= 0 || number < least) {
            throw error("column '" + column + "' is " + text + "; write a whole number from " + least + " to " + most);
        }
        return Optional.of((long) number);
    }

    /// Returns an integer from `least` to `most`.
    public long requireCount(String column, long least, long most) {
        require(column);
        return findCount(column, least, most).orElseThrow();
    }

    /// Returns the value of a field with its provenance.
    public static <T> Reading<T> reading(Optional<T> stated, Provenance source) {
        return stated.isPresent() ? Reading.known(stated.get(), source) : Reading.unknown(UnknownReason.NOT_STATED);
    }

    /// Returns a date such as `2026-11-15`.
    public LocalDate requireDate(String column) {
        String text = require(column);
        try {
            return date(text);
        } catch (DateTimeException e) {
            throw error("column '" + column + "' is '" + shown(text) + "'; write a date as in " + DATE);
        }
    }

    /// `LocalDate.parse` takes some milliseconds when it is first used (docs/decisions/0004).
    private static LocalDate date(String text) {
        boolean shaped = text.length() == DATE.length();
        for (int i = 0; shaped && i < text.length(); i++) {
            char character = text.charAt(i);
            shaped = DATE.charAt(i) == '-' ? character == '-' : character >= '0' && character <= '9';
        }
        if (!shaped) {
            throw new DateTimeException("no date");
        }
        return LocalDate.of(
                Integer.parseInt(text.substring(0, 4)),
                Integer.parseInt(text.substring(5, 7)),
                Integer.parseInt(text.substring(8)));
    }

    /// Returns the value that the field names.
    ///
    /// @param text name of a value
    public <T> T requireNamed(String column, T[] values, Function<T, String> text) {
        String name = require(column);
        for (T value : values) {
            if (text.apply(value).equals(name)) {
                return value;
            }
        }
        throw unknown(column, Arrays.stream(values).map(text).toList());
    }

    /// Returns the error of a field that names none of the known values.
    public CatalogueException unknown(String column, List<String> names) {
        return error("column '" + column + "' is '" + shown(orEmpty(column)) + "'; known: " + String.join(", ", names));
    }

    public CatalogueException error(String what) {
        return CatalogueException.at(line, what);
    }

    /// Returns a foreign text, short enough for a message.
    public static String shown(String text) {
        return text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) + "…" : text;
    }

    private double number(String column, String text, long most) {
        double number = text.length() > MAX_DIGITS ? Double.NaN : decimal(text);
        if (Double.isNaN(number)) {
            throw error("column '" + column + "' is '" + shown(text) + "'; write a plain number as in 989.4");
        }
        if (number > most) {
            throw error("column '" + column + "' is " + text + "; at most " + most + " is possible");
        }
        return number;
    }

    /// Parses digits, perhaps with a point and more digits; no sign, no exponent. NaN if the text is something else.
    private static double decimal(String text) {
        long digits = 0;
        double divisor = 0;
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            if (character == '.' && divisor == 0 && i > 0 && i < text.length() - 1) {
                divisor = 1;
            } else if (character >= '0' && character <= '9') {
                digits = 10 * digits + character - '0';
                divisor *= 10;
            } else {
                return Double.NaN;
            }
        }
        return digits / Math.max(1, divisor);
    }
}
