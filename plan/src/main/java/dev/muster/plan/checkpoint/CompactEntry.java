package dev.muster.plan.checkpoint;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// One tensor of a safetensors header in the form that every writer uses: no blanks, keys in the usual order, a plain
/// name. Anything else is left to [SafeTensorsHeader], which reads all forms and says what is wrong. Here the bytes are
/// looked at eight at a time and nothing is called or made: it is what keeps headers of 60 MB fast.
final class CompactEntry {
    private static final long BEHIND_NAME = word("\":{\"dtyp");
    private static final int BEHIND_NAME_END = intWord("e\":\"");
    private static final int BEHIND_NAME_BYTES = 12;
    private static final long BEHIND_TYPE = word("\",\"shape");
    private static final int BEHIND_TYPE_END = intWord("e\":[");
    private static final int BEHIND_TYPE_BYTES = 11;
    private static final long BEHIND_SHAPE = word("],\"data_");
    private static final long BEHIND_SHAPE_MIDDLE = word("offsets\"");
    private static final int BEHIND_SHAPE_BYTES = 18;

    /// The longest number that cannot exceed a `long`.
    private static final int MAX_DIGITS = 18;

    private int nameTo;
    private int end;
    private long hash;

    private @Nullable TensorType type;
    private long typeText;
    private int typeLength;

    private final long[] shape = new long[CheckpointLimits.RANK];
    private int rank;
    private long shapeText;
    private int shapeLength;

    private long from;
    private long to;
    private long toText;
    private long toTextEnd;
    private int toLength;

    private long number;

    private static long word(String eight) {
        return LittleEndian.getLong(eight.getBytes(StandardCharsets.US_ASCII), 0);
    }

    private static int intWord(String four) {
        return LittleEndian.getInt(four.getBytes(StandardCharsets.US_ASCII), 0);
    }

    /// Reads an entry whose name begins at `start`, behind the quote; false when it has another form. Behind the text
    /// stands a zero and room for sixteen bytes more.
    boolean read(byte[] text, int start) {
        int at = readName(text, start);
        if (at < 0
                || LittleEndian.getLong(text, at) != BEHIND_NAME
                || LittleEndian.getInt(text, at + Long.BYTES) != BEHIND_NAME_END) {
            return false;
        }
        nameTo = at;
        at = readType(text, at + BEHIND_NAME_BYTES);
        return at >= 0 && readPlace(text, at);
    }

    /// Finds the quote behind a name of plain ASCII and takes its hash on the way; -1 at anything else.
    private int readName(byte[] text, int start) {
        long even = NameHash.EVEN_SEED;
        long odd = NameHash.ODD_SEED;
        int at = start;
        long word = LittleEndian.getLong(text, at);
        long next = LittleEndian.getLong(text, at + Long.BYTES);
        while ((HeaderText.stops(word) | HeaderText.stops(next)) == 0) {
            even = NameHash.mix(even, word);
            odd = NameHash.mix(odd, next);
            at += 2 * Long.BYTES;
            word = LittleEndian.getLong(text, at);
            next = LittleEndian.getLong(text, at + Long.BYTES);
        }
        if (HeaderText.stops(word) == 0) {
            even = NameHash.mix(even, word);
            at += Long.BYTES;
            word = next;
        }
        int before = Long.numberOfTrailingZeros(HeaderText.stops(word)) / Byte.SIZE;
        at += before;
        hash = NameHash.finish(even, odd, word, before);
        return text[at] == '"' ? at : -1;
    }

    /// Reads the type, which mostly is that of the tensor before: the same bytes, and a quote.
    private int readType(byte[] text, int start) {
        long word = LittleEndian.getLong(text, start);
        if (type == null || low(word, typeLength + 1) != typeText) {
            int length = 0;
            while (text[start + length] > '"') {
                length++;
            }
            type = length < Long.BYTES ? SafeTensorsType.find(text, start, start + length) : null;
            if (type == null) {
                return -1;
            }
            typeText = low(word, length + 1);
            typeLength = length;
        }
        int at = start + typeLength;
        boolean usual = LittleEndian.getLong(text, at) == BEHIND_TYPE
                && LittleEndian.getInt(text, at + Long.BYTES - 1) == BEHIND_TYPE_END;
        return usual ? at + BEHIND_TYPE_BYTES : -1;
    }

