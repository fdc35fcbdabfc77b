// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.text;

/// Sanitizes untrusted text for terminals: control characters become question marks, and very long texts are cut.
public final class Printable {
    private static final int MAX_LENGTH = 200;

    private Printable() {}

    /// Returns the text without characters that could control a terminal.
    public static String of(String text) {
        StringBuilder safe = new StringBuilder();
        text.codePoints().limit(MAX_LENGTH).forEach(point -> safe.appendCodePoint(isControl(point) ? '?' : point));
        return text.codePointCount(0, text.length()) > MAX_LENGTH ? safe + "…" : safe.toString();
    }

    /// Returns the message of an exception.
    public static String of(Exception e) {
        return of(String.valueOf(e.getMessage()));
    }

    /// Returns the whole text without characters that could control a terminal, for machine-readable output: nothing
    /// is cut.
    public static String withoutControls(String text) {
        StringBuilder safe = new StringBuilder();
        text.codePoints().forEach(point -> safe.appendCodePoint(isControl(point) ? '?' : point));
        return safe.toString();
    }

    /// Returns a line of foreign output without such characters; tabs stay.
    public static String line(String text) {
        StringBuilder safe = new StringBuilder();
        text.codePoints().forEach(point -> safe.appendCodePoint(point != '\t' && isControl(point) ? '?' : point));
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
