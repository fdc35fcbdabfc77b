// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.unit;

/// Electrical power.
///
/// @param value the power in watts; finite
/// @since 0.1
public record Watts(double value) implements Comparable<Watts> {
    /// Checks that the value is finite.
    public Watts {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("a power is a finite number: " + value);
        }
    }

    @Override
    public int compareTo(Watts other) {
        return Double.compare(value, other.value);
    }
}
