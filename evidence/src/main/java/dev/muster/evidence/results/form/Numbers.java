// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results.form;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Numbers as tools print them.
public final class Numbers {
    private static final Pattern NUMBER = Pattern.compile("[-+]?[0-9][0-9,]*(\\.[0-9]*)?([eE][-+]?[0-9]{1,3})?");
    private static final Pattern SUFFIXED = Pattern.compile("([-+]?[0-9][0-9,]*(?:\\.[0-9]*)?)\\s*([KMGBT]?)");
    private static final Pattern PLACEHOLDER = Pattern.compile("[Xx]+(\\.[Xx]+)?");

    private Numbers() {}

    /// Parses a number, perhaps with commas between thousands; empty if a text is not a number.
    ///
    /// @throws ResultsException if it is a placeholder
    public static OptionalDouble find(String text) {
        String plain = text.strip();
        if (PLACEHOLDER.matcher(plain).matches()) {
            throw ResultsException.of("the file has placeholders such as '" + plain
                    + "' in place of figures, so it is not a measurement");
        }
        if (!NUMBER.matcher(plain).matches()) {
            return OptionalDouble.empty();
        }
        double number = Double.parseDouble(plain.replace(",", ""));
        return Double.isFinite(number) ? OptionalDouble.of(number) : OptionalDouble.empty();
    }

    /// Parses a number that may end in K, M, G or B, or T.
    public static OptionalDouble findSuffixed(String text) {
        Matcher matcher = SUFFIXED.matcher(text.strip());
        if (!matcher.matches()) {
            return find(text);
        }
        double scale = switch (matcher.group(2)) {
            case "K" -> 1e3;
            case "M" -> 1e6;
            case "G", "B" -> 1e9;
            case "T" -> 1e12;
            default -> 1;
        };
        return OptionalDouble.of(Double.parseDouble(matcher.group(1).replace(",", "")) * scale);
    }

    /// Returns a number as text, without a fraction if it has none.
    public static String text(double number) {
        return number == Math.rint(number) && Math.abs(number) < 1e15
                ? Long.toString((long) number)
                : Double.toString(number);
    }

    public static double mean(List<Double> values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum / Math.max(1, values.size());
    }

    public static double median(List<Double> values) {
        return quantile(values, 0.5);
    }

    /// Returns a quantile, interpolated between neighbours; 0 of an empty list.
    static double quantile(List<Double> values, double share) {
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        if (sorted.length == 0) {
            return 0;
        }
        Arrays.sort(sorted);
        double place = share * (sorted.length - 1);
        int below = (int) place;
        int above = Math.min(sorted.length - 1, below + 1);
        return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }
}
