package dev.muster.plan.time;

import dev.muster.plan.table.CsvRow;
import dev.muster.plan.table.CsvTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Coefficients as they are stored: the fitted value, and what was believed before. Immutable and safe to share
/// between threads.
///
/// @since 0.1
public final class CoefficientTable implements Coefficients {
    private static final String RESOURCE = "/dev/muster/plan/time/coefficients.csv";
    /// What the name of a belief about many coefficients ends with.
    private static final String ANY = "*";

    private final List<Coefficient> entries;
    private final Map<String, Double> values;

    private CoefficientTable(List<Coefficient> entries) {
        this.entries = List.copyOf(entries);
        this.values = new HashMap<>();
        for (Coefficient entry : entries) {
            values.put(entry.name(), entry.value());
        }
    }

    /// The coefficients that come with Muster.
    public static CoefficientTable builtIn() {
        return BuiltIn.TABLE;
    }

    private static final class BuiltIn {
        private static final CoefficientTable TABLE = parse(CsvTable.resource(CoefficientTable.class, RESOURCE));
    }

    /// Some coefficients.
    public static CoefficientTable of(List<Coefficient> entries) {
        return new CoefficientTable(entries);
    }

    private static CoefficientTable parse(String text) {
        List<Coefficient> entries = new ArrayList<>();
        for (CsvRow row : CsvTable.parse(text).rows()) {
            entries.add(new Coefficient(
                    row.require("name"),
                    Double.parseDouble(row.require("value")),
                    Double.parseDouble(row.require("prior")),
                    Double.parseDouble(row.require("spread"))));
        }
        return new CoefficientTable(entries);
    }

    /// All coefficients, in the order of the table. Names that end with `*` are beliefs about all names that begin so.
    public List<Coefficient> entries() {
        return entries;
    }

    /// What was believed before any measurement: all coefficients at their prior, without what single devices and
    /// releases differ, which follows from measurements alone.
    public List<Coefficient> beliefs() {
        return entries.stream()
                .filter(entry -> !entry.name().startsWith(INTERVAL) && (isBelief(entry) || !isOfBelief(entry)))
                .map(entry -> new Coefficient(entry.name(), entry.prior(), entry.prior(), entry.spread()))
                .toList();
    }

    private static boolean isBelief(Coefficient entry) {
        return entry.name().endsWith(ANY);
    }

    /// Whether a belief about many names brought it into the table.
    private boolean isOfBelief(Coefficient entry) {
        return entry.prior() == 1
                && entries.stream()
                        .filter(CoefficientTable::isBelief)
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
