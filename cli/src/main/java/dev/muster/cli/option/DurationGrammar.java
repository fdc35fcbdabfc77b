// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.option;

import dev.muster.report.text.Printable;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Times on the command line: `500ms`, `2s`, `1.5s`, `1m`, `12h`, `30d`; a bare number is seconds.
public final class DurationGrammar {
    private static final Pattern TIME = Pattern.compile("([0-9]{1,9}(?:\\.[0-9]{1,9})?|\\.[0-9]{1,9})(ms|s|m|h|d|)");

    private DurationGrammar() {}

    /// Reads a time that lies between two others, both included.
    ///
    /// @throws UsageException if it is none or lies outside
    public static Duration parse(OptionSpec option, String text, Duration least, Duration most) {
        Matcher parts = TIME.matcher(text);
        if (parts.matches()) {
            BigDecimal unit = BigDecimal.valueOf(unit(parts.group(2)).toNanos());
            BigDecimal nanos = new BigDecimal(parts.group(1)).multiply(unit);
            if (nanos.compareTo(BigDecimal.valueOf(least.toNanos())) >= 0
                    && nanos.compareTo(BigDecimal.valueOf(most.toNanos())) <= 0) {
                return Duration.ofNanos(nanos.longValue());
            }
        }
        String example = least.compareTo(Duration.ofMinutes(1)) < 0 ? "2s or 500ms" : "12h or 30d";
        throw new UsageException("--" + option.name() + " is a time from " + text(least) + " to " + text(most)
                + ", such as " + example + ", not '" + Printable.of(text) + "'");
    }

    private static Duration unit(String letters) {
        return switch (letters) {
            case "ms" -> Duration.ofMillis(1);
            case "m" -> Duration.ofMinutes(1);
            case "h" -> Duration.ofHours(1);
            case "d" -> Duration.ofDays(1);
            default -> Duration.ofSeconds(1);
        };
    }

    /// Returns a time as it is written on the command line.
    public static String text(Duration time) {
        long millis = time.toMillis();
        if (millis % 86_400_000 == 0 && millis > 0) {
            return millis / 86_400_000 + "d";
        }
        if (millis % 60_000 == 0 && millis > 0) {
            return millis / 60_000 + "m";
        }
        return millis % 1000 == 0 ? millis / 1000 + "s" : millis + "ms";
    }
}
