// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import java.nio.charset.StandardCharsets;

/// A JSON number taken apart.
///
/// @param end the end of the number; -1 if it is not well formed
/// @param mantissa its digits, when they fit
/// @param exponent the power of ten behind the mantissa
/// @param exact true if mantissa and exponent are small enough for one exact operation
record NumberScan(int end, long mantissa, int exponent, boolean exact, boolean negative) {
    private static final NumberScan BAD = new NumberScan(-1, 0, 0, false, false);
    /// Every decimal of so many digits is exact as a long, and its double.
    private static final int EXACT_DIGITS = 15;
    private static final double[] POWERS = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22
    };

    static NumberScan of(byte[] text, int start, int limit) {
        int at = start;
        boolean negative = text[at] == '-';
        if (negative) {
            at++;
        }
        int wholeStart = at;
        long mantissa = 0;
        while (at < limit && isDigit(text[at])) {
            mantissa = mantissa * 10 + (text[at++] - '0');
        }
        int digits = at - wholeStart;
        if (digits == 0 || (digits > 1 && text[wholeStart] == '0')) {
            return BAD;
        }
        int fraction = 0;
        if (at < limit && text[at] == '.') {
            int fractionStart = ++at;
            while (at < limit && isDigit(text[at])) {
                mantissa = mantissa * 10 + (text[at++] - '0');
            }
            fraction = at - fractionStart;
            if (fraction == 0) {
                return BAD;
            }
        }
        boolean exponent = at < limit && (text[at] == 'e' || text[at] == 'E');
        if (exponent) {
            at = skipExponent(text, at + 1, limit);
        }
        boolean exact = !exponent && digits + fraction <= EXACT_DIGITS;
        return new NumberScan(at, mantissa, -fraction, exact, negative);
    }

    private static int skipExponent(byte[] text, int start, int limit) {
        int at = start;
        if (at < limit && (text[at] == '+' || text[at] == '-')) {
            at++;
        }
        int digits = at;
        while (at < limit && isDigit(text[at])) {
            at++;
        }
        return at == digits ? -1 : at;
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    double value(byte[] text, int start) {
        if (exact) {
            double value = mantissa / POWERS[-exponent];
            return negative ? -value : value;
        }
        return Double.parseDouble(new String(text, start, end - start, StandardCharsets.US_ASCII));
    }
}
