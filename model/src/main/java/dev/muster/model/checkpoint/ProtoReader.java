// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import static dev.muster.model.checkpoint.CheckpointException.Code.MALFORMED;
import static dev.muster.model.checkpoint.CheckpointException.Code.TOO_LARGE;
import static dev.muster.model.checkpoint.CheckpointException.Code.TRUNCATED;

import dev.muster.model.checkpoint.CheckpointException.Code;
import java.util.function.LongConsumer;

/// A reader of a protobuf message in a file, field by field. Every length is checked against the end of the message
/// around it first, and skipped fields are not read. Confined to one thread.
///
/// Each field that [#next()] finds is consumed by exactly one of the other methods.
final class ProtoReader {
    static final int VARINT = 0;
    static final int FIXED64 = 1;
    static final int LENGTH = 2;
    static final int FIXED32 = 5;

    private static final int WIRE_BITS = 3;
    private static final int PAYLOAD_BITS = 7;
    private static final int CONTINUES = 0x80;
    /// Ten groups of seven bits hold a 64-bit number.
    private static final int LAST_SHIFT = 63;

    private static final long MAX_FIELD = (1 << 29) - 1;

    private final FileBytes file;
    private final long readable;
    private long end;
    private int depth;
    private long skipped;
    private int field;
    private int wire;

    /// @param readable number of bytes that may be read, not counting skipped ones
    ProtoReader(FileBytes file, long readable) {
        this.file = file;
        this.readable = readable;
        this.end = file.size();
    }

    /// Goes to the next field of the message; false at its end.
    boolean next() {
        if (file.position() == end) {
            return false;
        }
        if (file.position() - skipped > readable) {
            throw file.error(TOO_LARGE, "the model has more than " + readable + " bytes beside its weights");
        }
        long tag = number();
        long number = tag >>> WIRE_BITS;
        if (number < 1 || number > MAX_FIELD) {
            throw file.error(MALFORMED, "unknown field " + number);
        }
        field = (int) number;
        wire = (int) tag & ((1 << WIRE_BITS) - 1);
        return true;
    }

    int field() {
        return field;
    }

    int wire() {
        return wire;
    }

    long position() {
        return file.position();
    }

    /// Returns the value of a field that holds an integer.
    long varint() {
        require(VARINT);
        return number();
    }

    /// Returns the bytes of a field, up to a limit.
    byte[] bytes(int most) {
        long length = length();
        if (length > most) {
            throw file.error(TOO_LARGE, "field " + field + " has " + length + " bytes; at most " + most + " are read");
        }
        return file.readBytes((int) length);
    }

    /// Begins the message that a field holds.
    ///
    /// @return the end of the outer message, for [#leave]
    long enter() {
        long length = length();
        if (++depth > CheckpointReader.Limits.DEPTH) {
            throw file.error(TOO_LARGE, "messages are nested deeper than " + CheckpointReader.Limits.DEPTH);
        }
        long outer = end;
        end = file.position() + length;
        return outer;
    }

    /// Continues behind a message, read to its end or not.
    void leave(long outer) {
        skipTo(end);
        end = outer;
        depth--;
    }

    /// Skips a field's value of any wire type.
    void skip() {
        switch (wire) {
            case VARINT -> number();
            case FIXED64 -> skipTo(file.position() + within(Long.BYTES));
            case FIXED32 -> skipTo(file.position() + within(Integer.BYTES));
            case LENGTH -> skipBytes();
            default -> throw wrongWire();
        }
    }

    /// Skips the bytes of a field.
    ///
    /// @return their number
    long skipBytes() {
        long length = length();
        skipTo(file.position() + length);
        return length;
    }

    /// Passes on each integer of a repeated field, packed or not.
    void varints(LongConsumer each) {
        if (wire == VARINT) {
            each.accept(number());
            return;
        }
        long outer = enter();
        while (file.position() < end) {
            each.accept(number());
        }
        leave(outer);
    }

    CheckpointException error(Code code, String what) {
        return file.error(code, what);
    }

    CheckpointException wrongWire() {
        return file.error(MALFORMED, "field " + field + " has wire type " + wire);
    }

    private void skipTo(long position) {
        long bytes = position - file.position();
        skipped += bytes;
        file.skip(bytes);
    }

    private long length() {
        require(LENGTH);
        return within(number());
    }

    private void require(int wanted) {
        if (wire != wanted) {
            throw wrongWire();
        }
    }

    private long within(long length) {
        if (length < 0 || length > end - file.position()) {
            throw file.error(
                    pastEnd(),
                    "field " + field + " should have " + Long.toUnsignedString(length) + " bytes and "
                            + (end - file.position()) + " are left");
        }
        return length;
    }

    private long number() {
        long number = 0;
        for (int shift = 0; shift <= LAST_SHIFT; shift += PAYLOAD_BITS) {
            if (file.position() == end) {
                throw file.error(pastEnd(), "the message ends within a number");
            }
            int next = file.readByte();
            number |= (long) (next & ~CONTINUES) << shift;
            if (next < CONTINUES) {
                return number;
            }
        }
        throw file.error(MALFORMED, "a number has more than ten bytes");
    }

    /// Returns the error of a value past the end: a message within another has its announced end, so that the file is
    /// not merely cut.
    private Code pastEnd() {
        return end == file.size() ? TRUNCATED : MALFORMED;
    }
}
