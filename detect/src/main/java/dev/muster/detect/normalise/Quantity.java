package dev.muster.detect.normalise;

import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Ratio;
import dev.muster.core.unit.Watts;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.Optional;

/// Numbers and amounts as tools write them. Whatever is not a number within its range is nothing: tools write `N/A`,
/// `-` or `NA` for what they do not know.
public final class Quantity {
    /// More memory than any device has; what says more is not believed.
    private static final BigDecimal MAX_MEMORY = BigDecimal.valueOf(16L << 40);

    private static final int MAX_DIGITS = 20;
    private static final double MAX_DEGREES = 1000;
    private static final double MAX_WATTS = 100_000;
    private static final double PER_CENT = 100;

    private Quantity() {}

    /// A whole number from 0 on, written with digits alone.
    ///
    /// @param max the largest that makes sense
    public static Optional<Long> count(String text, long max) {
        String digits = text.strip();
        if (digits.isEmpty() || digits.length() >= MAX_DIGITS - 1 || numberEnd(digits) != digits.length()) {
            return Optional.empty();
        }
        if (digits.indexOf('.') >= 0 || digits.charAt(0) == '-') {
            return Optional.empty();
        }
        long value = Long.parseLong(digits);
        return value <= max ? Optional.of(value) : Optional.empty();
    }

    /// The number that a text begins with; a unit may follow.
    public static Optional<Double> decimal(String text) {
        return exact(text.strip()).map(BigDecimal::doubleValue);
    }

    /// A temperature such as `41.5°C`.
    public static Optional<Celsius> celsius(String text) {
        return decimal(text)
                .filter(value -> value > -MAX_DEGREES && value < MAX_DEGREES)
                .map(Celsius::new);
    }

    /// A power in watts such as `38.40 W`.
    public static Optional<Watts> watts(String text) {
        return decimal(text).filter(value -> value >= 0 && value < MAX_WATTS).map(Watts::new);
    }

    /// A share in per cent such as `100.00%`.
    public static Optional<Ratio> percent(String text) {
        return decimal(text).filter(value -> value >= 0 && value <= PER_CENT).map(value -> new Ratio(value / PER_CENT));
    }

    /// Memory with its unit, such as `96 GB`. Vendors' tools count in powers of two, whichever way they write the unit.
    public static Optional<Bytes> bytes(String text) {
        String amount = text.strip();
        int end = numberEnd(amount);
        return bytes(amount.substring(0, end), amount.substring(end));
    }

    /// Memory whose unit stands elsewhere.
    ///
    /// @param unit such as `MiB`
    public static Optional<Bytes> bytes(String number, String unit) {
        int shift = shiftOf(unit.strip().toLowerCase(Locale.ROOT));
        if (shift < 0) {
            return Optional.empty();
        }
        return exact(number.strip())
                .map(value -> value.multiply(BigDecimal.valueOf(1L << shift)))
                .filter(value -> value.signum() >= 0 && value.compareTo(MAX_MEMORY) <= 0)
                .map(value -> Bytes.of(value.setScale(0, RoundingMode.HALF_EVEN).longValueExact()));
    }

    /// The amount on the first line that speaks of memory, written without a blank as in `Memory: 44GB`.
    ///
    /// @param units the units that count, such as `GB`; large or small, but not mixed
    public static Optional<Bytes> memoryLine(String text, String... units) {
        for (String line : text.split("\n")) {
            String lower = line.toLowerCase(Locale.ROOT);
            if (lower.contains("memory") || lower.contains("sram")) {
                Optional<Bytes> amount = firstAmount(line, units);
                if (amount.isPresent()) {
                    return amount;
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<Bytes> firstAmount(String line, String... units) {
        for (String word : line.strip().split("\\s+")) {
            for (String unit : units) {
                if (word.endsWith(unit) || word.endsWith(unit.toLowerCase(Locale.ROOT))) {
                    String digits = word.substring(0, word.length() - unit.length());
                    Optional<Bytes> amount =
                            count(digits, Long.MAX_VALUE).flatMap(whole -> bytes(whole.toString(), unit));
                    if (amount.isPresent()) {
                        return amount;
                    }
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<BigDecimal> exact(String text) {
        int end = numberEnd(text);
        // A register such as `0xffffffff` is no number that begins with 0.
        boolean hexadecimal = end < text.length() && text.charAt(end) == 'x';
        return end == 0 || end > MAX_DIGITS || hexadecimal
                ? Optional.empty()
                : Optional.of(new BigDecimal(text.substring(0, end)));
    }

    /// Where the number ends that a text begins with; 0 without one.
    private static int numberEnd(String text) {
        int start = text.startsWith("-") ? 1 : 0;
        int end = digitsEnd(text, start);
        if (end == start) {
            return 0;
        }
        if (end < text.length() && text.charAt(end) == '.') {
            int fraction = digitsEnd(text, end + 1);
            return fraction == end + 1 ? end : fraction;
        }
        return end;
    }

    private static int digitsEnd(String text, int start) {
        int end = start;
        while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
            end++;
        }
        return end;
    }

    private static int shiftOf(String unit) {
        return switch (unit) {
            case "b", "bytes" -> 0;
            case "kb", "kib" -> 10;
            case "mb", "mib" -> 20;
            case "gb", "gib" -> 30;
            case "tb", "tib" -> 40;
            default -> -1;
        };
    }
}
