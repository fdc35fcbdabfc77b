// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import java.nio.ByteBuffer;

/// Recognises from a file's first bytes whether it can be an ONNX model, which has no magic number: its fields have
/// to be those of a model, with lengths that fit the file and texts that are text. Confined to one thread.
final class OnnxSignature {
    /// Producers have short names; a longer one is a message of another format with the same field numbers, such as a
    /// saved model of TensorFlow.
    private static final long LONGEST_TEXT = 1024;

    private static final int CONTINUES = 0x80;
    private static final int WIRE_BITS = 3;
    private static final int PAYLOAD_BITS = 7;
    private static final int LAST_SHIFT = 63;
    private static final int FIRST_PRINTABLE = 0x20;
    private static final int CUT = -1;

    private final ByteBuffer bytes;
    private final long size;
    private boolean versioned;
    private boolean likely;

    private OnnxSignature(byte[] first, long size) {
        this.bytes = ByteBuffer.wrap(first);
        this.size = size;
    }

    static boolean matches(byte[] first, long size) {
        return new OnnxSignature(first, size).walk();
    }

    /// Reports whether the file may be a model: a version and a second field, or a graph that begins like one, are
    /// enough; no field may be another's.
    private boolean walk() {
        for (int fields = 0; bytes.hasRemaining(); fields++) {
            long tag = number();
            if (tag == CUT) {
                break;
            }
            if (tag < 0
                    || tag > Integer.MAX_VALUE
                    || !isLegal((int) (tag >>> WIRE_BITS), (int) (tag & ((1 << WIRE_BITS) - 1)))) {
                return false;
            }
            likely |= versioned && fields > 0;
        }
        return likely;
    }

    /// Reports whether a field is one of `ModelProto`; source: `onnx.proto`, IR version 13 of 2025-11-06.
    private boolean isLegal(int field, int wire) {
        return switch (field) {
            case 1 -> wire == ProtoReader.VARINT && isVersion(number());
            case 5 -> wire == ProtoReader.VARINT && number() >= CUT;
            case 2, 3, 4 -> wire == ProtoReader.LENGTH && isText(number());
            case OnnxField.MODEL_GRAPH -> wire == ProtoReader.LENGTH && isGraph(number());
            case 6, OnnxField.MODEL_OPSET_IMPORT, 14, 20, 25, 26, 30 -> wire == ProtoReader.LENGTH && fits(number());
            default -> false;
        };
    }

    private boolean isVersion(long version) {
        versioned |= version > 0;
        return version > 0 && version <= OnnxReader.NEWEST_VERSION;
    }

    private boolean isText(long length) {
        if (length > LONGEST_TEXT) {
            return false;
        }
        for (int at = bytes.position(); at < bytes.limit() && at < bytes.position() + length; at++) {
            if ((bytes.get(at) & 0xFF) < FIRST_PRINTABLE) {
                return false;
            }
        }
        return fits(length);
    }

    private boolean isGraph(long length) {
        if (length > 0 && bytes.hasRemaining()) {
            int tag = bytes.get(bytes.position()) & 0xFF;
            int field = (tag & ~CONTINUES) >>> WIRE_BITS;
            // All fields of a graph have a length; the first byte of a tag holds the low four bits of their numbers.
            if ((tag & ((1 << WIRE_BITS) - 1)) != ProtoReader.LENGTH || (tag < CONTINUES && field == 0)) {
                return false;
            }
            likely = true;
        }
        return fits(length);
    }

    /// Skips bytes that the file has, which need not be in the array.
    private boolean fits(long length) {
        if (length == CUT) {
            return true;
        }
        if (length < 0 || length > size - bytes.position()) {
            return false;
        }
        bytes.position((int) Math.min(bytes.limit(), bytes.position() + length));
        return true;
    }

    /// Returns the next number; [#CUT] if it is not complete in the array, and negative if it is invalid.
    private long number() {
        long number = 0;
        for (int shift = 0; shift < LAST_SHIFT; shift += PAYLOAD_BITS) {
            if (!bytes.hasRemaining()) {
                return CUT;
            }
            int next = bytes.get() & 0xFF;
            number |= (long) (next & ~CONTINUES) << shift;
            if (next < CONTINUES) {
                return number;
            }
        }
        return Long.MIN_VALUE;
    }
}
