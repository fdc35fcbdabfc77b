// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.text;

import dev.muster.report.terminal.Terminal;
import dev.muster.report.text.TextTable.Cell;
import dev.muster.report.text.TextTable.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/// A table of items of one kind: each column computes a cell of an item, as a text, a quantity, a [Cell], or an
/// [Optional] of these that is empty if nothing is known. Confined to one thread.
///
/// @param <T> item of a row
public final class Table<T> {
    private final Terminal terminal;
    private final List<Column> columns = new ArrayList<>();
    private final List<Function<? super T, ?>> values = new ArrayList<>();

    /// Creates a table without columns.
    public Table(Terminal terminal) {
        this.terminal = terminal;
    }

    /// Adds a column aligned to the left that is always shown.
    public Table<T> left(String header, Function<? super T, ?> value) {
        return left(header, 0, value);
    }

    /// Adds a column aligned to the left that is dropped if it does not fit, the highest priority first.
    public Table<T> left(String header, int priority, Function<? super T, ?> value) {
        return add(new Column(header, false, priority, false), value);
    }

    /// Adds a column aligned to the left that is cut before it is dropped.
    public Table<T> flexible(String header, int priority, Function<? super T, ?> value) {
        return add(new Column(header, false, priority, true), value);
    }

    /// Adds a column aligned to the right that is always shown.
    public Table<T> right(String header, Function<? super T, ?> value) {
        return right(header, 0, value);
    }

    /// Adds a column aligned to the right that is dropped if it does not fit, the highest priority first.
    public Table<T> right(String header, int priority, Function<? super T, ?> value) {
        return add(new Column(header, true, priority, false), value);
    }

    /// Adds a column without title that marks selected rows.
    public Table<T> mark(Predicate<? super T> chosen) {
        return left("", thing -> chosen.test(thing) ? (terminal.ascii() ? "*" : "✔") : "");
    }

    private Table<T> add(Column column, Function<? super T, ?> value) {
        columns.add(column);
        values.add(value);
        return this;
    }

    /// Returns the table with a title above each column and a line for each item.
    public String render(Iterable<? extends T> things) {
        TextTable table = new TextTable(terminal, columns);
        for (T thing : things) {
            table.add(values.stream().map(value -> cell(value.apply(thing))).toList());
        }
        return table.render(true);
    }

    private Cell cell(Object value) {
        if (value instanceof Cell cell) {
            return cell;
        }
        Object known = value instanceof Optional<?> found
                ? found.map(Object.class::cast).orElse(terminal.unknown())
                : value;
        return new Cell(Quantity.of(known), false);
    }
}
