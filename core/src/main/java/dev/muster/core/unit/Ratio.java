// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.unit;

/// A share, such as a utilization: 0 is none and 1 is all. Values outside are kept as a source stated them.
///
/// @param value the share; finite
/// @since 0.1
public record Ratio(double value) implements Comparable<Ratio> {
    /// Checks that the value is finite.
    public Ratio {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("a ratio is a finite number: " + value);
        }
    }

    @Override
    public int compareTo(Ratio other) {
        return Double.compare(value, other.value);
    }
}
