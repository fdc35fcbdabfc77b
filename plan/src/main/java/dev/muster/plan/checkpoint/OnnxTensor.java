package dev.muster.plan.checkpoint;

import static dev.muster.plan.checkpoint.CheckpointException.Code.MALFORMED;
import static dev.muster.plan.checkpoint.CheckpointException.Code.MISPLACED;
import static dev.muster.plan.checkpoint.CheckpointException.Code.TOO_LARGE;
import static dev.muster.plan.checkpoint.CheckpointException.Code.UNKNOWN_TYPE;

import dev.muster.plan.checkpoint.CheckpointException.Code;
import java.nio.charset.StandardCharsets;

/// One `TensorProto`: its fields come in any order, so they are gathered first and held against each other then.
/// Confined to one thread.
final class OnnxTensor {
    private static final long IN_ANOTHER_FILE = 1;

    private final ProtoReader proto;
    private final long[] shape = new long[CheckpointReader.Limits.RANK];
    private final OnnxPayload payload = new OnnxPayload();
    private final OnnxExternal external = new OnnxExternal();
    private int rank;
    private long typeCode;
    private byte[] name = {};
    private long place;

    private OnnxTensor(ProtoReader proto) {
        this.proto = proto;
    }

    /// Reads the tensor that the current field holds.
    static OnnxTensor read(ProtoReader proto) {
        OnnxTensor tensor = new OnnxTensor(proto);
        long outer = proto.enter();
        while (proto.next()) {
            tensor.takeField();
        }
        proto.leave(outer);
        return tensor;
    }

    private void takeField() {
        switch (proto.field()) {
            case OnnxField.DIMS -> proto.varints(this::addDimension);
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

    /// Counts the tensor under its name and what goes before that.
    void addTo(TensorTally tally, FileBytes file, ExternalFiles files, String scope) {
        OnnxType type = OnnxType.find(typeCode);
        if (type == null) {
            throw error(UNKNOWN_TYPE, "has the unknown type " + typeCode);
        }
        byte[] full = scope.isEmpty() ? name : scoped(scope);
        long elements;
        long bytes;
        try {
            elements = elements();
            bytes = type.bytes(elements);
            if (place != IN_ANOTHER_FILE) {
                checkPayload(type, elements);
            }
        } catch (ArithmeticException _) {
            throw error(TOO_LARGE, "has more than 2^63-1 bytes");
        }
        boolean elsewhere = place == IN_ANOTHER_FILE;
        long offset = elsewhere ? checkExternal(type, bytes, files) : payload.offset();
        tally.add(
                file,
                elsewhere ? external.location() : file.name(),
                full,
                type.type(),
                shape,
                rank,
                elements,
                !elsewhere && type == OnnxType.STRING ? payload.bytes() : bytes,
                offset);
    }

    private long elements() {
        long product = 1;
        for (int at = 0; at < rank; at++) {
            product = Math.multiplyExact(product, shape[at]);
        }
        return product;
    }

    private byte[] scoped(String scope) {
        return (scope + text()).getBytes(StandardCharsets.UTF_8);
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
                            : "has " + elements + " numbers of type " + type + ", which the " + payload.bytes()
                                    + " bytes given for it do not hold");
        }
    }

    private long checkExternal(OnnxType type, long bytes, ExternalFiles files) {
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
}
