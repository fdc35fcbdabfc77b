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
    private final long[] shape;
    private int rank;
    private long from;
    private long to;

    /// @param shape takes the dimensions
    CompactEntry(long[] shape) {
        this.shape = shape;
    }

    private static long word(String eight) {
        return LittleEndian.getLong(eight.getBytes(StandardCharsets.US_ASCII), 0);
    }

    private static int intWord(String four) {
        return LittleEndian.getInt(four.getBytes(StandardCharsets.US_ASCII), 0);
    }

    /// Reads an entry whose name begins at `start`, behind the quote; false when it has another form. Behind the text
    /// stands a zero and room for eight bytes more.
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
        long sum = NameHash.SEED;
        int at = start;
        while (true) {
            long word = LittleEndian.getLong(text, at);
            long stops = HeaderText.stops(word);
            if (stops == 0) {
                sum = NameHash.mix(sum, word);
                at += Long.BYTES;
                continue;
            }
            int before = Long.numberOfTrailingZeros(stops) / Byte.SIZE;
            at += before;
            hash = NameHash.finish(sum, word, before);
            return text[at] == '"' ? at : -1;
        }
    }

    private int readType(byte[] text, int start) {
        int at = start;
        while (text[at] > '"') {
            at++;
        }
        type = SafeTensorsType.find(text, start, at);
        boolean usual = type != null
                && LittleEndian.getLong(text, at) == BEHIND_TYPE
                && LittleEndian.getInt(text, at + Long.BYTES - 1) == BEHIND_TYPE_END;
        return usual ? at + BEHIND_TYPE_BYTES : -1;
    }

    private boolean readPlace(byte[] text, int start) {
        int at = start;
        int dimensions = 0;
        while (text[at] != ']') {
            int first = at;
            long value = 0;
            int digit = text[at] - '0';
            while (digit >= 0 && digit <= 9) {
                value = value * 10 + digit;
                digit = text[++at] - '0';
            }
            if (isNoNumber(text, first, at) || dimensions == shape.length) {
                return false;
            }
            shape[dimensions++] = value;
            if (text[at] == ',' && text[at + 1] != ']') {
                at++;
            }
        }
        rank = dimensions;
        if (LittleEndian.getLong(text, at) != BEHIND_SHAPE
                || LittleEndian.getLong(text, at + Long.BYTES) != BEHIND_SHAPE_MIDDLE
                || text[at + 16] != ':'
                || text[at + 17] != '[') {
            return false;
        }
        return readOffsets(text, at + BEHIND_SHAPE_BYTES);
    }

    private boolean readOffsets(byte[] text, int start) {
        int at = start;
        long first = 0;
        int digit = text[at] - '0';
        while (digit >= 0 && digit <= 9) {
            first = first * 10 + digit;
            digit = text[++at] - '0';
        }
        if (isNoNumber(text, start, at) || text[at] != ',') {
            return false;
        }
        int middle = ++at;
        long second = 0;
        digit = text[at] - '0';
        while (digit >= 0 && digit <= 9) {
            second = second * 10 + digit;
            digit = text[++at] - '0';
        }
        if (isNoNumber(text, middle, at) || text[at] != ']' || text[at + 1] != '}') {
            return false;
        }
        from = first;
        to = second;
        end = at + 2;
        return true;
    }

    private static boolean isNoNumber(byte[] text, int from, int to) {
        return to == from || to - from > MAX_DIGITS || (text[from] == '0' && to - from > 1);
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
