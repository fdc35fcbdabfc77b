package dev.muster.detect.amd;

import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Ratio;
import dev.muster.core.unit.Watts;
import java.util.Optional;

/// Values as AMD's driver and tools write them. What is out of any sensible range is no value.
final class AmdText {
    private static final long MOST_MEMORY = 1L << 44;
    private static final double MOST_DEGREES = 200;
    private static final double MOST_WATTS = 10_000;
    private static final double HUNDRED = 100;
    private static final double THOUSAND = 1000;
    private static final double MILLION = 1e6;
    private static final int HEXADECIMAL = 16;
    private static final int MOST_DIGITS = 20;

    private AmdText() {}

    /// Memory of a device in bytes: more than none, at most 16 TiB.
    static Optional<Bytes> memory(String text) {
        return used(text).filter(bytes -> !bytes.isZero());
    }

    /// Memory in use, in bytes: none is an answer.
    static Optional<Bytes> used(String text) {
        return whole(text).filter(value -> value <= MOST_MEMORY).map(Bytes::of);
    }

    /// A decimal number from 0 on.
    static Optional<Long> whole(String text) {
        if (text.isEmpty() || text.length() > MOST_DIGITS || !isAsciiDigit(text.charAt(0))) {
            return Optional.empty();
        }
        try {
            return Optional.of(Long.parseLong(text));
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }

    /// The number at the start of a text, such as 16.0 in `16.0 GT/s PCIe` and 300 in `300Mhz`.
    static Optional<Double> leadingNumber(String text) {
        int end = 0;
        while (end < text.length() && (isAsciiDigit(text.charAt(end)) || text.charAt(end) == '.')) {
            end++;
        }
        if (end == 0 || end > MOST_DIGITS || !isAsciiDigit(text.charAt(0))) {
            return Optional.empty();
        }
        try {
            return Optional.of(Double.parseDouble(text.substring(0, end)));
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }

    private static boolean isAsciiDigit(char letter) {
        return letter >= '0' && letter <= '9';
    }

    /// A temperature in degrees; 0 is what a sensor says that is not there.
    static Optional<Celsius> degrees(String text) {
        return leadingNumber(text)
                .filter(value -> value > 0 && value < MOST_DEGREES)
                .map(Celsius::new);
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
        return leadingNumber(text).filter(value -> value <= MOST_WATTS).map(Watts::new);
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

    /// A share in percent.
    static Optional<Ratio> percent(String text) {
        return leadingNumber(text).filter(value -> value <= HUNDRED).map(value -> new Ratio(value / HUNDRED));
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

    /// Vendor and device as PCI writes them, such as `1002:74a1`.
    static String pciId(int vendor, int device) {
        return hex4(vendor) + ":" + hex4(device);
    }

    private static String hex4(int value) {
        String digits = Integer.toHexString(value);
        return "0".repeat(Math.max(0, 4 - digits.length())) + digits;
    }

    /// How a package is divided: compute mode and memory mode, such as `CPX/NPS4`; `none` where it is one whole.
    static String partitioning(String compute, String memory) {
        if (compute.equals("SPX") && (memory.isEmpty() || memory.equals("NPS1"))) {
            return "none";
        }
        return memory.isEmpty() ? compute : compute + "/" + memory;
    }
}
