// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Hertz;
import dev.muster.core.unit.Ratio;
import dev.muster.core.unit.Watts;
import dev.muster.detect.text.Amount;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/// One value as nvidia-smi prints it, such as `143771 MiB`, with or without its unit. The many ways of saying that
/// absence become unknown readings.
///
/// @param raw the text; blank where the tool says nothing
/// @param source source of the text
record NvidiaValue(String raw, Provenance source) {
    private static final String DEPRECATED = "[Deprecated";
    private static final long MAX_MIB = 16L << 20;
    private static final long MAX_MEGAHERTZ = 100_000;
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

    /// The name of a GPU, unless it is the one that a driver has for every GPU younger than itself.
    Reading<String> deviceName() {
        Reading<String> name = text();
        boolean nameless =
                name.matches(text -> text.equals("Graphics Device") || text.equals("NVIDIA Graphics Device"));
        return nameless ? Reading.notSupported("the driver does not know this GPU and calls it '" + raw + "'") : name;
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
        return read(Amount::watts);
    }

    Reading<Celsius> celsius() {
        return read(Amount::celsius);
    }

    Reading<Ratio> percent() {
        return read(Amount::percent);
    }

    /// A whole number.
    ///
    /// @param unit unit that may follow
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
            String says = value.isEmpty() ? " does not report it" : " reports '" + value + "'";
            return Reading.unknown(absent.get(), source.source() + says);
        }
        return conversion
                .apply(value)
                .map(converted -> Reading.known(converted, source))
                .orElseGet(() -> Reading.unknown(
                        UnknownReason.UNREADABLE,
                        source.source() + " reports '" + NvidiaFormatException.quote(value) + "'"));
    }

    /// Returns the reason why a text holds no value, if it holds none. One row can hold both `N/A` and `[N/A]`.
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

    /// Reports whether the value says that the GPU itself is in trouble.
    boolean reportsBrokenGpu() {
        String words = raw.toLowerCase(Locale.ROOT);
        return words.contains("requires reset") || words.contains("gpu is lost");
    }

    private static Optional<Long> whole(String value, String unit, long most) {
        boolean hasUnit = value.endsWith(unit);
        return Amount.count(hasUnit ? value.substring(0, value.length() - unit.length()) : value, most);
    }
}
