// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.kubernetes;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.OptionalLong;

/// Amounts as Kubernetes writes them: `8`, `81559Mi`, `80Gi`, `500m`, `1e3`.
final class Quantity {
    /// A quantity has at most 18 digits and a suffix; a longer text is not an amount.
    private static final int MAX_LENGTH = 40;

    private static final int MAX_EXPONENT = 30;
    private static final BigDecimal MAX = BigDecimal.valueOf(Long.MAX_VALUE);
    private static final Map<String, BigDecimal> SUFFIXES = Map.ofEntries(
            Map.entry("", BigDecimal.ONE),
            Map.entry("n", BigDecimal.valueOf(1, 9)),
            Map.entry("u", BigDecimal.valueOf(1, 6)),
            Map.entry("m", BigDecimal.valueOf(1, 3)),
            Map.entry("k", BigDecimal.valueOf(1_000L)),
            Map.entry("M", BigDecimal.valueOf(1_000_000L)),
            Map.entry("G", BigDecimal.valueOf(1_000_000_000L)),
            Map.entry("T", BigDecimal.valueOf(1_000_000_000_000L)),
            Map.entry("P", BigDecimal.valueOf(1_000_000_000_000_000L)),
            Map.entry("E", BigDecimal.valueOf(1_000_000_000_000_000_000L)),
            Map.entry("Ki", BigDecimal.valueOf(1L << 10)),
            Map.entry("Mi", BigDecimal.valueOf(1L << 20)),
            Map.entry("Gi", BigDecimal.valueOf(1L << 30)),
            Map.entry("Ti", BigDecimal.valueOf(1L << 40)),
            Map.entry("Pi", BigDecimal.valueOf(1L << 50)),
            Map.entry("Ei", BigDecimal.valueOf(1L << 60)));

    private Quantity() {}

    /// The integer of a quantity, rounded up as Kubernetes does; empty for text that is not a quantity,
    /// negative, or past 2^63-1.
    static OptionalLong find(String text) {
        if (text.isEmpty() || text.length() > MAX_LENGTH) {
            return OptionalLong.empty();
        }
        int end = 0;
        while (end < text.length() && isOfNumber(text.charAt(end))) {
            end++;
        }
        BigDecimal number;
        String suffix = text.substring(end);
        if (isExponent(suffix)) {
            number = decimal(text);
            suffix = "";
        } else {
            number = decimal(text.substring(0, end));
        }
        BigDecimal factor = SUFFIXES.get(suffix);
        if (number.signum() < 0 || factor == null) {
            return OptionalLong.empty();
        }
        BigDecimal whole = number.multiply(factor).setScale(0, RoundingMode.CEILING);
        return whole.compareTo(MAX) > 0 ? OptionalLong.empty() : OptionalLong.of(whole.longValue());
    }

    private static boolean isOfNumber(char c) {
        return (c >= '0' && c <= '9') || c == '.' || c == '+' || c == '-';
    }

    /// `e3`, `E-2`; a lone `E` is the suffix for 10^18.
    private static boolean isExponent(String suffix) {
        if (suffix.length() < 2 || (suffix.charAt(0) != 'e' && suffix.charAt(0) != 'E')) {
            return false;
        }
        for (int i = 1; i < suffix.length(); i++) {
            char c = suffix.charAt(i);
            if (!(c >= '0' && c <= '9') && !(i == 1 && (c == '-' || c == '+') && suffix.length() > 2)) {
                return false;
            }
        }
        return true;
    }

    /// The number, or -1 where it is none or far beyond any amount.
    private static BigDecimal decimal(String text) {
        try {
            BigDecimal number = new BigDecimal(text);
            return Math.abs((long) number.scale()) > MAX_EXPONENT ? BigDecimal.valueOf(-1) : number;
        } catch (NumberFormatException _) {
            return BigDecimal.valueOf(-1);
        }
    }
}
