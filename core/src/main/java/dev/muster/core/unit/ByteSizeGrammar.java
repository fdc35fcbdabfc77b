// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.unit;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The grammar of memory sizes on the command line: a decimal number and a unit, with or without a blank between.
/// A unit that ends in `iB`, and the bare letter, are binary; `KB`, `MB`, `GB` and `TB` are decimal.
final class ByteSizeGrammar {
    private static final int MAX_TEXT = 40;
    private static final Pattern SIZE =
            Pattern.compile("([0-9]+(?:\\.[0-9]+)?) ?(?:b|([kmgt])(i?b)?)?", Pattern.CASE_INSENSITIVE);
    private static final String PREFIXES = "kmgt";

    private ByteSizeGrammar() {}

    static Bytes parse(String text) {
        Matcher matcher = SIZE.matcher(text.strip());
        if (text.length() > MAX_TEXT || !matcher.matches()) {
            throw notASize(text);
        }
        String prefix = matcher.group(2);
        int power = prefix == null ? 0 : PREFIXES.indexOf(prefix.toLowerCase(Locale.ROOT)) + 1;
        long base = "b".equalsIgnoreCase(matcher.group(3)) ? 1000 : 1024;
        return Bytes.ofExact(
                new BigDecimal(matcher.group(1))
                        .multiply(BigDecimal.valueOf(base).pow(power)),
                text);
    }

    private static IllegalArgumentException notASize(String text) {
        String shown = text.length() > MAX_TEXT ? text.substring(0, MAX_TEXT) + "…" : text;
        return new IllegalArgumentException(
                "'" + shown + "' is not a memory size; write a number with KiB, MiB, GiB or TiB, as in 80GiB");
    }
}
