// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.text;

import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Hertz;
import dev.muster.core.unit.Ratio;
import dev.muster.core.unit.Watts;
import java.util.Locale;
import java.util.Optional;

/// Numbers as tools and files write them, with or without a unit behind: `16384.00 MiB`, `87W`, `41.5°C`, `0 %`.
/// Text that is not a number within its range, or has an unexpected unit, is nothing: tools write `N/A`, `-` or
/// `NA` for unknown values. Every start comes here: no `BigDecimal` (docs/decisions/0004).
public final class Amount {
    /// The most memory that one device is believed to have: 16 TiB.
    public static final Bytes MAX_MEMORY = Bytes.ofGib(16 << 10);

    private static final int MAX_TEXT = 64;
    private static final int MAX_DIGITS = 18;
    private static final double LEAST_DEGREES = -273;
    private static final double MAX_DEGREES = 1000;
    private static final double MAX_WATTS = 100_000;
    private static final double MAX_MEGAHERTZ = 100_000;
    private static final double PER_MEGAHERTZ = 1e6;
    private static final double PER_CENT = 100;
    private static final double KILO = 1024;
    private static final String PREFIXES = "KMGT";

    private Amount() {}

    /// A whole number from 0 on, written with digits alone.
    ///
    /// @param max the largest that makes sense
    public static Optional<Long> count(String text, long max) {
        String form = text.strip();
        if (form.isEmpty() || form.length() > MAX_DIGITS || skipDigits(form, 0) != form.length()) {
            return Optional.empty();
        }
        long value = Long.parseLong(form);
        return value <= max ? Optional.of(value) : Optional.empty();
    }

    /// The whole number behind a prefix, as in `card0`.
    ///
    /// @param max the largest that makes sense
    public static Optional<Long> numbered(String name, String prefix, long max) {
        return name.startsWith(prefix) ? count(name.substring(prefix.length()), max) : Optional.empty();
    }

    /// The number that a text begins with; anything may follow.
    public static Optional<Double> decimal(String text) {
        String form = text.strip();
        int end = endOfNumber(form);
        // A register such as `0xffffffff` is not a number that begins with 0.
        return end == 0 || form.length() > MAX_TEXT || form.startsWith("x", end)
                ? Optional.empty()
                : Optional.of(Double.parseDouble(form.substring(0, end)));
    }

    /// A number with one of some units behind it, or with none.
    ///
    /// @param units as they are written; upper and lower case are the same
    public static Optional<Double> decimal(String text, String... units) {
        String unit = unitOf(text);
        for (String known : units) {
            if (unit.equalsIgnoreCase(known)) {
                return decimal(text);
            }
        }
        return unit.isEmpty() ? decimal(text) : Optional.empty();
    }

    private static String unitOf(String text) {
        String form = text.strip();
        return form.substring(endOfNumber(form)).strip();
    }

    /// Returns the end of the number that starts the text: digits, perhaps a sign before and a fraction behind.
    private static int endOfNumber(String text) {
        int start = text.startsWith("-") ? 1 : 0;
        int end = skipDigits(text, start);
        if (end == start) {
            return 0;
        }
        int fraction = text.startsWith(".", end) ? skipDigits(text, end + 1) : 0;
        return fraction > end + 1 ? fraction : end;
    }

    private static int skipDigits(String text, int start) {
        int end = start;
        while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
            end++;
        }
        return end;
    }

    /// A temperature such as `41.5°C`.
    public static Optional<Celsius> celsius(String text) {
        return decimal(text, "C", "°C")
                .filter(value -> value >= LEAST_DEGREES && value <= MAX_DEGREES)
                .map(Celsius::new);
    }

    /// A power in watts such as `38.40 W`.
    public static Optional<Watts> watts(String text) {
        return decimal(text, "W")
                .filter(value -> value >= 0 && value <= MAX_WATTS)
                .map(Watts::new);
    }

    /// A share in per cent such as `100.00%`.
    public static Optional<Ratio> percent(String text) {
        return decimal(text, "%")
                .filter(value -> value >= 0 && value <= PER_CENT)
                .map(value -> new Ratio(value / PER_CENT));
    }

    /// A frequency in megahertz such as `2050 MHz`; 0 is none.
    public static Optional<Hertz> megahertz(String text) {
        return decimal(text, "MHz")
                .filter(value -> value > 0 && value < MAX_MEGAHERTZ)
                .map(value -> new Hertz(Math.round(value * PER_MEGAHERTZ)));
    }

    /// Memory with its unit, such as `96 GB`, up to [#MAX_MEMORY]. Tools mean 1024 by `KB`, `MB` and `GB` just as by
    /// `KiB`, `MiB`, `GiB`.
    public static Optional<Bytes> bytes(String text) {
        return bytes(text, "");
    }

    /// Memory whose unit may stand elsewhere.
    ///
    /// @param unit such as `MiB`, for a number without a unit of its own
    public static Optional<Bytes> bytes(String text, String unit) {
        String own = unitOf(text);
        int power = powerOf((own.isEmpty() ? unit.strip() : own).toUpperCase(Locale.ROOT));
        return power < 0
                ? Optional.empty()
                : decimal(text)
                        .map(number -> Math.rint(number * Math.pow(KILO, power)))
                        .filter(bytes -> bytes >= 0 && bytes <= MAX_MEMORY.toDouble())
                        .map(bytes -> Bytes.of(bytes.longValue()));
    }

    private static int powerOf(String upper) {
        if (upper.equals("B") || upper.equals("BYTES")) {
            return 0;
        }
        boolean fits = (upper.length() == 2 && upper.endsWith("B")) || (upper.length() == 3 && upper.endsWith("IB"));
        int letter = fits ? PREFIXES.indexOf(upper.charAt(0)) : -1;
        return letter < 0 ? -1 : letter + 1;
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
