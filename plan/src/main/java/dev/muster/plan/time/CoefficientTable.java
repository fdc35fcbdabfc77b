// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

import dev.muster.model.table.CsvRow;
import dev.muster.model.table.CsvTable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// Coefficients as they are stored: the fitted value, and the prior. Immutable and safe to share between threads.
public final class CoefficientTable implements Coefficients {
    private static final String RESOURCE = "/dev/muster/plan/time/coefficients.csv";
    /// The ending of the name of a prior for many coefficients.
    private static final String ANY = "*";

    private final Supplier<List<Coefficient>> entries;
    private final Map<String, Double> values;

    private CoefficientTable(Supplier<List<Coefficient>> entries, Map<String, Double> values) {
        this.entries = entries;
        this.values = values;
    }

    /// Returns the coefficients that come with Muster.
    public static CoefficientTable builtIn() {
        return BuiltIn.TABLE;
    }

    private static final class BuiltIn {
        private static final CoefficientTable TABLE = parse(CsvTable.resource(CoefficientTable.class, RESOURCE));
    }

    public static CoefficientTable of(List<Coefficient> entries) {
        List<Coefficient> copy = List.copyOf(entries);
        Map<String, Double> values = HashMap.newHashMap(copy.size());
        for (Coefficient entry : copy) {
            values.put(entry.name(), entry.value());
        }
        return new CoefficientTable(() -> copy, values);
    }

    private static CoefficientTable parse(String text) {
        List<CsvRow> rows = CsvTable.parse(text).rows();
        Map<String, Double> values = HashMap.newHashMap(rows.size());
        for (CsvRow row : rows) {
            values.put(row.require("name"), number(row, "value"));
        }
        // Plans need values alone, and the other numbers take time to read (docs/decisions/0004).
        return new CoefficientTable(
                () -> rows.stream().map(CoefficientTable::entry).toList(), values);
    }

    private static Coefficient entry(CsvRow row) {
        return new Coefficient(row.require("name"), number(row, "value"), number(row, "prior"), number(row, "spread"));
    }

    private static double number(CsvRow row, String column) {
        return Double.parseDouble(row.require(column));
    }

    /// Returns all coefficients, in the order of the table. Names that end with `*` are priors of all names with that
    /// beginning.
    public List<Coefficient> entries() {
        return entries.get();
    }

    /// Returns the priors before any measurement: all coefficients at their prior, without differences of single
    /// devices and releases and without intervals, which follow from measurements alone.
    public List<Coefficient> beliefs() {
        List<Coefficient> all = entries();
        List<Coefficient> general =
                all.stream().filter(CoefficientTable::isBelief).toList();
        return all.stream()
                .filter(entry -> !entry.name().startsWith(INTERVAL) && (isBelief(entry) || !isOfBelief(entry, general)))
                .map(entry -> new Coefficient(entry.name(), entry.prior(), entry.prior(), entry.spread()))
                .toList();
    }

    private static boolean isBelief(Coefficient entry) {
        return entry.name().endsWith(ANY);
    }

    /// Reports whether an entry came into the table by a prior of many names.
    private static boolean isOfBelief(Coefficient entry, List<Coefficient> beliefs) {
        return entry.prior() == 1
                && beliefs.stream()
                        .anyMatch(belief -> entry.name().startsWith(stem(belief)) && entry.spread() == belief.spread());
    }

    private static String stem(Coefficient belief) {
        return belief.name().substring(0, belief.name().length() - ANY.length());
    }

    @Override
    public boolean has(String name) {
        return values.containsKey(name);
    }

    @Override
    public double get(String name) {
        Double value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("no coefficient is called '" + name + "'");
        }
        return value;
    }

    @Override
    public double factor(String name) {
        Double value = values.get(name);
        return value == null ? 1 : value;
    }
}
