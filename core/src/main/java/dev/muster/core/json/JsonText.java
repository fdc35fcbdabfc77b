// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import static dev.muster.core.json.DocumentException.DocumentErrorCode.MALFORMED;
import static dev.muster.core.json.DocumentException.DocumentErrorCode.TOO_LARGE;
import static dev.muster.core.json.DocumentException.DocumentErrorCode.WRONG_TYPE;
import static dev.muster.core.json.DocumentException.DocumentErrorCode.WRONG_VALUE;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/// The bytes of a JSON text and a position in them: reads single values and says where something is wrong.
/// [JsonReader] adds objects and arrays. Confined to one thread.
sealed class JsonText permits JsonReader {
    /// Bytes of a whole document. A registry of a thousand devices is far below each of these three.
    static final int MAX_BYTES = 32 << 20;

    /// Objects and arrays inside each other.
    static final int MAX_DEPTH = 128;

    /// Bytes of one number.
    static final int MAX_NUMBER_LENGTH = 512;

    private static final int LONGEST_SHOWN = 60;
    private static final int DIGITS_THAT_FIT = 18;

    final byte[] text;
    final int limit;
    int position;
    String lastKey = "";

    JsonText(byte[] text) {
        this.text = text;
        this.limit = text.length;
    }

    static byte[] checkSize(byte[] text) {
        if (text.length > MAX_BYTES) {
            throw DocumentException.of(
                    TOO_LARGE, "the document has " + text.length + " bytes; at most " + MAX_BYTES + " are read");
        }
        return text;
    }

    void checkEncoding() {
        int bits = 0;
        for (byte b : text) {
            bits |= b;
        }
        if (bits >= 0) {
            return;
        }
        ByteBuffer input = ByteBuffer.wrap(text);
        CoderResult result = StandardCharsets.UTF_8.newDecoder().decode(input, CharBuffer.allocate(limit), true);
        if (result.isError()) {
            position = input.position();
            throw error(MALFORMED, "the text is not UTF-8");
        }
    }

    int position() {
        return position;
    }

    String lastKey() {
        return lastKey;
    }

    /// The last key for people, cut where it is too long to show.
    String shownKey() {
        return shorten(lastKey);
    }

    /// Reports whether the next value is null; if so, it is read.
    boolean nextNull() {
        if (peek() != 'n') {
            return false;
        }
        literal("null");
        return true;
    }

    boolean nextBoolean() {
        switch (peek()) {
            case 't' -> literal("true");
            case 'f' -> {
                literal("false");
                return false;
            }
            default -> throw unexpected("true or false");
        }
        return true;
    }

    String nextString() {
        if (peek() != '"') {
            throw unexpected("a text");
        }
        return readString();
    }

    /// A whole number from 0 to 2^64-1, as the bits of an unsigned long.
    long nextUnsigned() {
        int start = startNumber();
        long value = 0;
        int at = position;
        while (at < limit && text[at] >= '0' && text[at] <= '9') {
            int digit = text[at] - '0';
            if (at - start >= DIGITS_THAT_FIT && overflows(value, digit)) {
                throw error(WRONG_VALUE, "the number is larger than 2^64-1");
            }
            value = value * 10 + digit;
            at++;
        }
        if (at == start || isNumberPart(at) || (text[start] == '0' && at > start + 1)) {
            throw notWhole(start);
        }
        position = at;
        return value;
    }

    /// A whole number from 0 to a maximum below 2^63.
    long nextUnsigned(long maximum) {
        int start = position;
        long value = nextUnsigned();
        if (value < 0 || value > maximum) {
            position = start;
            throw error(WRONG_VALUE, "the number is larger than " + maximum);
        }
        return value;
    }

    /// A whole number of 32 bits with sign.
    int nextInt() {
        int start = position;
        long value = nextSigned();
        if (value != (int) value) {
            position = start;
            throw error(WRONG_VALUE, "the number does not fit into 32 bits");
        }
        return (int) value;
    }

    /// A whole number of 64 bits with sign.
    long nextSigned() {
        startNumber();
        boolean negative = text[position] == '-';
        if (negative) {
            position++;
            requireDigit();
        }
        int start = position;
        long value = nextUnsigned();
        if (negative && value == 0) {
            throw error(WRONG_TYPE, "expected a whole number, found -0");
        }
        if (value < 0 && !(negative && value == Long.MIN_VALUE)) {
            position = start;
            throw error(WRONG_VALUE, "the number does not fit into 64 bits with sign");
        }
        return negative ? -value : value;
    }

