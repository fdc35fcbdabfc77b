// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

/// A text is not what its tool is known to print.
final class NvidiaFormatException extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int MAX_QUOTE = 80;

    NvidiaFormatException(String message) {
        super(message);
    }

    /// The beginning of a text, on one line, to quote in a message.
    static String quote(String text) {
        String stripped = text.strip();
        int end = stripped.indexOf('\n');
        String line = (end < 0 ? stripped : stripped.substring(0, end)).strip();
        return line.length() > MAX_QUOTE ? line.substring(0, MAX_QUOTE) + "…" : line;
    }
}
