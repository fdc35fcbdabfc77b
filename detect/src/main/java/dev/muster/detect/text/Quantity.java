package dev.muster.detect.text;

import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Hertz;
import dev.muster.core.unit.Ratio;
import dev.muster.core.unit.Watts;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.Optional;

/// A number and its unit as a tool prints them, such as `16384.00 MiB`, `87W` or `0 %`. Immutable.
///
/// @param number the number
/// @param unit the unit as it was written; blank where there is none
public record Quantity(BigDecimal number, String unit) {
    /// The most memory that one device is believed to have: 16 TiB.
    public static final Bytes MAX_MEMORY = Bytes.ofGib(16 << 10);

    private static final int MAX_TEXT = 64;
    private static final BigDecimal KILO = BigDecimal.valueOf(1024);
    private static final BigDecimal MEGAHERTZ = BigDecimal.valueOf(1_000_000);
    private static final BigDecimal PERCENT = BigDecimal.valueOf(100);
    private static final String UNITS = "KMGT";

    /// Reads a number and the word behind it; a text that does not begin with a number is none.
    public static Optional<Quantity> find(String text) {
        String form = text.strip();
        int end = endOfNumber(form);
        if (end == 0 || form.length() > MAX_TEXT) {
            return Optional.empty();
        }
        return Optional.of(new Quantity(
                new BigDecimal(form.substring(0, end)), form.substring(end).strip()));
    }

    /// Where a number ends that starts the text: digits, perhaps a sign before and a fraction behind.
    private static int endOfNumber(String text) {
        int start = text.startsWith("-") ? 1 : 0;
        int end = skipDigits(text, start);
        if (end == start) {
            return 0;
        }
        if (end < text.length() && text.charAt(end) == '.') {
            int fraction = skipDigits(text, end + 1);
            return fraction > end + 1 ? fraction : end;
        }
        return end;
    }

    private static int skipDigits(String text, int start) {
        int end = start;
        while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
            end++;
        }
        return end;
    }

    /// The same number with another unit where it has none.
    public Quantity orIn(String otherUnit) {
        return unit.isEmpty() ? new Quantity(number, otherUnit) : this;
    }

    /// An amount of memory, up to [#MAX_MEMORY]. Tools mean 1024 by `KB`, `MB` and `GB` just as by `KiB`, `MiB`, `GiB`.
    public Optional<Bytes> bytes() {
        int power = powerOf(unit.toUpperCase(Locale.ROOT));
        if (power < 0 || number.signum() < 0) {
            return Optional.empty();
        }
        BigDecimal bytes = number.multiply(KILO.pow(power)).setScale(0, RoundingMode.HALF_EVEN);
        return bytes.compareTo(BigDecimal.valueOf(MAX_MEMORY.unsigned())) > 0
                ? Optional.empty()
                : Optional.of(Bytes.of(bytes.longValueExact()));
    }

    private static int powerOf(String upper) {
        if (upper.equals("B") || upper.equals("BYTES")) {
            return 0;
        }
        boolean fits = (upper.length() == 2 && upper.endsWith("B")) || (upper.length() == 3 && upper.endsWith("IB"));
        int letter = fits ? UNITS.indexOf(upper.charAt(0)) : -1;
        return letter < 0 ? -1 : letter + 1;
    }

    /// A power in watts.
    public Optional<Watts> watts() {
        return unit.equals("W") && number.signum() >= 0
                ? Optional.of(new Watts(number.doubleValue()))
                : Optional.empty();
    }

    /// A temperature in degrees Celsius.
    public Optional<Celsius> celsius() {
        return unit.equals("C") ? Optional.of(new Celsius(number.doubleValue())) : Optional.empty();
    }

    /// A share, given in per cent.
    public Optional<Ratio> ratio() {
        return unit.equals("%") && number.signum() >= 0 && number.compareTo(PERCENT) <= 0
                ? Optional.of(new Ratio(number.doubleValue() / PERCENT.doubleValue()))
                : Optional.empty();
    }

    /// A frequency, given in megahertz; 0 is none.
    public Optional<Hertz> megahertz() {
        BigDecimal hertz = number.multiply(MEGAHERTZ);
        return unit.equals("MHz") && hertz.signum() > 0 && hertz.precision() - hertz.scale() < 18
                ? Optional.of(new Hertz(hertz.longValue()))
                : Optional.empty();
    }

    /// A whole number without a unit, from 0 to a limit.
    ///
    /// @param text what to read
    /// @param max the largest number that is believed
    public static Optional<Long> findCount(String text, long max) {
        String form = text.strip();
        if (form.isEmpty() || form.length() > 18 || skipDigits(form, 0) != form.length()) {
            return Optional.empty();
        }
        long value = Long.parseLong(form);
        return value <= max ? Optional.of(value) : Optional.empty();
    }
}
