package dev.muster.detect.amd;

import dev.muster.core.unit.Hertz;
import java.util.Optional;

/// Reads the driver's lists of clocks, such as `pp_dpm_sclk`: lines such as `1: 1600Mhz *`, where the star marks the
/// clock in use. The lines are not always in order, and sleeping has the number `S`.
final class DpmClockParser {
    private static final double MOST_MEGAHERTZ = 100_000;
    private static final double PER_MEGAHERTZ = 1e6;

    private DpmClockParser() {}

    /// The clock in use.
    static Optional<Hertz> findActive(String text) {
        for (String line : text.split("\n")) {
            if (line.indexOf('*') >= 0) {
                return clock(line);
            }
        }
        return Optional.empty();
    }

    /// The fastest clock.
    static Optional<Hertz> findFastest(String text) {
        Optional<Hertz> fastest = Optional.empty();
        for (String line : text.split("\n")) {
            Optional<Hertz> clock = clock(line);
            if (clock.isPresent() && (fastest.isEmpty() || clock.get().compareTo(fastest.get()) > 0)) {
                fastest = clock;
            }
        }
        return fastest;
    }

    private static Optional<Hertz> clock(String line) {
        int colon = line.indexOf(':');
        String value = line.substring(colon + 1).strip();
        return colon < 0 || !value.regionMatches(true, digits(value), "Mhz", 0, 3)
                ? Optional.empty()
                : megahertz(value);
    }

    private static int digits(String value) {
        int end = 0;
        while (end < value.length() && (Character.isDigit(value.charAt(end)) || value.charAt(end) == '.')) {
            end++;
        }
        return end;
    }

    /// The frequency that a text starts with, in MHz; 0 is none.
    static Optional<Hertz> megahertz(String text) {
        return AmdText.leadingNumber(text)
                .filter(value -> value > 0 && value < MOST_MEGAHERTZ)
                .map(value -> new Hertz(Math.round(value * PER_MEGAHERTZ)));
    }
}
