// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.unit;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/// An amount of memory in bytes, from 0 to 2^64-1.
///
/// The value is an unsigned 64-bit number, because documents of other tools hold such numbers. Sums and products that
/// leave the range throw [ArithmeticException]; only the `saturating…` operations stop at the maximum.
///
/// @param unsigned the number of bytes as the bits of an unsigned `long`
/// @since 0.1
public record Bytes(long unsigned) implements Comparable<Bytes> {
    /// No memory at all.
    public static final Bytes ZERO = new Bytes(0);

    /// The largest amount: 2^64-1 bytes.
    public static final Bytes MAX = new Bytes(-1L);

    private static final long KIB = 1L << 10;
    private static final long MIB = 1L << 20;
    private static final long GIB = 1L << 30;
    private static final BigInteger LIMIT = BigInteger.ONE.shiftLeft(Long.SIZE);

    /// The given number of bytes.
    ///
    /// @throws IllegalArgumentException if `count` is negative
    public static Bytes of(long count) {
        if (count < 0) {
            throw new IllegalArgumentException("a number of bytes is not negative: " + count);
        }
        return new Bytes(count);
    }

    /// The given number of KiB (1024 bytes each).
    public static Bytes ofKib(long count) {
        return of(Math.multiplyExact(count, KIB));
    }

    /// The given number of MiB (2^20 bytes each).
    public static Bytes ofMib(long count) {
        return of(Math.multiplyExact(count, MIB));
    }

    /// The given number of GiB (2^30 bytes each).
    public static Bytes ofGib(long count) {
        return of(Math.multiplyExact(count, GIB));
    }

    /// Reads an amount as people write it: `80GiB`, `80G` (binary too), `80GB` (decimal), `512MiB`, `1.5TiB`, `1024`.
    ///
    /// @throws IllegalArgumentException if the text is not an amount of memory; the message says what is expected
    public static Bytes parse(String text) {
        return ByteSizeGrammar.parse(text);
    }

    /// Reads an amount that has a unit. Without one, people mean GiB and files mean bytes, so that is refused.
    ///
    /// @throws IllegalArgumentException if the text is not an amount of memory; the message says what is expected
    public static Bytes parseWithUnit(String text) {
        Bytes amount = parse(text);
        String number = text.strip();
        if (Character.isDigit(number.charAt(number.length() - 1))) {
            throw new IllegalArgumentException(
                    "'" + number + "' has no unit; write " + number + "GiB, or " + number + "B for bytes");
        }
        return amount;
    }

    static Bytes ofExact(BigDecimal bytes, String text) {
        BigInteger whole = bytes.setScale(0, RoundingMode.HALF_EVEN).toBigInteger();
        if (whole.signum() < 0 || whole.compareTo(LIMIT) >= 0) {
            throw new IllegalArgumentException("'" + text + "' is out of range: at most 2^64-1 bytes");
        }
        return new Bytes(whole.longValue());
    }

    /// The sum; throws [ArithmeticException] past 2^64-1.
    public Bytes plus(Bytes other) {
        long sum = unsigned + other.unsigned;
        if (Long.compareUnsigned(sum, unsigned) < 0) {
            throw new ArithmeticException("memory sum exceeds 2^64-1 bytes: " + this + " + " + other);
        }
        return new Bytes(sum);
    }

    /// The difference; throws [ArithmeticException] below zero.
    public Bytes minus(Bytes other) {
        if (compareTo(other) < 0) {
            throw new ArithmeticException("memory difference is negative: " + this + " - " + other);
        }
        return new Bytes(unsigned - other.unsigned);
    }

    /// The sum, stopping at [#MAX].
    public Bytes saturatingPlus(Bytes other) {
        long sum = unsigned + other.unsigned;
        return Long.compareUnsigned(sum, unsigned) < 0 ? MAX : new Bytes(sum);
    }

    /// The product with a count, stopping at [#MAX].
    public Bytes saturatingTimes(long count) {
        if (count < 0) {
            throw new IllegalArgumentException("a count is not negative: " + count);
        }
        boolean fits = Math.unsignedMultiplyHigh(unsigned, count) == 0;
        return fits ? new Bytes(unsigned * count) : MAX;
    }

    /// The amount in GiB, correctly rounded.
    public double toGib() {
        return toDouble() / GIB;
    }

    /// The amount in bytes as the nearest double.
    public double toDouble() {
        if (unsigned >= 0) {
            return unsigned;
        }
        // Halve with the lost bit kept sticky, so that the one rounding below is the right one.
        return ((unsigned >>> 1) | (unsigned & 1)) * 2.0;
    }

    /// Reports whether the amount is zero.
    public boolean isZero() {
        return unsigned == 0;
    }

    @Override
    public int compareTo(Bytes other) {
        return Long.compareUnsigned(unsigned, other.unsigned);
    }

    /// The plain decimal number of bytes.
    @Override
    public String toString() {
        return Long.toUnsignedString(unsigned);
    }
}
