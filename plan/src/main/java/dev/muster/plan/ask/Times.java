// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.ask;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;

/// Times as people write them: `500ms`, `2s`, `1.5s`, `1m`, `12h`, `30d`; a number alone is seconds.
final class Times {
    private static final int MAX_CHARACTERS = 20;
    private static final BigDecimal NANOS = BigDecimal.valueOf(1_000_000_000);
    /// Longer suffixes come first.
    private static final List<Unit> UNITS = List.of(
            new Unit("ms", Duration.ofMillis(1)),
            new Unit("s", Duration.ofSeconds(1)),
            new Unit("m", Duration.ofMinutes(1)),
            new Unit("h", Duration.ofHours(1)),
            new Unit("d", Duration.ofDays(1)),
            new Unit("", Duration.ofSeconds(1)));

    private Times() {}

    private record Unit(String text, Duration time) {}

    /// Reads a time in a range.
    ///
    /// @throws IllegalArgumentException if the text is not a time, or is out of range
    static Duration parse(String text, Duration least, Duration most) {
        for (Unit unit : UNITS) {
            if (text.endsWith(unit.text)) {
                String digits = text.substring(0, text.length() - unit.text.length());
                BigDecimal number = number(digits.startsWith(".") ? "0" + digits : digits);
                return checked(number.multiply(seconds(unit.time)), least, most);
            }
        }
        throw new IllegalArgumentException("");
    }

    private static BigDecimal number(String digits) {
        if (digits.length() > MAX_CHARACTERS || !digits.matches("[0-9]+(\\.[0-9]+)?")) {
            throw new IllegalArgumentException("");
        }
        return new BigDecimal(digits);
    }

    /// Returns a number of seconds as a time.
    ///
    /// @throws IllegalArgumentException if the time is out of range
    static Duration checked(BigDecimal seconds, Duration least, Duration most) {
        if (seconds.compareTo(seconds(least)) < 0 || seconds.compareTo(seconds(most)) > 0) {
            throw new IllegalArgumentException("");
        }
        return Duration.ofNanos(seconds.multiply(NANOS).longValue());
    }

    static BigDecimal seconds(Duration time) {
        BigDecimal seconds = BigDecimal.valueOf(time.toNanos()).divide(NANOS).stripTrailingZeros();
        return seconds.scale() < 0 ? seconds.setScale(0) : seconds;
    }

    /// Returns a time in the largest unit that divides it.
    static String text(Duration time) {
        long millis = time.toMillis();
        if (!time.equals(Duration.ofMillis(millis))) {
            return seconds(time).toPlainString() + "s";
        }
        if (millis % 86_400_000 == 0 && millis > 0) {
            return millis / 86_400_000 + "d";
        }
        if (millis % 60_000 == 0 && millis > 0) {
            return millis / 60_000 + "m";
        }
        return millis % 1000 == 0 ? millis / 1000 + "s" : millis + "ms";
    }
}
