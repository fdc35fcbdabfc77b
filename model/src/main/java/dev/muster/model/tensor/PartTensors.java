// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.tensor;

import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelComponent;
import dev.muster.model.ModelComponent.PassFigure;
import dev.muster.model.ModelComponent.Role;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// The parts of families that `parts.txt` describes, counted.
public final class PartTensors {
    private static final String PARTS = "/parts";
    /// Tensors that no token is multiplied with.
    private static final Set<String> LOOKED_UP = Set.of("embedding", "positions");

    private PartTensors() {}

    /// Reports whether the parts of a family or class are known.
    public static boolean has(String family) {
        return ModelFamily.find(family + PARTS).isPresent();
    }

    /// Returns the parts of a family, in the order of its table.
    ///
    /// @param numbers the numbers of the configuration
    /// @throws IllegalArgumentException if a number is missing or absurd; the message names it
    public static List<ModelComponent> of(ModelArchitecture numbers, String family) {
        ModelFamily known = ModelFamily.find(family + PARTS).orElseThrow();
        ArchitectureScope scope = new ArchitectureScope(numbers, known);
        Set<String> groups = new LinkedHashSet<>();
        known.slots().forEach(slot -> groups.add(slot.group()));
        List<ModelComponent> parts = new ArrayList<>();
        try {
            groups.forEach(group -> parts.add(part(group, known, scope)));
        } catch (Formula.MissingNumberException e) {
            throw new IllegalArgumentException("'" + e.name() + "' is not stated", e);
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("its numbers contradict each other", e);
        }
        return parts;
    }

    private static ModelComponent part(String group, ModelFamily family, ArchitectureScope scope) {
        long parameters = 0;
        long token = 0;
        for (ModelFamily.Slot slot : family.slots()) {
            if (slot.group().equals(group)) {
                long columns = slot.columns() == null ? 1 : slot.columns().of(scope);
                long count = Math.multiplyExact(slot.rows().of(scope), columns);
                parameters = Math.addExact(parameters, count);
                boolean isPassed =
                        !LOOKED_UP.contains(slot.name()) && !slot.name().endsWith("once");
                token += isPassed ? count : 0;
            }
        }
        Map<PassFigure, Long> figures = new EnumMap<>(PassFigure.class);
        for (PassFigure figure : PassFigure.values()) {
            scope.find(group + "_" + figure.label()).ifPresent(value -> figures.put(figure, value));
        }
        figures.putIfAbsent(PassFigure.TOKEN, token);
        return new ModelComponent(Role.valueOf(group.toUpperCase(Locale.ROOT)), group, parameters, figures);
    }
}
