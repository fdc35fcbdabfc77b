package dev.muster.detect.text;

import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Ratio;
import dev.muster.core.unit.Watts;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.Optional;

/// Amounts whose unit is known beforehand, whether the tool writes it or not. Whatever is not a number within its range
/// is nothing: tools write `N/A`, `-` or `NA` for what they do not know.
public final class Amount {
    private static final double MAX_DEGREES = 1000;
    private static final double MAX_WATTS = 100_000;
    private static final double PER_CENT = 100;

    private Amount() {}

    /// A whole number from 0 on, written with digits alone.
    ///
    /// @param max the largest that makes sense
    public static Optional<Long> count(String text, long max) {
        return Quantity.findCount(text, max);
    }

    /// The number that a text begins with; a unit may follow.
    public static Optional<Double> decimal(String text) {
        // A register such as `0xffffffff` is no number that begins with 0.
        return Quantity.find(text)
                .filter(quantity -> !quantity.unit().startsWith("x"))
                .map(Quantity::number)
                .map(BigDecimal::doubleValue);
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

    /// Memory with its unit, such as `96 GB`.
    public static Optional<Bytes> bytes(String text) {
        return Quantity.find(text).flatMap(Quantity::bytes);
    }

    /// Memory whose unit stands elsewhere.
    ///
    /// @param unit such as `MiB`
    public static Optional<Bytes> bytes(String number, String unit) {
        return Quantity.find(number)
                .filter(quantity -> quantity.unit().isEmpty())
                .flatMap(quantity -> quantity.orIn(unit.strip()).bytes());
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
                    Optional<Bytes> amount = count(word.substring(0, word.length() - unit.length()), Long.MAX_VALUE)
                            .flatMap(whole -> bytes(whole.toString(), unit));
                    if (amount.isPresent()) {
                        return amount;
                    }
                }
            }
        }
        return Optional.empty();
    }
}
