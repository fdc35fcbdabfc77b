package dev.muster.plan.catalogue;

import dev.muster.plan.catalogue.TextCursor.Word;

/// Whole numbers from 1 on, in decimal digits.
final class WholeNumber {
    private static final int MAX_DIGITS = 9;

    private WholeNumber() {}

    /// @param what what the number says, for the message
    static int read(Word word, String what, int most) {
        int number = isNumber(word.text()) ? Integer.parseInt(word.text()) : 0;
        if (number < 1 || number > most) {
            throw word.wrong(what + " is a number from 1 to " + most + ", not " + word.quoted());
        }
        return number;
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty() && text.length() <= MAX_DIGITS && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
