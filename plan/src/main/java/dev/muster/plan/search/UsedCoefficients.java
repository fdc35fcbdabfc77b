// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import dev.muster.plan.cost.UsedCoefficient;
import dev.muster.plan.time.Coefficient;
import dev.muster.plan.time.CoefficientTable;
import dev.muster.plan.time.Coefficients;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/// The coefficients that a result depends on. A model reads all that it might need, those of experts for a model
/// without experts, too: so each one that it read is changed, and kept if the result changes with it.
public final class UsedCoefficients {
    private final CoefficientTable table;
    private final Function<Coefficients, ?> arithmetic;

    private UsedCoefficients(CoefficientTable table, Function<Coefficients, ?> arithmetic) {
        this.table = table;
        this.arithmetic = arithmetic;
    }

    /// Returns those of a table, in the order of their use.
    ///
    /// @param arithmetic result for some coefficients; equal if nothing has changed
    public static List<UsedCoefficient> of(CoefficientTable table, Function<Coefficients, ?> arithmetic) {
        return new UsedCoefficients(table, arithmetic).find();
    }

    private List<UsedCoefficient> find() {
        Set<String> asked = new LinkedHashSet<>();
        Object unmoved = arithmetic.apply(new Changed(table, (name, value) -> {
            asked.add(name);
            return value;
        }));
        Map<String, Coefficient> entries =
                table.entries().stream().collect(Collectors.toMap(Coefficient::name, Function.identity()));
        return asked.stream()
                .filter(name -> !arithmetic.apply(moving(name)).equals(unmoved))
                .map(name -> used(name, entries))
                .toList();
    }

    private Coefficients moving(String moved) {
        return new Changed(table, (name, value) -> name.equals(moved) ? value * 1.01 + 1e-9 : value);
    }

    private UsedCoefficient used(String name, Map<String, Coefficient> entries) {
        Coefficient entry = entries.get(name);
        if (entry == null) {
            return new UsedCoefficient(name, table.factor(name), UsedCoefficient.CoefficientBasis.OF_FAMILY);
        }
        boolean isMeasured = entry.value() != entry.prior();
        return new UsedCoefficient(
                name,
                entry.value(),
                isMeasured ? UsedCoefficient.CoefficientBasis.MEASURED : UsedCoefficient.CoefficientBasis.PRIOR);
    }

    private interface Change {
        double of(String name, double value);
    }

    /// Coefficients of a table, each recorded and perhaps changed on use.
    private record Changed(CoefficientTable table, Change change) implements Coefficients {
        @Override
        public double get(String name) {
            return change.of(name, table.get(name));
        }

        @Override
        public double factor(String name) {
            return change.of(name, table.factor(name));
        }

        @Override
        public boolean has(String name) {
            return table.has(name);
        }
    }
}
