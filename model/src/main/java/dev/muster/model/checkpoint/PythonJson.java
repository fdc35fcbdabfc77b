// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// JSON as Python writes it, with words for numbers that JSON cannot express.
final class PythonJson {
    private static final byte[][] WORDS = {
        "-Infinity".getBytes(StandardCharsets.US_ASCII),
        "Infinity".getBytes(StandardCharsets.US_ASCII),
        "NaN".getBytes(StandardCharsets.US_ASCII)
    };
    private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);

    private PythonJson() {}

    /// Returns the same text with `null` for `Infinity`, `-Infinity` and `NaN` outside of strings.
    static byte[] plain(byte[] text) {
        ByteArrayOutputStream plain = new ByteArrayOutputStream(text.length);
        boolean isInString = false;
        for (int at = 0; at < text.length; at++) {
            byte c = text[at];
            int word = isInString ? 0 : wordAt(text, at);
            if (word > 0) {
                plain.writeBytes(NULL);
                at += word - 1;
                continue;
            }
            plain.write(c);
            if (isInString && c == '\\' && at + 1 < text.length) {
                plain.write(text[++at]);
            } else if (c == '"') {
                isInString = !isInString;
            }
        }
        return plain.toByteArray();
    }

    /// Returns the length of the word at a position; 0 if there is none.
    private static int wordAt(byte[] text, int at) {
        for (byte[] word : WORDS) {
            if (at + word.length <= text.length && Arrays.equals(text, at, at + word.length, word, 0, word.length)) {
                return word.length;
            }
        }
        return 0;
    }
}
