package dev.muster.core.json;

import static dev.muster.core.json.DocumentException.Code.MALFORMED;
import static dev.muster.core.json.DocumentException.Code.TOO_LARGE;
import static dev.muster.core.json.DocumentException.Code.WRONG_TYPE;
import static dev.muster.core.json.DocumentException.Code.WRONG_VALUE;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/// Pulls values out of a JSON text. The caller says what it expects next; anything else is a [DocumentException] with
/// the place. Strict: no comments, no trailing commas, no text behind the value. Confined to one thread.
final class JsonReader {
    /// There is no further key or item.
    static final int END = -1;

    /// A key that is not in the set; [#lastKey()] names it.
    static final int UNKNOWN = -2;

    private final byte[] text;
    private final int limit;
    private int position;
    private int depth;
    private boolean first;
    private String lastKey = "";

    private JsonReader(byte[] text) {
        this.text = text;
        this.limit = text.length;
    }

    static JsonReader of(String text) {
        return new JsonReader(checkSize(text.getBytes(StandardCharsets.UTF_8)));
    }

    static JsonReader of(byte[] utf8) {
        JsonReader reader = new JsonReader(checkSize(utf8));
        reader.checkEncoding();
        return reader;
    }

    private static byte[] checkSize(byte[] text) {
        if (text.length > JsonLimits.MAX_BYTES) {
            throw DocumentException.of(
                    TOO_LARGE,
                    "the document has " + text.length + " bytes; at most " + JsonLimits.MAX_BYTES + " are read");
        }
        return text;
    }

