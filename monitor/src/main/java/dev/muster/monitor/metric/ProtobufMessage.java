// SPDX-License-Identifier: Apache-2.0
package dev.muster.monitor.metric;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/// A message in the wire form of Protocol Buffers, field by field. For one thread.
final class ProtobufMessage {
    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int LENGTH = 2;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    ProtobufMessage text(int field, String text) {
        return bytes(field, text.getBytes(StandardCharsets.UTF_8));
    }

    ProtobufMessage message(int field, ProtobufMessage message) {
        return bytes(field, message.toBytes());
    }

    private ProtobufMessage bytes(int field, byte[] value) {
        varint(((long) field << 3) | LENGTH);
        varint(value.length);
        bytes.writeBytes(value);
        return this;
    }

    ProtobufMessage number(int field, long value) {
        varint(((long) field << 3) | VARINT);
        varint(value);
        return this;
    }

    ProtobufMessage real(int field, double value) {
        return fixed(field, Double.doubleToRawLongBits(value));
    }

    ProtobufMessage fixed(int field, long value) {
        varint(((long) field << 3) | FIXED64);
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            bytes.write((int) (value >>> shift));
        }
        return this;
    }

    /// Seven bits a byte, the lowest first; the eighth says that more come.
    private void varint(long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            bytes.write((int) ((rest & 0x7F) | 0x80));
            rest >>>= 7;
        }
        bytes.write((int) rest);
    }

    byte[] toBytes() {
        return bytes.toByteArray();
    }
}
