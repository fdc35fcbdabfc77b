package dev.muster.plan.checkpoint;

import static dev.muster.plan.checkpoint.CheckpointException.Code.MALFORMED;
import static dev.muster.plan.checkpoint.CheckpointException.Code.TOO_LARGE;
import static dev.muster.plan.checkpoint.CheckpointException.Code.TRUNCATED;

import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.plan.checkpoint.CheckpointException.Code;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// JSON text of a given length inside a file, scanned through an array that is refilled between members. Behind the
/// bytes at hand stands a zero, which no JSON text contains: scans stop there without asking for the end at each byte.
/// Confined to one thread.
final class HeaderText {
    /// What one member of the header may take: a name, a shape, and some blanks.
    private static final int MEMBER_BYTES = 1 << 17;

    /// Small enough to stay in a core's cache.
    private static final int CAPACITY = 1 << 18;
    /// What nearly every member takes: the array is refilled when less is left.
    private static final int USUAL_BYTES = 1 << 12;
    /// Room for a zero, and for sixteen bytes read at once at the end.
    private static final int PADDING = 32;

    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long HIGH = 0x8080_8080_8080_8080L;
    private static final long BACKSLASHES = ONES * '\\';
    /// Makes a quote a blank, which no control character becomes.
    private static final long QUOTES_TO_BLANKS = ONES * ('"' ^ ' ');

    private static final long BEHIND_BLANKS = ONES * (' ' + 1);
    private static final int MAX_DIGITS = 18;

    private final FileBytes file;
    private final byte[] text = new byte[CAPACITY + PADDING];
    private long unread;
    private int at;
    private int end;

    private byte[] string = text;
    private int stringFrom;
    private int stringTo;

    HeaderText(FileBytes file, long length) {
        this.file = file;
        this.unread = length;
    }

    /// Makes sure that a usual member stands in the array, or all that is left. Strings read before are lost.
    void refill() {
        refill(USUAL_BYTES);
    }

    /// Makes sure that any member stands in the array that is accepted, or all that is left. Strings read before are
    /// lost.
    void refillFully() {
        refill(MEMBER_BYTES);
    }

    private void refill(int wanted) {
        if (end - at >= wanted || unread == 0) {
            return;
        }
        System.arraycopy(text, at, text, 0, end - at);
        end -= at;
        at = 0;
        int part = (int) Math.min(unread, CAPACITY - end);
        file.readInto(text, end, end + part);
        unread -= part;
        end += part;
        text[end] = 0;
    }

    /// The next byte that is no white space, which stays.
    byte peek() {
        byte next = text[at];
        while (next <= ' ' && (next == ' ' || next == '\n' || next == '\r' || next == '\t')) {
            next = text[++at];
        }
        return next;
    }

    byte[] bytes() {
        return text;
    }

    int at() {
        return at;
    }

    void skip(int bytes) {
        at += bytes;
    }

    /// Eight bytes from here on, as one number; zeros and rubbish behind the end.
    long word(int ahead) {
        return LittleEndian.getLong(text, Math.min(at + ahead, CAPACITY + PADDING - Long.BYTES));
    }

    void expect(char wanted) {
        if (text[at] != wanted && peek() != wanted) {
            throw error(MALFORMED, "there should be a '" + wanted + "'");
        }
        at++;
    }

    /// Whether a comma, a quote and all of a usual member stand next in the array.
    boolean hasUsualMember() {
        return end - at >= USUAL_BYTES && text[at] == ',' && text[at + 1] == '"';
    }

    /// Whether the object has a further member, which stands next; otherwise the object is left.
    boolean nextMember(boolean first) {
        return next(first, (byte) '}', '"', "a key in double quotes");
    }

    /// Whether the array has a further number, which stands next; otherwise the array is left.
    boolean nextItem(boolean first) {
        byte next = peek();
        if (next == ']') {
            at++;
            return false;
        }
        if (!first) {
            expect(',');
            peek();
        }
        return true;
    }

    private boolean next(boolean first, byte closing, char opening, String what) {
        byte next = peek();
        if (next == closing) {
            at++;
            return false;
        }
        if (!first) {
            expect(',');
            next = peek();
        }
        if (next != opening) {
            throw error(MALFORMED, "there should be " + what);
        }
        return true;
    }

