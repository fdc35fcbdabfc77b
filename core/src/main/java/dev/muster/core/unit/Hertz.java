// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.unit;

/// A frequency.
///
/// @param value the frequency in hertz, from 0
/// @since 0.1
public record Hertz(long value) implements Comparable<Hertz> {
    private static final long PER_MEGAHERTZ = 1_000_000;

    /// Checks that the value is not negative.
    public Hertz {
        if (value < 0) {
            throw new IllegalArgumentException("a frequency is not negative: " + value);
        }
    }

    /// A frequency in megahertz.
    public static Hertz ofMegahertz(long megahertz) {
        return new Hertz(Math.multiplyExact(megahertz, PER_MEGAHERTZ));
    }

    /// The frequency in megahertz.
    public double toMegahertz() {
        return value / (double) PER_MEGAHERTZ;
    }

    @Override
    public int compareTo(Hertz other) {
        return Long.compare(value, other.value);
    }
}
