package dev.muster.detect.nvidia;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Hertz;
import dev.muster.core.unit.Ratio;
import dev.muster.core.unit.Watts;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;

/// One value as nvidia-smi prints it, such as `143771 MiB`, with or without its unit. The many ways of saying that
/// there is no value become unknown readings.
///
/// @param raw the text; blank where the tool says nothing
/// @param source where it was printed
record NvidiaValue(String raw, Provenance source) {
    private static final String DEPRECATED = "[Deprecated";
    private static final long MAX_MIB = 16L << 20;
    private static final long MAX_MEGAHERTZ = 100_000;
    private static final double MAX_WATTS = 100_000;
    private static final double LEAST_CELSIUS = -273;
    private static final double MOST_CELSIUS = 1000;
    private static final double PERCENT = 100;
    private static final int MAX_DIGITS = 18;
    private static final int MAX_TEXT = 256;

    /// The value without what newer drivers append to a field they will drop.
    private String bare() {
        int note = raw.indexOf(DEPRECATED);
        String value = (note > 0 ? raw.substring(0, note) : raw).strip();
        return value.length() > MAX_TEXT ? value.substring(0, MAX_TEXT) : value;
    }

    Reading<String> text() {
        return read(Optional::of);
    }

    /// The text in small letters, for words that sources write in different letters.
    Reading<String> word() {
        return text().map(value -> value.toLowerCase(Locale.ROOT));
    }

    /// The text in capital letters, for ids that sources write in different letters.
    Reading<String> capitals() {
        return text().map(value -> value.toUpperCase(Locale.ROOT));
    }

    Reading<Bytes> mebibytes() {
        return read(value -> whole(value, "MiB", MAX_MIB).map(Bytes::ofMib));
    }

    Reading<Hertz> megahertz() {
        return read(value -> whole(value, "MHz", MAX_MEGAHERTZ).map(Hertz::ofMegahertz));
    }

    Reading<Watts> watts() {
        return read(value -> decimal(value, "W", 0, MAX_WATTS).map(Watts::new));
    }

    Reading<Celsius> celsius() {
        return read(value -> decimal(value, "C", LEAST_CELSIUS, MOST_CELSIUS).map(Celsius::new));
    }

    Reading<Ratio> percent() {
        return read(value -> decimal(value, "%", 0, PERCENT).map(share -> new Ratio(share / PERCENT)));
    }

    /// A whole number.
    ///
    /// @param unit what may stand behind it
    /// @param most the largest that can be true
    Reading<Long> count(String unit, long most) {
        return read(value -> whole(value, unit, most));
    }

    Reading<Boolean> enabled() {
        return read(value -> switch (value) {
            case "Enabled" -> Optional.of(true);
            case "Disabled" -> Optional.of(false);
            default -> Optional.empty();
        });
    }

    private <T> Reading<T> read(Function<String, Optional<T>> conversion) {
        String value = bare();
        Optional<UnknownReason> absent = findReason(value);
        if (absent.isPresent()) {
            String says = value.isEmpty() ? " does not say" : " says '" + value + "'";
            return Reading.unknown(absent.get(), source.source() + says);
        }
        return conversion
                .apply(value)
                .map(converted -> Reading.known(converted, source))
                .orElseGet(() -> Reading.unknown(
                        UnknownReason.UNREADABLE,
                        source.source() + " says '" + NvidiaFormatException.quote(value) + "'"));
    }

    /// Why a text is no value, if it is none. One row can hold both `N/A` and `[N/A]`.
    private static Optional<UnknownReason> findReason(String value) {
        boolean bracketed = value.startsWith("[") && value.endsWith("]");
        String words = (bracketed ? value.substring(1, value.length() - 1) : value)
                .strip()
                .toLowerCase(Locale.ROOT);
        return switch (words) {
            case "", "n/a", "not supported", "not available", "not found", "function not found" ->
                Optional.of(UnknownReason.NOT_SUPPORTED);
            case "requested functionality has been deprecated" -> Optional.of(UnknownReason.NOT_SUPPORTED);
            case "insufficient permissions", "no permission" -> Optional.of(UnknownReason.NOT_PERMITTED);
            case "unknown error", "unknown", "err!", "gpu requires reset", "gpu is lost" ->
                Optional.of(UnknownReason.UNREADABLE);
            default ->
                bracketed || words.startsWith("deprecated, see")
                        ? Optional.of(UnknownReason.UNREADABLE)
                        : Optional.empty();
        };
    }

    /// Whether the value says that the GPU itself is in trouble.
    boolean saysGpuIsBroken() {
        String words = raw.toLowerCase(Locale.ROOT);
        return words.contains("requires reset") || words.contains("gpu is lost");
    }

    private static Optional<Long> whole(String value, String unit, long most) {
        OptionalLong number = wholeNumber(withoutUnit(value, unit));
        return number.isPresent() && number.getAsLong() <= most ? Optional.of(number.getAsLong()) : Optional.empty();
    }

    private static Optional<Double> decimal(String value, String unit, double least, double most) {
        OptionalDouble number = decimalNumber(withoutUnit(value, unit));
        return number.isPresent() && number.getAsDouble() >= least && number.getAsDouble() <= most
                ? Optional.of(number.getAsDouble())
                : Optional.empty();
    }

    private static String withoutUnit(String value, String unit) {
        return value.endsWith(unit)
                ? value.substring(0, value.length() - unit.length()).strip()
                : value;
    }

    /// A number of digits alone.
    static OptionalLong wholeNumber(String digits) {
        if (digits.isEmpty() || digits.length() > MAX_DIGITS) {
            return OptionalLong.empty();
        }
        for (int i = 0; i < digits.length(); i++) {
            if (!isDigit(digits.charAt(i))) {
                return OptionalLong.empty();
            }
        }
        return OptionalLong.of(Long.parseLong(digits));
    }

    /// A number of digits with at most one sign and one point; words such as `nan` are none.
    static OptionalDouble decimalNumber(String text) {
        String digits = text.startsWith("-") ? text.substring(1) : text;
        int points = 0;
        for (int i = 0; i < digits.length(); i++) {
            points += digits.charAt(i) == '.' ? 1 : 0;
            if (!isDigit(digits.charAt(i)) && digits.charAt(i) != '.') {
                return OptionalDouble.empty();
            }
        }
        return digits.length() > points && digits.length() <= MAX_DIGITS && points <= 1
                ? OptionalDouble.of(Double.parseDouble(text))
                : OptionalDouble.empty();
    }

    private static boolean isDigit(char character) {
        return character >= '0' && character <= '9';
    }
}
