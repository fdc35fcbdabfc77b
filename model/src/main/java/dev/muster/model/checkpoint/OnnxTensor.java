// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import static dev.muster.model.checkpoint.CheckpointException.Code.MALFORMED;
import static dev.muster.model.checkpoint.CheckpointException.Code.MISPLACED;
import static dev.muster.model.checkpoint.CheckpointException.Code.TOO_LARGE;
import static dev.muster.model.checkpoint.CheckpointException.Code.UNKNOWN_TYPE;

import dev.muster.model.checkpoint.CheckpointException.Code;
import java.nio.charset.StandardCharsets;
import java.util.function.LongConsumer;

/// One `TensorProto`: its fields come in any order, so they are gathered first and checked against each other then.
/// One instance reads all tensors of a file, one after the other. Confined to one thread.
final class OnnxTensor {
    private static final long IN_ANOTHER_FILE = 1;
    private static final byte[] NO_NAME = {};

    private final ProtoReader proto;
    private final long[] shape = new long[CheckpointReader.Limits.RANK];
    private final Payload payload = new Payload();
    private final OnnxExternal external = new OnnxExternal();
    private final LongConsumer dimensions = this::addDimension;
    private int rank;
    private long typeCode;
    private byte[] name = NO_NAME;
    private long place;

    OnnxTensor(ProtoReader proto) {
        this.proto = proto;
    }

    /// Reads the tensor that the current field holds.
    void read() {
        rank = 0;
        typeCode = 0;
        name = NO_NAME;
        place = 0;
        payload.clear();
        external.clear();
        long outer = proto.enter();
        while (proto.next()) {
            takeField();
        }
        proto.leave(outer);
    }

    private void takeField() {
        switch (proto.field()) {
            case OnnxField.DIMS -> proto.varints(dimensions);
            case OnnxField.DATA_TYPE -> typeCode = proto.varint();
            case OnnxField.TENSOR_NAME -> name = proto.bytes(CheckpointReader.Limits.NAME_BYTES);
            case OnnxField.RAW_DATA,
                    OnnxField.FLOAT_DATA,
                    OnnxField.INT32_DATA,
                    OnnxField.STRING_DATA,
                    OnnxField.INT64_DATA,
                    OnnxField.DOUBLE_DATA,
                    OnnxField.UINT64_DATA -> payload.take(proto);
            case OnnxField.EXTERNAL_DATA -> external.take(proto);
            case OnnxField.DATA_LOCATION -> place = proto.varint();
            default -> proto.skip();
        }
    }

    private void addDimension(long size) {
        if (rank == shape.length) {
            throw proto.error(TOO_LARGE, "a tensor has more than " + shape.length + " dimensions");
        }
        if (size < 0) {
            throw proto.error(MALFORMED, "a tensor has a dimension of " + size);
        }
        shape[rank++] = size;
    }

    boolean hasName() {
        return name.length > 0;
    }

    /// Counts the tensor under its name, behind the given prefix.
    ///
    /// @return its numbers
    Held addTo(TensorTally tally, FileBytes file, OnnxExternal.Siblings files, String scope) {
        OnnxType type = OnnxType.find(typeCode);
        if (type == null) {
            throw error(UNKNOWN_TYPE, "has the unknown type " + typeCode);
        }
        byte[] full = scope.isEmpty() ? name : (scope + text()).getBytes(StandardCharsets.UTF_8);
        boolean elsewhere = place == IN_ANOTHER_FILE;
        long elements;
        long bytes;
        try {
            elements = elements();
            bytes = type.bytes(elements);
            if (!elsewhere) {
                checkPayload(type, elements);
            }
        } catch (ArithmeticException _) {
            throw error(TOO_LARGE, "has more than 2^63-1 bytes");
        }
        long offset = elsewhere ? checkExternal(type, bytes, files) : payload.offset;
        long held = !elsewhere && type == OnnxType.STRING ? payload.bytes : bytes;
        String holder = elsewhere ? external.location() : file.name();
        tally.count(file, NameHash.of(full), type.type, elements, held);
        tally.handOn(holder, full, type.type, shape, rank, elements, held, offset);
        return new Held(text(), type, elements, elsewhere ? holder + "@" + offset : "");
    }

    /// The numbers of a tensor.
    ///
    /// @param place position in another file; blank for those of the model itself
    record Held(String name, OnnxType type, long elements, String place) {}

    private long elements() {
        long product = 1;
        for (int at = 0; at < rank; at++) {
            product = Math.multiplyExact(product, shape[at]);
        }
        return product;
    }

    private void checkPayload(OnnxType type, long elements) {
        if (place != 0) {
            throw error(MALFORMED, "lies in the unknown place " + place);
        }
        if (!payload.holds(type, elements)) {
            throw error(
                    MALFORMED,
                    payload.isEmpty()
                            ? "has " + elements + " numbers and no place for them"
                            : "has " + elements + " numbers of type " + type + ", which the " + payload.bytes
                                    + " bytes given for it do not hold");
        }
    }

    private long checkExternal(OnnxType type, long bytes, OnnxExternal.Siblings files) {
        if (!payload.isEmpty()) {
            throw error(MALFORMED, "has its numbers here and in another file");
        }
        if (type == OnnxType.STRING) {
            throw error(MALFORMED, "has its texts in another file, where only numbers can be");
        }
        long offset = external.offset(proto);
        long length = external.length(proto, bytes);
        if (length != bytes) {
            throw error(MALFORMED, "needs " + bytes + " bytes and has " + length + " in another file");
        }
        long size = files.size(proto, external.location());
        if (offset > size || length > size - offset) {
            throw error(
                    MISPLACED,
                    "needs " + length + " bytes from " + offset + " on in '" + external.location() + "', which has "
                            + size);
        }
        return offset;
    }

    private String text() {
        return new String(name, StandardCharsets.UTF_8);
    }

    private CheckpointException error(Code code, String what) {
        return proto.error(code, "the tensor '" + text() + "' " + what);
    }

    /// The numbers of a tensor in the model file itself: their position, and their largest possible count. They are
    /// skipped, not read; of integers of varying length only bounds of their count are known. Confined to one
    /// thread.
    private static final class Payload {
        private static final int LONGEST_VARINT = 10;
        private static final int NOWHERE = 0;

        private int field = NOWHERE;
        /// The start of the numbers in the file, and their length there.
        private long offset;
        private long bytes;
        private long fewest;
        private long most;

        /// Adds a field with numbers. Repeated fields may come in several parts.
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

        void clear() {
            field = NOWHERE;
            offset = 0;
            bytes = 0;
            fewest = 0;
            most = 0;
        }

        boolean isEmpty() {
            return field == NOWHERE;
        }

        /// Reports whether a number of elements of a type can be stored here.
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
            return field == type.dataField && entries >= fewest && entries <= most;
        }
    }
}
