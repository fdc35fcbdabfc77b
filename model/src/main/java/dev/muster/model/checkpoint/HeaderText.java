// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import static dev.muster.model.checkpoint.CheckpointException.Code.MALFORMED;
import static dev.muster.model.checkpoint.CheckpointException.Code.TOO_LARGE;
import static dev.muster.model.checkpoint.CheckpointException.Code.TRUNCATED;

import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.model.checkpoint.CheckpointException.Code;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// JSON text of a given length inside a file, scanned through an array that is refilled between members. A zero,
/// which JSON text cannot contain, follows the bytes in the array: scans stop there without a check at each byte.
/// Confined to one thread.
final class HeaderText {
    /// The largest member of the header: a name, a shape, and some blanks.
    private static final int MEMBER_BYTES = 1 << 17;
    /// Small enough to stay in a core's cache.
    private static final int CAPACITY = 1 << 18;
    private static final int MAX_DIGITS = 18;
    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long HIGH = 0x8080_8080_8080_8080L;
    private static final long BACKSLASHES = ONES * '\\';
    /// Turns a quote into a blank, which no control character becomes.
    private static final long QUOTES_TO_BLANKS = ONES * ('"' ^ ' ');
    private static final long BEHIND_BLANKS = ONES * (' ' + 1);

    private static final byte[] NONE = {};

    private final FileBytes file;
    private final byte[] text = new byte[CAPACITY + 1];
    private long unread;
    private int at;
    private int end;
    private int nameFrom;
    private int nameTo;
    /// The name that was read last, if it is not in the array as it is.
    private byte[] unusual = NONE;

    HeaderText(FileBytes file, long length) {
        this.file = file;
        this.unread = length;
    }

    /// Makes sure that the array holds the largest member accepted, or all that is left.
    void refill() {
        if (end - at >= MEMBER_BYTES || unread == 0) {
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

    /// Returns the next byte that is not white space, without consuming it.
    byte peek() {
        byte next = text[at];
        while (next <= ' ' && (next == ' ' || next == '\n' || next == '\r' || next == '\t')) {
            next = text[++at];
        }
        return next;
    }

    void expect(char wanted) {
        if (peek() != wanted) {
            throw error(MALFORMED, "there should be a '" + wanted + "'");
        }
        at++;
    }

    /// Consumes some bytes, if they come next.
    boolean take(byte[] word) {
        boolean here = at + word.length <= end && Arrays.equals(text, at, at + word.length, word, 0, word.length);
        at += here ? word.length : 0;
        return here;
    }

    /// Reports whether the object has a further member, which comes next; otherwise leaves the object.
    boolean nextMember(boolean first) {
        boolean more = next(first, '}');
        if (more && peek() != '"') {
            throw error(MALFORMED, "there should be a key in double quotes");
        }
        return more;
    }

    /// Reports whether the array has a further number, which comes next; otherwise leaves the array.
    boolean nextItem(boolean first) {
        return next(first, ']');
    }

    private boolean next(boolean first, char closing) {
        if (peek() == closing) {
            at++;
            return false;
        }
        if (!first) {
            expect(',');
            peek();
        }
        return true;
    }

    /// Reads an integer that is not negative.
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

    /// Reads a string that fits into the array: its bytes without quotes and escapes.
    byte[] readString() {
        readName();
        return name();
    }

    /// Reads a string that fits into the array and returns a hash of its bytes. [#name] has them, as long as the
    /// array is not refilled.
    long readName() {
        expect('"');
        nameFrom = at;
        at = endOfPlainText(at);
        nameTo = at;
        if (text[at] == '"') {
            at++;
            unusual = NONE;
            return NameHash.of(text, nameFrom, nameTo);
        }
        unusual = readUnusualString(nameFrom);
        return NameHash.of(unusual);
    }

    /// Returns the bytes of the name that was read last.
    byte[] name() {
        return unusual.length == 0 ? Arrays.copyOfRange(text, nameFrom, nameTo) : unusual;
    }

    /// Reports whether the name that was read last equals some bytes.
    boolean isName(byte[] wanted) {
        return unusual.length == 0
                ? Arrays.equals(text, nameFrom, nameTo, wanted, 0, wanted.length)
                : Arrays.equals(unusual, wanted);
    }

    /// Returns the end of plain text: a quote, a backslash, a control character, or a byte beyond ASCII.
    private int endOfPlainText(int from) {
        int place = from;
        while (place + Long.BYTES <= end && !stops((long) NameHash.WORD.get(text, place))) {
            place += Long.BYTES;
        }
        byte next = text[place];
        while (next >= ' ' && next != '"' && next != '\\') {
            next = text[++place];
        }
        return place;
    }

    /// Reports whether one of eight bytes ends plain text; a byte beyond ASCII has the high bit itself.
    private static boolean stops(long word) {
        return ((((word ^ QUOTES_TO_BLANKS) - BEHIND_BLANKS) | ((word ^ BACKSLASHES) - ONES) | word) & HIGH) != 0;
    }

    private byte[] readUnusualString(int from) {
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
            at = close + 1;
            return ((JsonString) value).value().getBytes(StandardCharsets.UTF_8);
        } catch (DocumentException e) {
            throw error(MALFORMED, String.valueOf(e.getMessage()));
        }
    }

    /// Skips a string of any length and returns a hash of its bytes as they stand in the file.
    long skipLongString() {
        expect('"');
        long hash = 1;
        while (true) {
            refill();
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
