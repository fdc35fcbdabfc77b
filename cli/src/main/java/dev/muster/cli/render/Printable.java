package dev.muster.cli.render;

/// Foreign text, made safe for a terminal: control characters become question marks, and very long texts are cut.
public final class Printable {
    private static final int MAX_LENGTH = 200;

    private Printable() {}

    /// The text without anything that could steer a terminal.
    public static String of(String text) {
        StringBuilder safe = new StringBuilder();
        text.codePoints().limit(MAX_LENGTH).forEach(point -> safe.appendCodePoint(isControl(point) ? '?' : point));
        return text.codePointCount(0, text.length()) > MAX_LENGTH ? safe + "…" : safe.toString();
    }

    /// What an exception says.
    public static String of(Exception e) {
        return of(String.valueOf(e.getMessage()));
    }

    /// The whole text without control characters, for machines: nothing is cut, other marks stay.
    public static String withoutControls(String text) {
        StringBuilder safe = new StringBuilder();
        text.codePoints()
                .forEach(point -> safe.appendCodePoint(Character.getType(point) == Character.CONTROL ? '?' : point));
        return safe.toString();
    }

    /// JSON with the control characters that it allows raw (DEL and the C1 set) written as escapes: the same value,
    /// and nothing that could steer a terminal.
    public static String escapeControls(String json) {
        StringBuilder safe = new StringBuilder(json.length());
        for (int i = 0; i < json.length(); i++) {
            char c = json.charAt(i);
            if (c >= 0x7f && c <= 0x9f) {
                safe.append("\\u00").append(Integer.toHexString(c));
            } else {
                safe.append(c);
            }
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
