package dev.muster.detect.amd;

import dev.muster.core.unit.Hertz;
import dev.muster.detect.text.Amount;
import java.util.Optional;

/// Reads the driver's lists of clocks, such as `pp_dpm_sclk`: lines such as `1: 1600Mhz *`, where the star marks the
/// clock in use. The lines are not always in order, and sleeping has the number `S`.
final class DpmClockParser {
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
        return colon < 0
                ? Optional.empty()
                : Amount.megahertz(line.substring(colon + 1).replace("*", ""));
    }
}
