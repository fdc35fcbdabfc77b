// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.unit;

/// A temperature.
///
/// @param degrees the temperature in degrees Celsius; finite
/// @since 0.1
public record Celsius(double degrees) implements Comparable<Celsius> {
    /// Checks that the value is finite.
    public Celsius {
        if (!Double.isFinite(degrees)) {
            throw new IllegalArgumentException("a temperature is a finite number: " + degrees);
        }
    }

    @Override
    public int compareTo(Celsius other) {
        return Double.compare(degrees, other.degrees);
    }
}
