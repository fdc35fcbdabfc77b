// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.amd;

import dev.muster.core.Provenance;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Hertz;
import dev.muster.core.unit.Watts;
import dev.muster.detect.text.Amount;
import java.util.Optional;

/// Values as AMD's driver and tools write them. A value out of any sensible range counts as missing.
final class AmdText {
    private static final double MOST_DEGREES = 200;
    private static final double MOST_WATTS = 10_000;
    private static final double THOUSAND = 1000;
    private static final double MILLION = 1e6;
    private static final int HEXADECIMAL = 16;

    private AmdText() {}

    /// The first line, without blanks around it, that starts with some words: what stands behind these.
    static Optional<String> line(String text, String words) {
        for (String line : text.split("\n")) {
            if (line.strip().startsWith(words)) {
                return Optional.of(line.strip().substring(words.length()).strip());
            }
        }
        return Optional.empty();
    }

    /// The version of ROCm in what `amd-smi version` prints: parts such as `ROCm version: 6.1.0` with bars between.
    static Optional<String> rocmVersion(String text) {
        return line(text.replace('|', '\n'), "ROCm version:")
                .filter(version -> !version.isEmpty() && !version.equals("N/A"));
    }

    /// Memory of a device in bytes: more than none, at most 16 TiB.
    static Optional<Bytes> memory(String text) {
        return used(text).filter(bytes -> !bytes.isZero());
    }

    /// Memory in use, in bytes: none is an answer.
    static Optional<Bytes> used(String text) {
        return Amount.count(text, Amount.MAX_MEMORY.unsigned()).map(Bytes::of);
    }

    /// A decimal number from 0 on.
    static Optional<Long> whole(String text) {
        return Amount.count(text, Long.MAX_VALUE);
    }

    /// A temperature in degrees; 0 is what a sensor says that is not there.
    static Optional<Celsius> degrees(String text) {
        return Amount.celsius(text).filter(value -> value.degrees() > 0 && value.degrees() < MOST_DEGREES);
    }

    /// A temperature in thousandths of a degree.
    static Optional<Celsius> milliDegrees(String text) {
        return whole(text)
                .map(value -> value / THOUSAND)
                .filter(value -> value > 0 && value < MOST_DEGREES)
                .map(Celsius::new);
    }

    /// Power in watts.
    static Optional<Watts> watts(String text) {
        return Amount.watts(text).filter(power -> power.value() <= MOST_WATTS);
    }

    /// Power in millionths of a watt.
    static Optional<Watts> microWatts(String text) {
        return whole(text)
                .map(value -> value / MILLION)
                .filter(value -> value <= MOST_WATTS)
                .map(Watts::new);
    }

    /// A power limit: no limit is not 0.
    static Optional<Watts> powerLimit(Optional<Watts> limit) {
        return limit.filter(watts -> watts.value() > 0);
    }

    /// The vendor's unique id from its number in hexadecimal, as ROCm's runtime writes it: `GPU-2f048617326b1eaf`.
    static Optional<String> uuidOfHex(String text) {
        String digits = text.startsWith("0x") || text.startsWith("0X") ? text.substring(2) : text;
        if (digits.isEmpty() || digits.length() > HEXADECIMAL) {
            return Optional.empty();
        }
        try {
            return uuid(Long.parseUnsignedLong(digits, HEXADECIMAL));
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }

    /// The vendor's unique id from its number; 0 stands for none.
    static Optional<String> uuid(long unsigned) {
        String digits = Long.toHexString(unsigned);
        return unsigned == 0
                ? Optional.empty()
                : Optional.of("GPU-" + "0".repeat(HEXADECIMAL - digits.length()) + digits);
    }

    /// A hexadecimal number of at most 16 bits, with or without `0x`.
    static Optional<Integer> hex16(String text) {
        String digits = text.startsWith("0x") ? text.substring(2) : text;
        if (digits.isEmpty() || digits.length() > 4 || digits.charAt(0) == '-' || digits.charAt(0) == '+') {
            return Optional.empty();
        }
        try {
            return Optional.of(Integer.parseInt(digits, HEXADECIMAL));
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }

    /// Returns the partitioning of a package: compute mode and memory mode, such as `CPX/NPS4`; `none` if it is one
    /// whole.
    static String partitioning(String compute, String memory) {
        if (compute.equals("SPX") && (memory.isEmpty() || memory.equals("NPS1"))) {
            return "none";
        }
        return memory.isEmpty() ? compute : compute + "/" + memory;
    }

    /// The source of what was computed from what another source told.
    static Provenance derived(Provenance source) {
        Provenance derived = Provenance.of(source.source(), Provenance.Method.DERIVED, Provenance.Confidence.MEASURED);
        return source.observedAt().map(derived::withObservedAt).orElse(derived);
    }

    /// The clock in use, out of a list such as `pp_dpm_sclk`: lines such as `1: 1600Mhz *`, where the star marks it.
    /// The lines are not always in order, and sleeping has the number `S`.
    static Optional<Hertz> activeClock(String text) {
        for (String line : text.split("\n")) {
            if (line.indexOf('*') >= 0) {
                return clock(line);
            }
        }
        return Optional.empty();
    }

    /// The fastest clock of such a list.
    static Optional<Hertz> fastestClock(String text) {
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

    /// A name whose beginning some boards and releases cut: `deon Instinct MI50`.
    static String wholeName(String name) {
        return name.startsWith("deon ") ? "Ra" + name : name;
    }
}