    private void requireDigit() {
        if (position >= limit || text[position] < '0' || text[position] > '9') {
            throw error(MALFORMED, "a number is not well formed");
        }
    }

    /// Any finite number.
    double nextDouble() {
        NumberScan scan = scanNumber();
        double value = scan.value(text, position);
        if (!Double.isFinite(value)) {
            throw error(WRONG_VALUE, "the number is out of range");
        }
        position = scan.end();
        return value;
    }

    /// The exact text of the next number, for readers that need more than a double holds.
    String nextNumberText() {
        String number = nextUnboundedNumberText();
        if (!Double.isFinite(Double.parseDouble(number))) {
            position -= number.length();
            throw error(WRONG_VALUE, "the number is out of range");
        }
        return number;
    }

    /// The exact text of the next number, of any size.
    String nextUnboundedNumberText() {
        int end = scanNumber().end();
        String number = new String(text, position, end - position, StandardCharsets.US_ASCII);
        position = end;
        return number;
    }

    private NumberScan scanNumber() {
        startNumber();
        NumberScan scan = NumberScan.of(text, position, limit);
        if (scan.end() < 0) {
            throw error(MALFORMED, "a number is not well formed");
        }
        if (scan.end() - position > MAX_NUMBER_LENGTH) {
            throw error(TOO_LARGE, "a number has more than " + MAX_NUMBER_LENGTH + " characters");
        }
        return scan;
    }

    /// An error at the place reached so far: line and column for people, both from 1; columns count bytes.
    DocumentException error(DocumentException.DocumentErrorCode code, String message) {
        int offset = Math.min(position, limit);
        int line = 1;
        int lineStart = 0;
        for (int i = 0; i < offset; i++) {
            if (text[i] == '\n') {
                line++;
                lineStart = i + 1;
            }
        }
        String place = "line " + line + ", column " + (offset - lineStart + 1);
        return new DocumentException(code, offset, place + ": " + message);
    }

    /// The next byte that is not white space; 0 at the end.
    final byte peek() {
        int at = position;
        while (at < limit) {
            byte b = text[at];
            if (b > ' ' || (b != ' ' && b != '\n' && b != '\r' && b != '\t')) {
                position = at;
                return b;
            }
            at++;
        }
        position = at;
        return 0;
    }

    final void literal(String word) {
        int end = position + word.length();
        for (int i = 0; i < word.length(); i++) {
            if (position + i >= limit || text[position + i] != word.charAt(i)) {
                throw error(MALFORMED, "expected a value");
            }
        }
        position = end;
    }

    final String readString() {
        int start = position + 1;
        int bits = 0;
        for (int at = start; at < limit; at++) {
            byte b = text[at];
            if (b == '"') {
                position = at + 1;
                return new String(
                        text, start, at - start, bits >= 0 ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8);
            }
            if (b == '\\') {
                return EscapedString.read(this, start);
            }
            if (b >= 0 && b < ' ') {
                position = at;
                throw error(MALFORMED, "a text holds a control character that is not escaped");
            }
            bits |= b;
        }
        position = limit;
        throw error(MALFORMED, "the text ends inside a string");
    }

    private int startNumber() {
        byte next = peek();
        if (next != '-' && (next < '0' || next > '9')) {
            throw unexpected("a number");
        }
        return position;
    }

    private boolean isNumberPart(int at) {
        return at < limit && (text[at] == '.' || text[at] == 'e' || text[at] == 'E');
    }

    private DocumentException notWhole(int start) {
        position = start;
        return error(WRONG_TYPE, "expected a whole number from 0 on");
    }

    private static boolean overflows(long value, int digit) {
        long bound = Long.divideUnsigned(-1L - digit, 10);
        return Long.compareUnsigned(value, bound) > 0;
    }

    final DocumentException unexpected(String wanted) {
        String found = switch (peek()) {
            case 0 -> position == limit ? "the end of the text" : "";
            case '{' -> "an object";
            case '[' -> "an array";
            case '"' -> "a text";
            case 't', 'f' -> "true or false";
            case 'n' -> "null";
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> "a number";
            default -> "";
        };
        if (found.isEmpty()) {
            return error(MALFORMED, "this is not a JSON value");
        }
        String place = lastKey.isEmpty() ? "" : " for '" + shorten(lastKey) + "'";
        return error(position == limit ? MALFORMED : WRONG_TYPE, "expected " + wanted + place + ", found " + found);
    }

    static String shorten(String found) {
        return found.length() > LONGEST_SHOWN ? found.substring(0, LONGEST_SHOWN) + "…" : found;
    }
}