    /// A whole number that is not negative.
    long readNumber() {
        int from = at;
        long value = 0;
        int digit = text[at] - '0';
        while (digit >= 0 && digit <= 9) {
            value = value * 10 + digit;
            digit = text[++at] - '0';
        }
        int digits = at - from;
        if (digits == 0 || digits > MAX_DIGITS || (text[from] == '0' && digits > 1)) {
            throw error(MALFORMED, "there should be a whole number of at most " + MAX_DIGITS + " digits");
        }
        return value;
    }

    /// Reads a string that fits into the array; [#stringBytes()] has it without quotes and escapes.
    void readString() {
        expect('"');
        int from = at;
        at = endOfPlainText(at);
        if (text[at] == '"') {
            string = text;
            stringFrom = from;
            stringTo = at;
            at++;
        } else {
            readUnusualString(from);
        }
    }

    /// Where plain text ends: at a quote, a backslash, a control character, or a byte beyond ASCII.
    private int endOfPlainText(int from) {
        int place = from;
        while (place + Long.BYTES <= end) {
            long word = LittleEndian.getLong(text, place);
            long stops = stops(word);
            if (stops != 0) {
                return place + Long.numberOfTrailingZeros(stops) / Byte.SIZE;
            }
            place += Long.BYTES;
        }
        byte next = text[place];
        while (next >= ' ' && next != '"' && next != '\\') {
            next = text[++place];
        }
        return place;
    }

    /// The high bit of the lowest byte that ends plain text, and of some above it; zero where none does. A byte
    /// beyond ASCII has that bit itself, so differences need not care for it.
    static long stops(long word) {
        return (((word ^ QUOTES_TO_BLANKS) - BEHIND_BLANKS) | ((word ^ BACKSLASHES) - ONES) | word) & HIGH;
    }

    private void readUnusualString(int from) {
        int close = from;
        while (text[close] != '"') {
            boolean escape = text[close] == '\\' && close + 1 < end;
            if (!escape && text[close] >= 0 && text[close] < ' ') {
                at = close;
                throw error(MALFORMED, "a string does not end as it should");
            }
            close += escape ? 2 : 1;
        }
        try {
            JsonValue value = JsonValue.parse(Arrays.copyOfRange(text, from - 1, close + 1));
            string = ((JsonString) value).value().getBytes(StandardCharsets.UTF_8);
        } catch (DocumentException e) {
            throw error(MALFORMED, String.valueOf(e.getMessage()));
        }
        stringFrom = 0;
        stringTo = string.length;
        at = close + 1;
    }

    /// Skips a string of any length and returns a hash of its bytes as they stand in the file.
    long skipLongString() {
        expect('"');
        long hash = 1;
        while (true) {
            refillFully();
            int from = at;
            at = endOfPlainText(at);
            hash = hash * 31 + NameHash.of(text, from, at);
            byte stop = text[at];
            if (stop == '"') {
                at++;
                return hash;
            }
            if (stop == '\\' && at + 1 < end) {
                hash = hash * 31 + text[at + 1];
                at += 2;
            } else if (stop < 0) {
                hash = hash * 31 + stop;
                at++;
            } else if (unread == 0 || (at < end && stop != '\\')) {
                throw error(MALFORMED, "a string does not end as it should");
            }
        }
    }

    byte[] stringBytes() {
        return string;
    }

    int stringFrom() {
        return stringFrom;
    }

    int stringTo() {
        return stringTo;
    }

    String string() {
        return new String(string, stringFrom, stringTo - stringFrom, StandardCharsets.UTF_8);
    }

    boolean stringEquals(byte[] other) {
        return Arrays.equals(string, stringFrom, stringTo, other, 0, other.length);
    }

    /// Checks that nothing but blanks follows.
    void requireEnd() {
        while (true) {
            byte next = peek();
            if (at < end || unread == 0) {
                if (next != 0 || at < end) {
                    throw error(MALFORMED, "there is text behind the header");
                }
                return;
            }
            refill();
        }
    }

    CheckpointException error(Code code, String what) {
        long place = file.position() - (end - at);
        if (at < end) {
            return CheckpointException.at(code, file.name(), place, what);
        }
        return unread == 0
                ? CheckpointException.at(TRUNCATED, file.name(), place, "the header ends too early: " + what)
                : CheckpointException.at(
                        TOO_LARGE,
                        file.name(),
                        place,
                        "an entry of the header is longer than " + MEMBER_BYTES + " bytes");
    }
}
