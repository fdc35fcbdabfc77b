package dev.muster.core;

import java.math.BigDecimal;
import java.math.RoundingMode;

/// Numbers with a fixed number of decimals, rounded as C's printf does: the exact binary value, ties to even.
/// Java's own `%.1f` rounds the shortest decimal half up and prints other digits.
///
/// @since 0.1
public final class FixedText {
    private FixedText() {}

    /// The number with that many decimals.
    public static String of(double value, int decimals) {
        String text = new BigDecimal(Math.abs(value))
                .setScale(decimals, RoundingMode.HALF_EVEN)
                .toPlainString();
        // A BigDecimal has no negative zero, and printf keeps the sign of what rounds to zero.
        return Math.copySign(1, value) < 0 ? "-" + text : text;
    }
}
