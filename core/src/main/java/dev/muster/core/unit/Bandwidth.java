// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.unit;

/// A rate of data. People and data sheets use decimal units here: 1 GB/s is 10^9 bytes per second.
///
/// @param gigabytesPerSecond the rate in GB/s; finite
/// @since 0.1
public record Bandwidth(double gigabytesPerSecond) implements Comparable<Bandwidth> {
    /// Checks that the value is finite.
    public Bandwidth {
        if (!Double.isFinite(gigabytesPerSecond)) {
            throw new IllegalArgumentException("a bandwidth is a finite number: " + gigabytesPerSecond);
        }
    }

    @Override
    public int compareTo(Bandwidth other) {
        return Double.compare(gigabytesPerSecond, other.gigabytesPerSecond);
    }
}
