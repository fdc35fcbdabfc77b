// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/// JSON strings with escapes.
final class EscapedString {
    private static final int HEX_DIGITS = 4;

    private EscapedString() {}

    /// Reads a string to its closing quote.
    ///
    /// @param start the position behind the opening quote
    static String read(JsonText json, int start) {
        byte[] text = json.text;
        int limit = json.limit;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int at = start;
        while (at < limit) {
            byte b = text[at];
            if (b == '"') {
                json.position = at + 1;
                return bytes.toString(StandardCharsets.UTF_8);
            }
            if (b >= 0 && b < ' ') {
                throw bad(json, at, "a text holds a control character that is not escaped");
            }
            if (b != '\\') {
                bytes.write(b);
                at++;
                continue;
            }
            if (at + 1 >= limit) {
                break;
            }
            byte letter = text[at + 1];
            if (letter != 'u') {
                int simple = simpleEscape(letter);
                if (simple < 0) {
                    throw bad(json, at, "a text holds an unknown escape");
                }
                bytes.write(simple);
                at += 2;
                continue;
            }
            int unit = hex(text, at + 2, limit);
            at += 2 + HEX_DIGITS;
            if (unit < 0) {
                throw bad(json, at, "a text holds an unfinished \\u escape");
            }
            int codePoint = unit;
            if (Character.isSurrogate((char) unit)) {
                boolean paired = at + 1 < limit && text[at] == '\\' && text[at + 1] == 'u';
                int low = paired ? hex(text, at + 2, limit) : -1;
                if (low < 0 || !Character.isSurrogatePair((char) unit, (char) low)) {
                    throw bad(json, at, "a text holds half of a surrogate pair");
                }
                codePoint = Character.toCodePoint((char) unit, (char) low);
                at += 2 + HEX_DIGITS;
            }
            bytes.writeBytes(Character.toString(codePoint).getBytes(StandardCharsets.UTF_8));
        }
        throw bad(json, limit, "the text ends inside a string");
    }

    private static DocumentException bad(JsonText json, int at, String problem) {
        json.position = at;
        return json.error(DocumentException.DocumentErrorCode.MALFORMED, problem);
    }

    private static int simpleEscape(byte letter) {
        return switch (letter) {
            case '"', '\\', '/' -> letter;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            default -> -1;
        };
    }

    private static int hex(byte[] text, int start, int limit) {
        if (start + HEX_DIGITS > limit) {
            return -1;
        }
        int value = 0;
        for (int i = start; i < start + HEX_DIGITS; i++) {
            int digit = Character.digit(text[i], 16);
            if (digit < 0) {
                return -1;
            }
            value = value * 16 + digit;
        }
        return value;
    }
}
