// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// Writes a protobuf message, right or wrong.
final class ProtoWriter {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    byte[] toBytes() {
        return out.toByteArray();
    }

    ProtoWriter tag(int field, int wire) {
        return number(((long) field << 3) | wire);
    }

    ProtoWriter number(long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            out.write((int) (rest & 0x7F) | 0x80);
            rest >>>= 7;
        }
        out.write((int) rest);
        return this;
    }

    ProtoWriter raw(int... bytes) {
        for (int next : bytes) {
            out.write(next);
        }
        return this;
    }

    ProtoWriter raw(byte[] bytes) {
        out.writeBytes(bytes);
        return this;
    }

    ProtoWriter varint(int field, long value) {
        return tag(field, ProtoReader.VARINT).number(value);
    }

    ProtoWriter bytes(int field, byte[] value) {
        return tag(field, ProtoReader.LENGTH).number(value.length).raw(value);
    }

    ProtoWriter text(int field, String value) {
        return bytes(field, value.getBytes(StandardCharsets.UTF_8));
    }

    ProtoWriter message(int field, ProtoWriter value) {
        return bytes(field, value.toBytes());
    }

    ProtoWriter packed(int field, long... values) {
        ProtoWriter numbers = new ProtoWriter();
        for (long value : values) {
            numbers.number(value);
        }
        return message(field, numbers);
    }

    ProtoWriter fixed32(int field, int value) {
        return tag(field, ProtoReader.FIXED32)
                .raw(ByteBuffer.allocate(Integer.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putInt(value)
                        .array());
    }

    ProtoWriter fixed64(int field, long value) {
        return tag(field, ProtoReader.FIXED64)
                .raw(ByteBuffer.allocate(Long.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(value)
                        .array());
    }
}
