// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import static dev.muster.model.checkpoint.CheckpointException.Code.MALFORMED;
import static dev.muster.model.checkpoint.CheckpointException.Code.TOO_LARGE;
import static dev.muster.model.checkpoint.CheckpointException.Code.TRUNCATED;
import static dev.muster.model.checkpoint.CheckpointException.Code.UNKNOWN_FORMAT;
import static dev.muster.model.checkpoint.CheckpointException.Code.UNKNOWN_TYPE;
import static dev.muster.model.checkpoint.CheckpointException.Code.UNKNOWN_VERSION;

import dev.muster.model.checkpoint.CheckpointException.Code;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// The header of a GGUF file: numbers in the file's byte order, counts in the width of its version. Nothing past the
/// file's end or the limit for headers is read or skipped. Confined to one thread.
record GgufInput(FileBytes file, int version, long limit) {
    private static final byte[] MAGIC = "GGUF".getBytes(StandardCharsets.US_ASCII);
    private static final int FIRST_VERSION = 1;
    private static final int LAST_VERSION = 3;

    static boolean hasMagic(byte[] first) {
        return FileBytes.beginsWith(first, MAGIC);
    }

    /// Reads the magic bytes and the version.
    static GgufInput open(FileBytes file, CheckpointReader.Limits limits) {
        if (!hasMagic(file.readBytes(MAGIC.length))) {
            throw file.error(UNKNOWN_FORMAT, "these are not the first bytes of a GGUF file");
        }
        return new GgufInput(file, readVersion(file), limits.headerBytes());
    }

    private static int readVersion(FileBytes file) {
        int version = file.readInt();
        if (version >= FIRST_VERSION && version <= LAST_VERSION) {
            return version;
        }
        // Big-endian files came with version 3 and carry no other mark.
        if (Integer.reverseBytes(version) == LAST_VERSION) {
            file.order(ByteOrder.BIG_ENDIAN);
            return LAST_VERSION;
        }
        throw file.error(
                UNKNOWN_VERSION,
                "version " + Integer.toUnsignedString(version) + " of GGUF is not read; versions 1 to 3 are");
    }

    /// Returns the bytes of a count or length.
    int countBytes() {
        return version == FIRST_VERSION ? Integer.BYTES : Long.BYTES;
    }

    /// Returns a count or length, from 0 to 2^63-1.
    long readCount() {
        requireHeader(countBytes());
        long count = version == FIRST_VERSION ? Integer.toUnsignedLong(file.readInt()) : file.readLong();
        if (count < 0) {
            throw error(TOO_LARGE, "a count of " + Long.toUnsignedString(count) + " is more than a file can hold");
        }
        return count;
    }

    /// Returns a count of items of at least a given size, all of which the file must hold.
    long readCount(int bytesEach) {
        long count = readCount();
        if (count > file.remaining() / bytesEach) {
            throw error(TRUNCATED, count + " entries of " + bytesEach + " bytes do not fit into what is left");
        }
        return count;
    }

    /// Returns the name of a key or tensor.
    byte[] readName() {
        return file.readBytes((int) readNameLength());
    }

    private long readNameLength() {
        long length = readCount();
        if (length > CheckpointReader.Limits.NAME_BYTES) {
            throw error(TOO_LARGE, "a name of " + length + " bytes; at most " + CheckpointReader.Limits.NAME_BYTES);
        }
        requireHeader(length);
        return length;
    }

    ValueType readValueType() {
        int id = file.readInt();
        if (id < 0 || id >= ValueType.BY_ID.length) {
            throw error(UNKNOWN_TYPE, "value type " + Integer.toUnsignedString(id) + " is not known");
        }
        return ValueType.BY_ID[id];
    }

    /// Returns an integer of an integer type; bits past 2^63-1 appear negative.
    long readWhole(ValueType type) {
        return switch (type) {
            case UINT8 -> file.readByte();
            case INT8 -> (byte) file.readByte();
            case UINT16 -> file.readShort();
            case INT16 -> (short) file.readShort();
            case UINT32 -> Integer.toUnsignedLong(file.readInt());
            case INT32 -> file.readInt();
            case UINT64, INT64 -> file.readLong();
            case FLOAT32, FLOAT64, BOOL, STRING, ARRAY -> throw new IllegalArgumentException(type.name());
        };
    }

    void checkBool() {
        int value = file.readByte();
        if (value > 1) {
            throw error(MALFORMED, "a truth value is 0 or 1, not " + value);
        }
    }

    void skip(long bytes) {
        requireHeader(bytes);
        file.skip(bytes);
    }

    /// Checks that a number of bytes is left, in the file and within the limit for headers.
    void requireHeader(long bytes) {
        file.require(bytes);
        if (bytes > limit - file.position()) {
            throw error(TOO_LARGE, "the header is larger than " + limit + " bytes");
        }
    }

    CheckpointException error(Code code, String what) {
        return file.error(code, what);
    }

    /// The types of GGUF's values, in the order of their codes.
    enum ValueType {
        UINT8(1),
        INT8(1),
        UINT16(2),
        INT16(2),
        UINT32(4),
        INT32(4),
        FLOAT32(4),
        BOOL(1),
        STRING(0),
        ARRAY(0),
        UINT64(8),
        INT64(8),
        FLOAT64(8);

        private static final ValueType[] BY_ID = values();

        private final int bytes;

        ValueType(int bytes) {
            this.bytes = bytes;
        }

        /// Returns the bytes of a value; 0 if they differ from value to value.
        int bytes() {
            return bytes;
        }

        boolean isWhole() {
            return switch (this) {
                case UINT8, INT8, UINT16, INT16, UINT32, INT32, UINT64, INT64 -> true;
                case FLOAT32, FLOAT64, BOOL, STRING, ARRAY -> false;
            };
        }
    }
}
