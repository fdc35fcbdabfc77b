package dev.muster.cli;

import dev.muster.cli.render.Printable;
import java.math.BigDecimal;
import java.time.Duration;

/// Times on the command line: `500ms`, `2s`, `1.5s`, `1m`, `12h`, `30d`; a bare number is seconds.
final class DurationGrammar {
    private static final int MAX_LENGTH = 12;

    private DurationGrammar() {}

    /// Reads a time that lies between two others, both included.
    ///
    /// @throws UsageException if it is none or lies outside
    static Duration parse(OptionSpec option, String text, Duration least, Duration most) {
        Duration time = read(text);
        if (time.compareTo(least) < 0 || time.compareTo(most) > 0) {
            throw new UsageException("--" + option.name() + " is a time from " + text(least) + " to " + text(most)
                    + ", such as " + example(least) + ", not '" + Printable.of(text) + "'");
        }
        return time;
    }

    private static String example(Duration least) {
        return least.compareTo(Duration.ofMinutes(1)) < 0 ? "2s or 500ms" : "12h or 30d";
    }

    /// A time that is not understood is a negative one, which no option allows.
    private static Duration read(String text) {
        long nanosPerUnit = 1_000_000_000L;
        String number = text;
        if (text.endsWith("ms")) {
            nanosPerUnit = 1_000_000L;
            number = text.substring(0, text.length() - 2);
        } else if (text.endsWith("s")) {
            number = text.substring(0, text.length() - 1);
        } else if (text.endsWith("m")) {
            nanosPerUnit = 60_000_000_000L;
            number = text.substring(0, text.length() - 1);
        } else if (text.endsWith("h")) {
            nanosPerUnit = 3_600_000_000_000L;
            number = text.substring(0, text.length() - 1);
        } else if (text.endsWith("d")) {
            nanosPerUnit = 86_400_000_000_000L;
            number = text.substring(0, text.length() - 1);
        }
        boolean digits = !number.isEmpty()
                && number.length() <= MAX_LENGTH
                && number.chars().allMatch(c -> (c >= '0' && c <= '9') || c == '.')
                && number.chars().anyMatch(c -> c != '.')
                && number.chars().filter(c -> c == '.').count() <= 1;
        if (!digits) {
            return Duration.ofNanos(-1);
        }
        BigDecimal nanos = new BigDecimal(number).multiply(BigDecimal.valueOf(nanosPerUnit));
        BigDecimal limit = BigDecimal.valueOf(Long.MAX_VALUE);
        return Duration.ofNanos(nanos.min(limit).longValue());
    }

    /// A time as it is written on the command line.
    static String text(Duration time) {
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
