// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.catalogue;

import dev.muster.core.unit.Bytes;

/// A position in a text of words, brackets and separators. Confined to one thread.
final class TextCursor {
    /// The longest text accepted.
    static final int MAX_TEXT = 4096;

    private static final int MAX_QUOTED = 40;
    private static final int MAX_DIGITS = 9;

    private final String text;
    private int at;

    TextCursor(String text) {
        if (text.length() > MAX_TEXT) {
            throw new DeviceTextException(
                    MAX_TEXT, "the text is longer than " + MAX_TEXT + " characters; describe fewer devices");
        }
        this.text = text;
    }

    /// A word and its position.
    ///
    /// @param text the word as written
    /// @param position position of its first character, from 1
    record Word(String text, int position) {
        DeviceTextException wrong(String what) {
            return new DeviceTextException(position, what);
        }

        /// Returns the part behind a number of characters.
        Word from(int characters) {
            return new Word(text.substring(characters), position + characters);
        }

        /// Returns the part before a number of characters.
        Word until(int characters) {
            return new Word(text.substring(0, characters), position);
        }

        /// Returns the word as a whole number from 1 on, in decimal digits.
        int count(String what, int most) {
            boolean digits = !text.isEmpty() && text.length() <= MAX_DIGITS;
            for (int i = 0; i < text.length() && digits; i++) {
                digits = text.charAt(i) >= '0' && text.charAt(i) <= '9';
            }
            int number = digits ? Integer.parseInt(text) : 0;
            if (number < 1 || number > most) {
                throw wrong(what + " is a number from 1 to " + most + ", not " + quoted());
            }
            return number;
        }

        /// Returns the word as a size in bytes, such as `64GiB`.
        Bytes size() {
            try {
                return Bytes.parseWithUnit(text);
            } catch (IllegalArgumentException e) {
                throw wrong(String.valueOf(e.getMessage()));
            }
        }

        /// Returns the word in quotes, cut if it is very long.
        String quoted() {
            int points = text.codePointCount(0, text.length());
            String cut = points > MAX_QUOTED ? text.substring(0, text.offsetByCodePoints(0, MAX_QUOTED)) + "…" : text;
            return "'" + cut + "'";
        }
    }

    boolean isAtEnd() {
        return at == text.length();
    }

    boolean isAt(char expected) {
        return at < text.length() && text.charAt(at) == expected;
    }

    /// Consumes a character, if it comes next.
    boolean take(char expected) {
        boolean there = isAt(expected);
        at += there ? 1 : 0;
        return there;
    }

    void skipBlanks() {
        while (at < text.length() && isBlank(text.charAt(at))) {
            at++;
        }
    }

    /// Returns the text before the next blank, comma or bracket; the empty text if one of them comes next.
    Word word() {
        int start = at;
        while (at < text.length() && !isEnd(text.charAt(at))) {
            at++;
        }
        return new Word(text.substring(start, at), start + 1);
    }

    /// Returns the error for the text at this position.
    DeviceTextException wrong(String what) {
        return new DeviceTextException(at + 1, what);
    }

    private static boolean isBlank(char character) {
        return character == ' ' || character == '\t' || character == '\n' || character == '\r';
    }

    private static boolean isEnd(char character) {
        return isBlank(character) || character == ',' || character == '[' || character == ']';
    }
}
