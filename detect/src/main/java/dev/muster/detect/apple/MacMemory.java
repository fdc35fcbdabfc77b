// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.apple;

import dev.muster.core.unit.Bytes;
import dev.muster.detect.text.Amount;
import java.util.Locale;
import java.util.Optional;

/// Reads amounts as macOS writes them: `16 GB`, and in other languages `463,12 GB (463 117 873 152 bytes)`. The exact
/// number in brackets counts more than the rounded one.
final class MacMemory {
    private static final char NO_BREAK = '\u00a0';
    private static final char NARROW_NO_BREAK = '\u202f';
    private static final int MAX_TEXT = 256;

    private MacMemory() {}

    static Optional<Bytes> find(String text) {
        String form = text.replace(NO_BREAK, ' ').replace(NARROW_NO_BREAK, ' ').strip();
        if (form.length() > MAX_TEXT) {
            return Optional.empty();
        }
        int bracket = form.indexOf('(');
        if (bracket < 0) {
            return Amount.bytes(form.replace(',', '.'));
        }
        return exact(form.substring(bracket + 1))
                .or(() -> Amount.bytes(form.substring(0, bracket).replace(',', '.')));
    }

    /// Digits, grouped by blanks, commas, points or apostrophes, and a word that starts with `byte` or `octet`.
    private static Optional<Bytes> exact(String text) {
        StringBuilder digits = new StringBuilder();
        int end = 0;
        while (end < text.length() && isPart(text.charAt(end))) {
            if (Character.isDigit(text.charAt(end))) {
                digits.append(text.charAt(end));
            }
            end++;
        }
        String word = text.substring(end).toLowerCase(Locale.ROOT);
        return word.startsWith("byte") || word.startsWith("octet")
                ? Amount.count(digits.toString(), Amount.MAX_MEMORY.unsigned()).map(Bytes::of)
                : Optional.empty();
    }

    private static boolean isPart(char c) {
        return (c >= '0' && c <= '9') || c == ' ' || c == ',' || c == '.' || c == '\'' || c == '\u2019';
    }
}
