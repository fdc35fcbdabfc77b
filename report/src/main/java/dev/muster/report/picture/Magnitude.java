// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.picture;

import dev.muster.core.text.FixedText;
import java.util.List;

/// Large and small numbers in three digits, with the letter of their thousands.
final class Magnitude {
    private static final List<String> LETTERS = List.of("", "k", "M", "G", "T", "P", "E");
    private static final double THOUSAND = 1000;
    /// The largest value of a letter; larger ones would be written as a thousand, and take the next letter.
    private static final double ALMOST_THOUSAND = 999.5;

    private Magnitude() {}

    /// Returns a number that is not negative, such as `1.98 P`.
    static String of(double value) {
        return of(value, "");
    }

    /// Returns a number with a unit, such as `1.98 PFLOP/s`.
    static String of(double value, String unit) {
        double scaled = value;
        int letter = 0;
        while (scaled >= ALMOST_THOUSAND && letter + 1 < LETTERS.size()) {
            scaled /= THOUSAND;
            letter++;
        }
        String digits = FixedText.of(scaled, scaled < 0.995 ? 3 : scaled < 9.995 ? 2 : scaled < 99.95 ? 1 : 0);
        String text = digits.contains(".") ? digits.replaceAll("0+$", "").replaceAll("\\.$", "") : digits;
        return (text + " " + LETTERS.get(letter) + unit).strip();
    }

    /// Returns a time, such as `100 µs`.
    static String seconds(double value) {
        if (value < 0.9995e-6) {
            return of(value * 1e9, "ns");
        }
        if (value < 0.9995e-3) {
            return of(value * 1e6, "µs");
        }
        return value < 0.9995 ? of(value * 1e3, "ms") : of(value, "s");
    }
}
