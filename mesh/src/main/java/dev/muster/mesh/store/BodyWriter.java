package dev.muster.mesh.store;

import dev.muster.mesh.store.StoreException.Code;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/// Puts the content of a message together. Confined to one thread.
final class BodyWriter {
    private byte[] bytes = new byte[64];
    private int size;

    BodyWriter number(long value) {
        int at = reserve(Long.BYTES);
        ByteBuffer.wrap(bytes).putLong(at, value);
        return this;
    }

    BodyWriter flag(boolean value) {
        int at = reserve(1);
        bytes[at] = (byte) (value ? 1 : 0);
        return this;
    }

    BodyWriter bytes(byte[] value) {
        int at = reserve(Integer.BYTES + value.length);
        ByteBuffer.wrap(bytes).putInt(at, value.length);
        System.arraycopy(value, 0, bytes, at + Integer.BYTES, value.length);
        return this;
    }

    BodyWriter text(String value) {
        return bytes(value.getBytes(StandardCharsets.UTF_8));
    }

    BodyWriter texts(List<String> values) {
        number(values.size());
        values.forEach(this::text);
        return this;
    }

    BodyWriter fault(StoreException fault) {
        return text(fault.code().name())
                .text(String.valueOf(fault.getMessage()))
                .texts(fault.missing());
    }

    /// Makes room and gives where it begins; the array may be another one afterwards.
    private int reserve(int count) {
        int start = size;
        int end = Math.addExact(size, count);
        if (end > StoreLimits.MAX_FRAME_BYTES) {
            throw new StoreException(
                    Code.TOO_LARGE,
                    "a message has at most " + StoreLimits.MAX_FRAME_BYTES + " bytes; ask for fewer keys at a time");
        }
        if (end > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(end, 2 * bytes.length));
        }
        size = end;
        return start;
    }

    byte[] toBytes() {
        return Arrays.copyOf(bytes, size);
    }
}
