package dev.muster.cli.picture;

import dev.muster.core.FixedText;
import java.util.List;

/// Large and small numbers in three digits, with the letter of their thousands.
final class Magnitude {
    private static final List<String> LETTERS = List.of("", " k", " M", " G", " T", " P", " E");
    private static final double THOUSAND = 1000;
    /// What would be written as a thousand is one of the next letter.
    private static final double ALMOST_THOUSAND = 999.5;

    private Magnitude() {}

    /// A number that is not negative.
    static String of(double value) {
        double scaled = value;
        int letter = 0;
        while (scaled >= ALMOST_THOUSAND && letter + 1 < LETTERS.size()) {
            scaled /= THOUSAND;
            letter++;
        }
        String digits = FixedText.of(scaled, scaled < 0.995 ? 3 : scaled < 9.995 ? 2 : scaled < 99.95 ? 1 : 0);
        String text = digits.contains(".") ? digits.replaceAll("0+$", "").replaceAll("\\.$", "") : digits;
        return text + LETTERS.get(letter);
    }
}
