// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.unit;

/// An amount of energy. A power in watts is the difference of two amounts, divided by the seconds between them.
///
/// @param value the energy in joules; finite
/// @since 0.1
public record Joules(double value) implements Comparable<Joules> {
    /// Checks that the value is finite.
    public Joules {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("an energy is a finite number: " + value);
        }
    }

    @Override
    public int compareTo(Joules other) {
        return Double.compare(value, other.value);
    }
}
