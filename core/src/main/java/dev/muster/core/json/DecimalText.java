// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;

/// Numbers as decimal text. Doubles get the shortest digits that read back the same, with `.0` behind whole numbers
/// and an exponent below 1e-5 and from 1e16 on, as in documents of ai-hwaccel.
final class DecimalText {
    private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);
    private static final double THOUSAND = 1000.0;
    /// Below this, a multiple of 1/1000 has at most 15 digits, and such a decimal is the shortest of its double.
    private static final double FAST_LIMIT = 1e12;
    private static final int LAST_PLAIN_DIGIT = 16;
    private static final int FIRST_PLAIN_DIGIT = -4;

    private static final int HUNDRED = 100;
    /// The powers of ten that a long holds.
    private static final long[] POWERS = powers();
    /// The digits of 00 to 99: two at a time halves the divisions.
    private static final byte[] PAIRS = pairs();

    private DecimalText() {}

    private static long[] powers() {
        long[] powers = new long[19];
        powers[0] = 1;
        for (int i = 1; i < powers.length; i++) {
            powers[i] = powers[i - 1] * 10;
        }
        return powers;
    }

    private static byte[] pairs() {
        byte[] pairs = new byte[2 * HUNDRED];
        for (int i = 0; i < HUNDRED; i++) {
            pairs[2 * i] = (byte) ('0' + i / 10);
            pairs[2 * i + 1] = (byte) ('0' + i % 10);
        }
        return pairs;
    }

    /// Writes a double and returns the new length; `null` when it is not finite.
    static int write(double value, byte[] out, int length) {
        if (!Double.isFinite(value)) {
            System.arraycopy(NULL, 0, out, length, NULL.length);
            return length + NULL.length;
        }
        long whole = (long) (value * THOUSAND + 0.5);
        if (value > 0 && value < FAST_LIMIT && whole / THOUSAND == value) {
            return writeThousandths(whole, out, length);
        }
        return writeShortest(value, out, length);
    }

    /// Writes a number from 0 on and returns the new length.
    static int writeDigits(long value, byte[] out, int length) {
        int digits = 1;
        while (digits < POWERS.length && value >= POWERS[digits]) {
            digits++;
        }
        int end = length + digits;
        long rest = value;
        int at = end;
        while (rest >= HUNDRED) {
            int pair = (int) (rest % HUNDRED) * 2;
            rest /= HUNDRED;
            out[--at] = PAIRS[pair + 1];
            out[--at] = PAIRS[pair];
        }
        if (rest >= 10) {
            out[--at] = PAIRS[(int) rest * 2 + 1];
            out[--at] = PAIRS[(int) rest * 2];
        } else {
            out[--at] = (byte) ('0' + rest);
        }
        return end;
    }

    private static int writeThousandths(long thousandths, byte[] out, int length) {
        int at = writeDigits(thousandths / 1000, out, length);
        int rest = (int) (thousandths % 1000);
        out[at++] = '.';
        out[at++] = (byte) ('0' + rest / 100);
        if (rest % 100 != 0) {
            out[at++] = (byte) ('0' + rest / 10 % 10);
            if (rest % 10 != 0) {
                out[at++] = (byte) ('0' + rest % 10);
            }
        }
        return at;
    }

    private static int writeShortest(double value, byte[] out, int length) {
        byte[] text = shortest(value).getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(text, 0, out, length, text.length);
        return length + text.length;
    }

    /// The digits are the JDK's, which are the shortest; the layout is ours.
    private static String shortest(double value) {
        if (value == 0) {
            return 1 / value < 0 ? "-0.0" : "0.0";
        }
        String sign = value < 0 ? "-" : "";
        BigDecimal exact = new BigDecimal(Double.toString(Math.abs(value))).stripTrailingZeros();
        // Of the smallest doubles the JDK gives two digits where one is enough.
        if (exact.precision() == 2) {
            BigDecimal shorter = exact.round(new MathContext(1));
            exact = shorter.doubleValue() == Math.abs(value) ? shorter.stripTrailingZeros() : exact;
        }
        String digits = exact.unscaledValue().toString();
        int point = digits.length() - exact.scale();
        if (point > LAST_PLAIN_DIGIT || point < FIRST_PLAIN_DIGIT) {
            String fraction = digits.length() > 1 ? "." + digits.substring(1) : "";
            return sign + digits.charAt(0) + fraction + "e" + (point - 1);
        }
        if (point <= 0) {
            return sign + "0." + "0".repeat(-point) + digits;
        }
        if (point >= digits.length()) {
            return sign + digits + "0".repeat(point - digits.length()) + ".0";
        }
        return sign + digits.substring(0, point) + "." + digits.substring(point);
    }
}
