// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import dev.muster.plan.answer.UsedCoefficient;
import dev.muster.plan.time.Coefficient;
import dev.muster.plan.time.CoefficientTable;
import dev.muster.plan.time.Coefficients;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Remembers which coefficients were asked for. Confined to one thread.
public final class RecordingCoefficients implements Coefficients {
    private final CoefficientTable table;
    private final Set<String> asked = new LinkedHashSet<>();

    private RecordingCoefficients(CoefficientTable table) {
        this.table = table;
    }

    /// Coefficients of a table, none asked for yet.
    public static RecordingCoefficients of(CoefficientTable table) {
        return new RecordingCoefficients(table);
    }

    @Override
    public double get(String name) {
        asked.add(name);
        return table.get(name);
    }

    @Override
    public double factor(String name) {
        asked.add(name);
        return table.factor(name);
    }

    @Override
    public boolean has(String name) {
        return table.has(name);
    }

    /// What was asked for, in that order.
    public List<UsedCoefficient> used() {
        Map<String, Coefficient> entries =
                table.entries().stream().collect(Collectors.toMap(Coefficient::name, Function.identity()));
        return asked.stream().map(name -> used(name, entries)).toList();
    }

    private UsedCoefficient used(String name, Map<String, Coefficient> entries) {
        Coefficient entry = entries.get(name);
        if (entry == null) {
            return new UsedCoefficient(name, table.factor(name), UsedCoefficient.Basis.OF_FAMILY);
        }
        boolean moved = entry.value() != entry.prior();
        return new UsedCoefficient(
                name, entry.value(), moved ? UsedCoefficient.Basis.MEASURED : UsedCoefficient.Basis.PRIOR);
    }
}
