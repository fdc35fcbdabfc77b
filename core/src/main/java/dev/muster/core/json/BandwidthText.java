// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import static dev.muster.core.json.DocumentException.DocumentErrorCode.WRONG_VALUE;

import dev.muster.core.unit.Bandwidth;
import java.math.BigDecimal;

/// Bandwidth in bytes per second as decimal text. The point is moved in the text, not the double multiplied, so that
/// every value reads back the same.
final class BandwidthText {
    private static final int DIGITS_OF_GIGA = 9;
    private static final int LONGEST_PLAIN = 40;
    /// Digits before the point of the largest rate, and some more.
    private static final int MOST_DIGITS = 400;
    /// Whole numbers of so many digits are exact as doubles, and so is the divisor: the quotient is the nearest double.
    private static final int EXACT_DIGITS = 15;
    private static final double GIGA = 1e9;

    private BandwidthText() {}

    static String of(Bandwidth bandwidth) {
        double rate = bandwidth.gigabytesPerSecond();
        if (rate == 0) {
            return 1 / rate < 0 ? "-0" : "0";
        }
        String text = Double.toString(rate);
        if (isWholeBytes(text)) {
            return wholeBytes(text);
        }
        BigDecimal bytes = new BigDecimal(text).movePointRight(DIGITS_OF_GIGA).stripTrailingZeros();
        boolean shortEnough = Math.abs(bytes.scale()) + bytes.precision() < LONGEST_PLAIN;
        return shortEnough ? bytes.toPlainString() : bytes.toString();
    }

    /// Reports whether the rate has neither exponent nor sign and at most nine digits behind the point: nearly all
    /// have. They
    /// are spared the first use of a decimal, which takes 12 ms.
    private static boolean isWholeBytes(String text) {
        int point = text.indexOf('.');
        return text.charAt(0) != '-' && text.indexOf('E') < 0 && text.length() - point - 1 <= DIGITS_OF_GIGA;
    }

    private static String wholeBytes(String text) {
        int point = text.indexOf('.');
        String fraction = text.substring(point + 1);
        String digits = text.substring(0, point) + fraction + "0".repeat(DIGITS_OF_GIGA - fraction.length());
        int first = 0;
        while (digits.charAt(first) == '0') {
            first++;
        }
        return digits.substring(first);
    }

    static Bandwidth read(JsonReader json) {
        String text = json.nextUnboundedNumberText();
        double bytes = Double.parseDouble(text);
        if (isExact(text)) {
            return new Bandwidth(bytes / GIGA);
        }
        // A double of zero or infinity may hide an exponent that no decimal can hold.
        if (bytes == 0) {
            return new Bandwidth(bytes);
        }
        double rate = Double.isFinite(bytes) || isBelowLargest(text)
                ? new BigDecimal(text).movePointLeft(DIGITS_OF_GIGA).doubleValue()
                : bytes;
        if (!Double.isFinite(rate)) {
            throw json.error(WRONG_VALUE, "the number is out of range");
        }
        return new Bandwidth(rate);
    }

    private static boolean isExact(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return text.length() <= EXACT_DIGITS;
    }

    /// Reports whether the number has so few digits before its point that a conversion is quick.
    private static boolean isBelowLargest(String text) {
        try {
            BigDecimal bytes = new BigDecimal(text);
            return (long) bytes.precision() - bytes.scale() < MOST_DIGITS;
        } catch (NumberFormatException _) {
            return false;
        }
    }
}
