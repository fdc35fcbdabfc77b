// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.text;

/// Sanitizes untrusted text for terminals: control characters become question marks, and very long texts are cut.
public final class Printable {
    private static final int MAX_LENGTH = 200;

    private Printable() {}

    /// Returns the text without characters that could control a terminal.
    public static String of(String text) {
        boolean fits = text.length() <= MAX_LENGTH || text.codePointCount(0, text.length()) <= MAX_LENGTH;
        return fits
                ? withoutControls(text)
                : withoutControls(text.substring(0, text.offsetByCodePoints(0, MAX_LENGTH))) + "…";
    }

    public static String of(Exception e) {
        return of(String.valueOf(e.getMessage()));
    }

    /// Returns the whole text without characters that could control a terminal, for machine-readable output: nothing
    /// is cut.
    public static String withoutControls(String text) {
        return without(text, false);
    }

    /// Returns a line of foreign output without such characters; tabs stay.
    public static String line(String text) {
        return without(text, true);
    }

    private static String without(String text, boolean keepsTabs) {
        int at = 0;
        while (at < text.length() && text.charAt(at) >= ' ' && text.charAt(at) <= '~') {
            at++;
        }
        if (at == text.length()) {
            return text;
        }
        StringBuilder safe = new StringBuilder(text.length()).append(text, 0, at);
        int point;
        for (; at < text.length(); at += Character.charCount(point)) {
            point = text.codePointAt(at);
            safe.appendCodePoint(isControl(point) && !(keepsTabs && point == '\t') ? '?' : point);
        }
        return safe.toString();
    }

    private static boolean isControl(int point) {
        int type = Character.getType(point);
        return type == Character.CONTROL
                || type == Character.FORMAT
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR
                || type == Character.SURROGATE;
    }
}
