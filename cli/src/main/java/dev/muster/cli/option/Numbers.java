// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.option;

import java.util.Optional;

/// Numbers as options give them.
public final class Numbers {
    private static final int MOST = 100_000_000;

    private Numbers() {}

    /// Returns a whole number.
    ///
    /// @throws UsageException if it is none, or smaller than the least
    public static int whole(Arguments arguments, OptionSpec option, int otherwise, int least) {
        Optional<String> text = arguments.find(option);
        if (text.isEmpty()) {
            return otherwise;
        }
        try {
            int number = Integer.parseInt(text.get());
            if (number >= least && number <= MOST) {
                return number;
            }
        } catch (NumberFormatException _) {
            // Said below, as for numbers out of range.
        }
        throw option.isNot("an integer from " + least + " to " + MOST, text.get());
    }

    /// Returns the number that digits write; -1 if there are other signs, more digits or none.
    public static int digits(String text, int most) {
        boolean number =
                !text.isEmpty() && text.length() <= most && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return number ? Integer.parseInt(text) : -1;
    }

    /// Returns a decimal number without sign or exponent.
    public static Optional<Double> plain(String text, int maxDigits) {
        return text.length() <= maxDigits && text.matches("[0-9]+(\\.[0-9]+)?")
                ? Optional.of(Double.parseDouble(text))
                : Optional.empty();
    }
}
