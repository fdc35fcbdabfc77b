package dev.muster.core.unit;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The grammar of memory sizes on the command line: a decimal number and a unit, with or without a blank between.
/// A unit that ends in `iB`, and the bare letter, are binary; `KB`, `MB`, `GB` and `TB` are decimal.
final class ByteSizeGrammar {
    private static final int MAX_TEXT = 40;
    private static final Pattern SIZE = Pattern.compile("([0-9]+(?:\\.[0-9]+)?) ?([a-zA-Z]*)");
    private static final Map<String, Long> FACTORS = Map.ofEntries(
            Map.entry("", 1L),
            Map.entry("b", 1L),
            Map.entry("k", 1L << 10),
            Map.entry("kib", 1L << 10),
            Map.entry("kb", 1_000L),
            Map.entry("m", 1L << 20),
            Map.entry("mib", 1L << 20),
            Map.entry("mb", 1_000_000L),
            Map.entry("g", 1L << 30),
            Map.entry("gib", 1L << 30),
            Map.entry("gb", 1_000_000_000L),
            Map.entry("t", 1L << 40),
            Map.entry("tib", 1L << 40),
            Map.entry("tb", 1_000_000_000_000L));

    private ByteSizeGrammar() {}

    static Bytes parse(String text) {
        Matcher matcher = SIZE.matcher(text.strip());
        if (text.length() > MAX_TEXT || !matcher.matches()) {
            throw notASize(text);
        }
        Long factor = FACTORS.get(matcher.group(2).toLowerCase(Locale.ROOT));
        if (factor == null) {
            throw notASize(text);
        }
        return Bytes.ofExact(new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(factor)), text);
    }

    private static IllegalArgumentException notASize(String text) {
        String shown = text.length() > MAX_TEXT ? text.substring(0, MAX_TEXT) + "…" : text;
        return new IllegalArgumentException(
                "'" + shown + "' is not a memory size; write a number with KiB, MiB, GiB or TiB, as in 80GiB");
    }
}