    private boolean readPlace(byte[] text, int start) {
        int at = readShape(text, start);
        if (at < 0
                || LittleEndian.getLong(text, at) != BEHIND_SHAPE
                || LittleEndian.getLong(text, at + Long.BYTES) != BEHIND_SHAPE_MIDDLE
                || text[at + 16] != ':'
                || text[at + 17] != '[') {
            return false;
        }
        return readOffsets(text, at + BEHIND_SHAPE_BYTES);
    }

    /// Reads the dimensions, which often are those of the tensor before: the same bytes, and a bracket.
    private int readShape(byte[] text, int start) {
        long word = LittleEndian.getLong(text, start);
        if (shapeLength > 0 && low(word, shapeLength + 1) == shapeText) {
            return start + shapeLength;
        }
        shapeLength = 0;
        rank = 0;
        int at = start;
        while (text[at] != ']') {
            at = readNumber(text, at);
            if (at < 0 || rank == shape.length) {
                return -1;
            }
            shape[rank++] = number;
            if (text[at] == ',' && text[at + 1] != ']') {
                at++;
            }
        }
        if (at - start < Long.BYTES) {
            shapeLength = at - start;
            shapeText = low(word, shapeLength + 1);
        }
        return at;
    }

    private boolean readOffsets(byte[] text, int start) {
        int at = start + toLength;
        if (isEndBefore(text, start)) {
            from = to;
        } else {
            at = readNumber(text, start);
            if (at < 0) {
                return false;
            }
            from = number;
        }
        if (text[at] != ',') {
            return false;
        }
        int second = at + 1;
        at = readNumber(text, second);
        if (at < 0 || text[at] != ']' || text[at + 1] != '}') {
            return false;
        }
        to = number;
        toLength = at - second;
        toText = low(LittleEndian.getLong(text, second), toLength);
        toTextEnd = LittleEndian.getLong(text, at - Long.BYTES);
        end = at + 2;
        return true;
    }

    /// Whether a tensor begins where the one before ends: the same digits, of which two words hold all.
    private boolean isEndBefore(byte[] text, int start) {
        return toLength > 0
                && low(LittleEndian.getLong(text, start), toLength) == toText
                && (toLength <= Long.BYTES
                        || (toLength <= 2 * Long.BYTES
                                && LittleEndian.getLong(text, start + toLength - Long.BYTES) == toTextEnd));
    }

    /// The low bytes of a word; all where it has no more.
    private static long low(long word, int bytes) {
        return bytes >= Long.BYTES ? word : word & ((1L << (bytes * Byte.SIZE)) - 1);
    }

    /// Reads a number into `number` and returns where it ends; -1 where there is none. Digit by digit: how many there
    /// are is guessed well by the processor, which then goes on without waiting.
    private int readNumber(byte[] text, int start) {
        int at = start;
        long value = 0;
        int digit = text[at] - '0';
        while (digit >= 0 && digit <= 9) {
            value = value * 10 + digit;
            digit = text[++at] - '0';
        }
        if (at == start || at - start > MAX_DIGITS || (text[start] == '0' && at - start > 1)) {
            return -1;
        }
        number = value;
        return at;
    }

    /// Behind the last byte of the name.
    int nameTo() {
        return nameTo;
    }

    /// The name's hash, as [NameHash] takes it.
    long hash() {
        return hash;
    }

    /// Behind the closing brace.
    int end() {
        return end;
    }

    @Nullable
    TensorType type() {
        return type;
    }

    /// The dimensions, [#rank()] of them.
    long[] shape() {
        return shape;
    }

    int rank() {
        return rank;
    }

    long from() {
        return from;
    }

    long to() {
        return to;
    }
}
