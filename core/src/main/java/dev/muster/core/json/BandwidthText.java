package dev.muster.core.json;

import dev.muster.core.unit.Bandwidth;
import java.math.BigDecimal;

/// Bandwidth in bytes per second as decimal text. The point is moved in the text, not the double multiplied, so that
/// every value reads back the same.
final class BandwidthText {
    private static final int DIGITS_OF_GIGA = 9;
    private static final int LONGEST_PLAIN = 40;

    private BandwidthText() {}

    static String of(Bandwidth bandwidth) {
        BigDecimal bytes = new BigDecimal(Double.toString(bandwidth.gigabytesPerSecond()))
                .movePointRight(DIGITS_OF_GIGA)
                .stripTrailingZeros();
        boolean shortEnough = Math.abs(bytes.scale()) + bytes.precision() < LONGEST_PLAIN;
        return shortEnough ? bytes.toPlainString() : bytes.toString();
    }

    static Bandwidth read(JsonReader json) {
        String text = json.nextNumberText();
        // A double of zero may hide an exponent that no decimal can hold.
        boolean zero = Double.parseDouble(text) == 0;
        return new Bandwidth(
                zero ? 0 : new BigDecimal(text).movePointLeft(DIGITS_OF_GIGA).doubleValue());
    }
}
