// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Writes the numbers and texts of GGUF, in a byte order and with the counts of a version.
final class GgufBytes {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final int version;
    private final ByteOrder order;

    GgufBytes(int version, ByteOrder order) {
        this.version = version;
        this.order = order;
    }

    GgufBytes number(int bytes, long value) {
        byte[] all = ByteBuffer.allocate(Long.BYTES).order(order).putLong(value).array();
        out.write(all, order == ByteOrder.BIG_ENDIAN ? Long.BYTES - bytes : 0, bytes);
        return this;
    }

    GgufBytes int32(long value) {
        return number(Integer.BYTES, value);
    }

    GgufBytes int64(long value) {
        return number(Long.BYTES, value);
    }

    GgufBytes count(long value) {
        return number(version == 1 ? Integer.BYTES : Long.BYTES, value);
    }

    GgufBytes text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return count(bytes.length).raw(bytes);
    }

    GgufBytes type(GgufInput.ValueType type) {
        return int32(List.of(GgufInput.ValueType.values()).indexOf(type));
    }

    GgufBytes raw(byte[] bytes) {
        out.writeBytes(bytes);
        return this;
    }

    GgufBytes pad(long alignment) {
        while (out.size() % alignment != 0) {
            out.write(0);
        }
        return this;
    }

    int size() {
        return out.size();
    }

    byte[] bytes() {
        return out.toByteArray();
    }
}