    private void checkEncoding() {
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

    /// Goes to a value whose position was remembered, at the outermost object of a document.
    void seek(int remembered) {
        position = remembered;
        depth = 1;
        first = false;
    }

    String lastKey() {
        return lastKey;
    }

    /// Whether nothing but white space is left.
    boolean isAtEnd() {
        peek();
        return position == limit;
    }

    /// Whether the next value is an object.
    boolean isObject() {
        return peek() == '{';
    }

    /// Whether the next value is an array.
    boolean isArray() {
        return peek() == '[';
    }

    boolean isString() {
        return peek() == '"';
    }

    boolean isBoolean() {
        byte next = peek();
        return next == 't' || next == 'f';
    }

    void beginObject() {
        begin('{', "an object");
    }

    void beginArray() {
        begin('[', "an array");
    }

    private void begin(char bracket, String what) {
        if (peek() != bracket) {
            throw unexpected(what);
        }
        position++;
        depth++;
        first = true;
        if (depth > JsonLimits.MAX_DEPTH) {
            throw error(TOO_LARGE, "more than " + JsonLimits.MAX_DEPTH + " objects and arrays inside each other");
        }
    }

    /// Whether the array has a further item, which is then read next; otherwise the array is left.
    boolean nextItem() {
        byte next = peek();
        if (next == ']') {
            return leave();
        }
        if (!first) {
            expectComma(next);
            if (peek() == ']') {
                throw error(MALFORMED, "a comma stands before the end of the array");
            }
        }
        first = false;
        return true;
    }

    private boolean leave() {
        position++;
        depth--;
        first = false;
        return false;
    }

    /// Whether the object has no further key.
    boolean isAtObjectEnd() {
        return peek() == '}';
    }

    /// Leaves an object that has no further key.
    void endObject() {
        leave();
    }

    /// The next key of the object as its index in a set, [#UNKNOWN], or [#END] when the object is left.
    int nextKey(JsonKeys keys, int guess) {
        byte next = peek();
        if (next == '}') {
            leave();
            return END;
        }
        if (!first) {
            expectComma(next);
            next = peek();
        }
        first = false;
        if (next != '"') {
            throw error(
                    MALFORMED,
                    next == '}' ? "a comma stands before the end of the object" : "a key must be in double quotes");
        }
        int index = keys.match(text, position, limit, guess);
        if (index == JsonKeys.NONE) {
            lastKey = readString();
            // A key may be written with escapes and still be one of ours.
            index = keys.indexOf(lastKey);
        } else {
            position += keys.quoted(index).length;
            lastKey = keys.name(index);
        }
        if (peek() != ':') {
            throw error(MALFORMED, "expected ':' behind the key '" + lastKey + "'");
        }
        position++;
        return index == JsonKeys.NONE ? UNKNOWN : index;
    }

    private void expectComma(byte next) {
        if (next != ',') {
            throw error(
                    MALFORMED, limit == position ? "the text ends too early" : "expected ',' or the end of the list");
        }
        position++;
    }

    /// Whether the next value is null; if so, it is read.
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

    /// A text that must be one of a set; its index.
    int nextName(JsonKeys names) {
        if (peek() != '"') {
            throw unexpected("a text");
        }
        int index = names.match(text, position, limit, 0);
        if (index != JsonKeys.NONE) {
            position += names.quoted(index).length;
            return index;
        }
        int start = position;
        String found = readString();
        index = names.indexOf(found);
        if (index == JsonKeys.NONE) {
            position = start;
            throw error(WRONG_VALUE, "'" + shorten(found) + "' is not one of " + String.join(", ", names.names()));
        }
        return index;
    }

    /// A whole number from 0 to 2^64-1, as the bits of an unsigned long.
    long nextUnsigned() {
        int start = startNumber();
        long value = 0;
        int at = position;
        while (at < limit && text[at] >= '0' && text[at] <= '9') {
            int digit = text[at] - '0';
            if (at - start >= 18 && overflows(value, digit)) {
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
        }
        long value = nextUnsigned(Long.MAX_VALUE);
        if (negative && value == 0) {
            throw error(WRONG_TYPE, "expected a whole number, found -0");
        }
        return negative ? -value : value;
    }

    /// Any finite number.
    double nextDouble() {
        startNumber();
        NumberScan scan = NumberScan.of(text, position, limit);
        if (scan.end() < 0) {
            throw error(MALFORMED, "a number is not well formed");
        }
        if (scan.end() - position > JsonLimits.MAX_NUMBER_LENGTH) {
            throw error(TOO_LARGE, "a number has more than " + JsonLimits.MAX_NUMBER_LENGTH + " characters");
        }
        double value = scan.value(text, position);
        if (!Double.isFinite(value)) {
            throw error(WRONG_VALUE, "the number is out of range");
        }
        position = scan.end();
        return value;
    }

    /// The exact text of the next number, for readers that need more than a double holds.
    String nextNumberText() {
        int start = position;
        nextDouble();
        return new String(text, start, position - start, StandardCharsets.US_ASCII).strip();
    }

    /// Reads over any value.
    void skipValue() {
        switch (peek()) {
            case '{' -> {
                beginObject();
                while (nextKey(NO_KEYS, 0) != END) {
                    skipValue();
                }
            }
            case '[' -> {
                beginArray();
                while (nextItem()) {
                    skipValue();
                }
            }
            case '"' -> readString();
            case 't', 'f' -> nextBoolean();
            case 'n' -> literal("null");
            default -> nextDouble();
        }
    }

    /// Checks that nothing but white space is left.
    void requireEnd() {
        peek();
        if (position < limit) {
            throw error(MALFORMED, "there is text behind the end of the document");
        }
    }

    /// An error at the place reached so far.
    DocumentException error(DocumentException.Code code, String message) {
        return TextPosition.error(code, text, Math.min(position, limit), message);
    }

    private static final JsonKeys NO_KEYS = JsonKeys.of();

    /// The next byte that is not white space; 0 at the end.
    private byte peek() {
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

    private void literal(String word) {
        int end = position + word.length();
        for (int i = 0; i < word.length(); i++) {
            if (position + i >= limit || text[position + i] != word.charAt(i)) {
                throw error(MALFORMED, "expected a value");
            }
        }
        position = end;
    }

    private String readString() {
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
                return readEscapedString(start);
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

    private String readEscapedString(int start) {
        EscapedString scanned = EscapedString.scan(text, start, limit);
        position = scanned.end();
        if (scanned.problem() != null) {
            throw error(MALFORMED, scanned.problem());
        }
        return scanned.value();
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

    private DocumentException unexpected(String wanted) {
        String found = switch (peek()) {
            case 0 -> "the end of the text";
            case '{' -> "an object";
            case '[' -> "an array";
            case '"' -> "a text";
            case 't', 'f' -> "true or false";
            case 'n' -> "null";
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> "a number";
            default -> "";
        };
        if (found.isEmpty()) {
            return error(MALFORMED, "this is no JSON value");
        }
        String place = lastKey.isEmpty() ? "" : " for '" + shorten(lastKey) + "'";
        return error(position == limit ? MALFORMED : WRONG_TYPE, "expected " + wanted + place + ", found " + found);
    }

    private static String shorten(String found) {
        int longest = 60;
        return found.length() > longest ? found.substring(0, longest) + "…" : found;
    }
}
