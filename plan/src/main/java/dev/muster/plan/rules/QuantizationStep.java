package dev.muster.plan.rules;

import dev.muster.core.unit.Bytes;

/// One row of the table of [QuantizationRule], held against a registry.
///
/// @param rule the row
/// @param needed what the model takes at the row's level
/// @param memory what the largest device of the row's class has; nothing where there is none
/// @since 0.1
public record QuantizationStep(QuantizationRule rule, Bytes needed, Bytes memory) {
    /// Whether the device holds the model.
    public boolean holds() {
        return !memory.isZero() && needed.compareTo(memory) <= 0;
    }
}
