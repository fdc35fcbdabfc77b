// SPDX-License-Identifier: Apache-2.0
package dev.muster.model;

import dev.muster.core.text.FixedText;
import java.util.Optional;

/// A number of parameters as people write it: `70B`, `1.5B`, `125M`, `7e9`.
///
/// @param parameters the number
/// @since 0.1
public record ModelSize(long parameters) {
    /// The smallest plain number accepted; below it a letter was most likely forgotten.
    private static final long LEAST_PLAIN = 1000;

    private static final int MAX_LENGTH = 24;
    private static final int MAX_DIGITS = 18;
    private static final int MAX_POWER_DIGITS = 2;
    private static final String EXPECTED =
            "write a number with M, B or T, as in 125M, 1.5B or 70B, or a count as in 7e9";

    public ModelSize {
        if (parameters < 1) {
            throw new IllegalArgumentException("a model has at least one parameter: " + parameters);
        }
    }

    /// Reports whether a text looks like a size: a number that begins with a digit, and at most one letter.
    public static boolean isMeant(String text) {
        return find(text).isPresent();
    }

    /// Parses a size.
    ///
    /// @throws IllegalArgumentException if the text is none; the message says what is expected
    public static ModelSize parse(String text) {
        Written written = find(text)
                .orElseThrow(() -> new IllegalArgumentException("'" + text + "' is not a model size; " + EXPECTED));
        long parameters = written.digits;
        int exponent = written.exponent;
        for (; exponent < 0 && parameters % 10 == 0 && parameters > 0; exponent++) {
            parameters /= 10;
        }
        for (; exponent > 0 && parameters <= Long.MAX_VALUE / 10; exponent--) {
            parameters *= 10;
        }
        if (parameters == 0 || exponent > 0) {
            throw new IllegalArgumentException("'" + text + "' is not a possible model size; " + EXPECTED);
        }
        if (exponent < 0) {
            throw new IllegalArgumentException("'" + text + "' is not a whole number of parameters; " + EXPECTED);
        }
        if (parameters < LEAST_PLAIN && letter(text) == 0) {
            throw new IllegalArgumentException(
                    "'" + text + "' would be a model of " + parameters + " parameters; did you mean " + text + "B?");
        }
        return new ModelSize(parameters);
    }

    /// No `BigDecimal`: the first one takes 12 ms (docs/decisions/0004).
    private static Optional<Written> find(String text) {
        if (text.isEmpty() || text.length() > MAX_LENGTH || !isDigit(text.charAt(0))) {
            return Optional.empty();
        }
        int letter = letter(text);
        String number = letter == 0 ? text : text.substring(0, text.length() - 1);
        int e = Math.max(number.indexOf('e'), number.indexOf('E'));
        String plain = e < 0 ? number : number.substring(0, e);
        int point = plain.indexOf('.');
        String digits = point < 0 ? plain : plain.substring(0, point) + plain.substring(point + 1);
        String power = e < 0 ? "0" : number.substring(number.startsWith("+", e + 1) ? e + 2 : e + 1);
        if (!isDigits(digits, MAX_DIGITS) || !isDigits(power, MAX_POWER_DIGITS)) {
            return Optional.empty();
        }
        int fraction = point < 0 ? 0 : plain.length() - point - 1;
        return Optional.of(new Written(Long.parseLong(digits), letter + Integer.parseInt(power) - fraction));
    }

    private static boolean isDigits(String text, int most) {
        for (int at = 0; at < text.length(); at++) {
            if (!isDigit(text.charAt(at))) {
                return false;
            }
        }
        return !text.isEmpty() && text.length() <= most;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /// Returns the power of ten that the last letter stands for.
    private static int letter(String text) {
        return switch (text.charAt(text.length() - 1)) {
            case 'K', 'k' -> 3;
            case 'M', 'm' -> 6;
            case 'B', 'b' -> 9;
            case 'T', 't' -> 12;
            default -> 0;
        };
    }

    /// Returns the size for people, such as `8.03 B`.
    public String display() {
        double value = parameters;
        if (value >= 1e12) {
            return text(value / 1e12) + " T";
        }
        if (value >= 1e9) {
            return text(value / 1e9) + " B";
        }
        return value >= 1e6 ? text(value / 1e6) + " M" : Long.toString(parameters);
    }

    private static String text(double value) {
        String zeros = value < 10 ? ".00" : ".0";
        String exact = FixedText.of(value, zeros.length() - 1);
        return exact.endsWith(zeros) ? exact.substring(0, exact.length() - zeros.length()) : exact;
    }

    /// @param exponent the power of ten that the digits are multiplied with
    private record Written(long digits, int exponent) {}
}
