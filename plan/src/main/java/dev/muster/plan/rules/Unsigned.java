// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.rules;

/// Arithmetic of unsigned 64-bit numbers, which the rules count with.
final class Unsigned {
    private Unsigned() {}

    /// Returns the quotient, rounded up.
    static long ceilDiv(long number, long divisor) {
        long whole = Long.divideUnsigned(number, divisor);
        return whole * divisor == number ? whole : whole + 1;
    }

    static double toDouble(long number) {
        // Halved with the lost bit kept sticky, so that the one rounding is the right one.
        return number >= 0 ? number : ((number >>> 1) | (number & 1)) * 2.0;
    }
}
