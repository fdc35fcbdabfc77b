// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.text;

import dev.muster.core.unit.Bytes;
import java.math.BigDecimal;
import java.math.RoundingMode;

/// Numbers with a fixed number of decimals, rounded as C's printf does: the exact binary value, ties to even.
/// Java's own `%.1f` rounds the shortest decimal half up and prints other digits.
public final class FixedText {
    private static final double[] POWERS = {1, 10, 100, 1000, 10_000};
    /// Below it, halves are doubles.
    private static final double MOST_UNITS = 1L << 52;

    private static final double BYTES_PER_KIB = 1 << 10;
    private static final double BYTES_PER_MIB = 1 << 20;

    private FixedText() {}

    /// The number with that many decimals.
    public static String of(double value, int decimals) {
        double magnitude = Math.abs(value);
        boolean few = decimals < POWERS.length && magnitude * POWERS[decimals] < MOST_UNITS;
        String text = few
                ? text(units(magnitude, POWERS[decimals]), decimals)
                : new BigDecimal(magnitude)
                        .setScale(decimals, RoundingMode.HALF_EVEN)
                        .toPlainString();
        // printf keeps the sign of what rounds to zero.
        return Math.copySign(1, value) < 0 ? "-" + text : text;
    }

    /// An amount of memory for people: in GiB, or in MiB and KiB where it is less.
    public static String of(Bytes amount) {
        double bytes = amount.toDouble();
        if (amount.isZero() || amount.toGib() >= 1) {
            return of(amount.toGib(), 1) + " GiB";
        }
        return bytes < BYTES_PER_MIB ? of(bytes / BYTES_PER_KIB, 1) + " KiB" : of(bytes / BYTES_PER_MIB, 1) + " MiB";
    }

    /// The product, rounded as if it were exact. The first BigDecimal of a process takes 12 ms (docs/decisions/0004).
    private static long units(double value, double power) {
        double product = value * power;
        double lost = Math.fma(value, power, -product);
        long units = (long) Math.rint(product);
        double beyond = product - units;
        if (beyond == 0.5 && lost > 0) {
            return units + 1;
        }
        return beyond == -0.5 && lost < 0 ? units - 1 : units;
    }

    private static String text(long units, int decimals) {
        String digits = Long.toString(units);
        if (decimals == 0) {
            return digits;
        }
        String padded = "0".repeat(Math.max(0, decimals + 1 - digits.length())) + digits;
        int point = padded.length() - decimals;
        return padded.substring(0, point) + "." + padded.substring(point);
    }
}
