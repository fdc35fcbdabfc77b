// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.text;

/// The width of a text in terminal columns: two for East Asian wide characters, none for combining marks.
public final class DisplayWidth {
    private DisplayWidth() {}

    /// Returns the number of columns a text takes.
    public static int of(String text) {
        int width = 0;
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            width += of(text.codePointAt(i));
        }
        return width;
    }

    /// Returns the text, cut with an ellipsis if it is wider than the limit.
    public static String cut(String text, int limit, String ellipsis) {
        if (of(text) <= limit) {
            return text;
        }
        String sign = ellipsis.length() <= limit ? ellipsis : "";
        StringBuilder kept = new StringBuilder();
        int room = limit - sign.length();
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            int point = text.codePointAt(i);
            room -= of(point);
            if (room < 0) {
                break;
            }
            kept.appendCodePoint(point);
        }
        return kept + sign;
    }

    /// Returns the number of columns a character takes.
    public static int of(int point) {
        int type = Character.getType(point);
        if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK || type == Character.FORMAT) {
            return 0;
        }
        return isWide(point) ? 2 : 1;
    }

    /// Reports whether a character is in one of the blocks of Unicode's East Asian Width "W" and "F" that occur in
    /// names.
    private static boolean isWide(int point) {
        return (point >= 0x1100 && point <= 0x115F)
                || (point >= 0x2E80 && point <= 0xA4CF)
                || (point >= 0xAC00 && point <= 0xD7A3)
                || (point >= 0xF900 && point <= 0xFAFF)
                || (point >= 0xFE30 && point <= 0xFE6F)
                || (point >= 0xFF00 && point <= 0xFF60)
                || (point >= 0xFFE0 && point <= 0xFFE6)
                || (point >= 0x1F300 && point <= 0x1FAFF)
                || (point >= 0x20000 && point <= 0x3FFFD);
    }
}
