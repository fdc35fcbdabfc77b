package dev.muster.plan.model;

import dev.muster.core.FixedText;
import java.math.BigDecimal;
import java.util.Optional;

/// How many parameters a model has, as people write it: `70B`, `1.5B`, `125M`, `7e9`.
///
/// @param parameters how many
/// @since 0.1
public record ModelSize(long parameters) {
    /// A plain number below this is no model; most likely a letter was forgotten.
    private static final long LEAST_PLAIN = 1000;

    private static final int MAX_LENGTH = 24;
    private static final String EXPECTED =
            "write a number with M, B or T, as in 125M, 1.5B or 70B, or a count as in 7e9";

    /// Checks the number.
    public ModelSize {
        if (parameters < 1) {
            throw new IllegalArgumentException("a model has at least one parameter: " + parameters);
        }
    }

    /// Whether a text looks like a size: it begins with a digit, and what follows is a number and at most a letter.
    public static boolean isMeant(String text) {
        return find(text).isPresent();
    }

    /// Reads a size.
    ///
    /// @throws IllegalArgumentException if the text is none; the message says what is expected
    public static ModelSize parse(String text) {
        Written written = find(text)
                .orElseThrow(() -> new IllegalArgumentException("'" + text + "' is no model size; " + EXPECTED));
        BigDecimal exact = written.number().scaleByPowerOfTen(written.exponent());
        if (exact.signum() == 0 || exact.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
            throw new IllegalArgumentException("'" + text + "' is no size that a model can have; " + EXPECTED);
        }
        if (exact.stripTrailingZeros().scale() > 0) {
            throw new IllegalArgumentException("'" + text + "' is no whole number of parameters; " + EXPECTED);
        }
        long parameters = exact.longValueExact();
        if (parameters < LEAST_PLAIN && written.exponent() == 0) {
            throw new IllegalArgumentException(
                    "'" + text + "' would be a model of " + parameters + " parameters; did you mean " + text + "B?");
        }
        return new ModelSize(parameters);
    }

    private static Optional<Written> find(String text) {
        if (text.isEmpty() || text.length() > MAX_LENGTH || !isDigit(text.charAt(0))) {
            return Optional.empty();
        }
        int exponent = exponent(text.charAt(text.length() - 1));
        String number = exponent == 0 ? text : text.substring(0, text.length() - 1);
        for (int at = 0; at < number.length(); at++) {
            char c = number.charAt(at);
            if (!isDigit(c) && c != '.' && c != 'e' && c != 'E' && c != '+') {
                return Optional.empty();
            }
        }
        try {
            BigDecimal value = new BigDecimal(number);
            // A number like 1e999999999 is of no use, and expensive to write out.
            return value.precision() - value.scale() > MAX_LENGTH
                    ? Optional.empty()
                    : Optional.of(new Written(value, exponent));
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static int exponent(char letter) {
        return switch (letter) {
            case 'K', 'k' -> 3;
            case 'M', 'm' -> 6;
            case 'B', 'b' -> 9;
            case 'T', 't' -> 12;
            default -> 0;
        };
    }

    /// The size for people, such as `8.03 B`.
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

    private record Written(BigDecimal number, int exponent) {}
}
