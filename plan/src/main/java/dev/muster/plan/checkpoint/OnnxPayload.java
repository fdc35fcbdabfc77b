package dev.muster.plan.checkpoint;

import static dev.muster.plan.checkpoint.CheckpointException.Code.MALFORMED;

/// The numbers of a tensor that stand in the model file itself: where, and how many there can be. They are stepped
/// over, not read; of integers of varying length only bounds of their count are known. Confined to one thread.
final class OnnxPayload {
    private static final int LONGEST_VARINT = 10;
    private static final int NOWHERE = 0;

    private int field = NOWHERE;
    private long offset;
    private long bytes;
    private long fewest;
    private long most;

    /// Takes a field with numbers. Repeated fields may come in several parts.
    void take(ProtoReader proto) {
        int from = proto.field();
        if (field != NOWHERE && (field != from || from == OnnxField.RAW_DATA)) {
            throw proto.error(MALFORMED, "a tensor has its numbers in two places");
        }
        long length = step(proto);
        if (field == NOWHERE) {
            field = from;
            offset = proto.position() - length;
        }
        bytes += length;
    }

    private long step(ProtoReader proto) {
        return switch (proto.field()) {
            case OnnxField.RAW_DATA -> proto.skipBytes();
            case OnnxField.STRING_DATA -> {
                count(1, 1);
                yield proto.skipBytes();
            }
            case OnnxField.FLOAT_DATA -> fixed(proto, ProtoReader.FIXED32, Float.BYTES);
            case OnnxField.DOUBLE_DATA -> fixed(proto, ProtoReader.FIXED64, Double.BYTES);
            default -> varying(proto);
        };
    }

    private long fixed(ProtoReader proto, int wire, int size) {
        if (proto.wire() == wire) {
            count(1, 1);
            proto.skip();
            return size;
        }
        long length = proto.skipBytes();
        if (length % size != 0) {
            throw proto.error(MALFORMED, length + " bytes hold no whole count of numbers with " + size + " bytes");
        }
        count(length / size, length / size);
        return length;
    }

    private long varying(ProtoReader proto) {
        if (proto.wire() == ProtoReader.VARINT) {
            long from = proto.position();
            count(1, 1);
            proto.skip();
            return proto.position() - from;
        }
        long length = proto.skipBytes();
        count(Math.ceilDiv(length, LONGEST_VARINT), length);
        return length;
    }

    private void count(long atLeast, long atMost) {
        fewest += atLeast;
        most += atMost;
    }

    boolean isEmpty() {
        return field == NOWHERE;
    }

    /// Where the numbers begin in the file.
    long offset() {
        return offset;
    }

    /// What the numbers take in the file.
    long bytes() {
        return bytes;
    }

    /// Whether so many numbers of a type can stand here.
    ///
    /// @throws ArithmeticException if they would take more than 2^63-1 bytes
    boolean holds(OnnxType type, long elements) {
        if (field == NOWHERE) {
            return elements == 0;
        }
        if (field == OnnxField.RAW_DATA) {
            return type != OnnxType.STRING && bytes == type.bytes(elements);
        }
        long entries = type.entries(elements);
        return field == type.dataField() && entries >= fewest && entries <= most;
    }
}
