// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.top;

import dev.muster.core.text.FixedText;
import java.time.Duration;
import java.util.OptionalDouble;

/// Numbers in few characters; the sign for "unknown" where they are not known.
///
/// @param glyphs available characters
record Figures(Glyphs glyphs) {
    private static final double GIB = 1L << 30;
    private static final double GIGA = 1e9;
    private static final double HUNDRED = 100;

    String percent(OptionalDouble share) {
        return share.isEmpty() ? glyphs.unknown() : FixedText.of(share.getAsDouble() * HUNDRED, 0) + "%";
    }

    /// Memory in GiB without the unit.
    String gib(OptionalDouble bytes) {
        return bytes.isEmpty() ? glyphs.unknown() : gib(bytes.getAsDouble());
    }

    static String gib(double bytes) {
        double gib = bytes / GIB;
        return FixedText.of(gib, gib >= HUNDRED ? 0 : 1);
    }

    /// Returns a rate in GB/s without the unit.
    String rate(OptionalDouble bytes) {
        if (bytes.isEmpty()) {
            return glyphs.unknown();
        }
        double rate = bytes.getAsDouble() / GIGA;
        return FixedText.of(rate, rate >= HUNDRED ? 0 : 1);
    }

    String whole(OptionalDouble number) {
        return number.isEmpty() ? glyphs.unknown() : FixedText.of(number.getAsDouble(), 0);
    }

    /// Returns a time such as `3d 04h`, `2:03:04` or `3:04`.
    static String time(Duration time) {
        long seconds = time.toSeconds();
        if (seconds >= Duration.ofDays(1).toSeconds()) {
            return time.toDays() + "d " + two(time.toHours() % 24) + "h";
        }
        String tail = two(seconds % 60);
        long minutes = seconds / 60;
        return minutes >= 60 ? minutes / 60 + ":" + two(minutes % 60) + ":" + tail : minutes + ":" + tail;
    }

    private static String two(long number) {
        return number < 10 ? "0" + number : String.valueOf(number);
    }
}
