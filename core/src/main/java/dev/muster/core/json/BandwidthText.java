package dev.muster.core.json;

import static dev.muster.core.json.DocumentException.Code.WRONG_VALUE;

import dev.muster.core.unit.Bandwidth;
import java.math.BigDecimal;

/// Bandwidth in bytes per second as decimal text. The point is moved in the text, not the double multiplied, so that
/// every value reads back the same.
final class BandwidthText {
    private static final int DIGITS_OF_GIGA = 9;
    private static final int LONGEST_PLAIN = 40;
    /// Digits before the point of the largest rate, and some more.
    private static final int MOST_DIGITS = 400;

    private BandwidthText() {}

    static String of(Bandwidth bandwidth) {
        double rate = bandwidth.gigabytesPerSecond();
        if (rate == 0) {
            return 1 / rate < 0 ? "-0" : "0";
        }
        BigDecimal bytes = new BigDecimal(Double.toString(rate))
                .movePointRight(DIGITS_OF_GIGA)
                .stripTrailingZeros();
        boolean shortEnough = Math.abs(bytes.scale()) + bytes.precision() < LONGEST_PLAIN;
        return shortEnough ? bytes.toPlainString() : bytes.toString();
    }

    static Bandwidth read(JsonReader json) {
        String text = json.nextUnboundedNumberText();
        double bytes = Double.parseDouble(text);
        // A double of zero or infinity may hide an exponent that no decimal can hold.
        if (bytes == 0) {
            return new Bandwidth(bytes);
        }
        double rate = Double.isFinite(bytes) || isBelowLargest(text)
                ? new BigDecimal(text).movePointLeft(DIGITS_OF_GIGA).doubleValue()
                : bytes;
        if (!Double.isFinite(rate)) {
            throw json.error(WRONG_VALUE, "the number is out of range");
        }
        return new Bandwidth(rate);
    }

    /// Whether the number has so few digits before its point that a conversion is quick.
    private static boolean isBelowLargest(String text) {
        try {
            BigDecimal bytes = new BigDecimal(text);
            return (long) bytes.precision() - bytes.scale() < MOST_DIGITS;
        } catch (NumberFormatException _) {
            return false;
        }
    }
}
