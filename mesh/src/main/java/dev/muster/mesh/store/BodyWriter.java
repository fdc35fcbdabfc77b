// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.store;

import dev.muster.mesh.store.StoreException.StoreError;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Puts the content of a message together. Confined to one thread.
final class BodyWriter {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(64);

    BodyWriter number(long value) {
        return put(ByteBuffer.allocate(Long.BYTES).putLong(value).array());
    }

    BodyWriter flag(boolean value) {
        return put(new byte[] {(byte) (value ? 1 : 0)});
    }

    BodyWriter bytes(byte[] value) {
        return put(ByteBuffer.allocate(Integer.BYTES).putInt(value.length).array())
                .put(value);
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

    private BodyWriter put(byte[] part) {
        if (bytes.size() + part.length > StoreLimits.MAX_FRAME_BYTES) {
            throw new StoreException(
                    StoreError.TOO_LARGE,
                    "a message has at most " + StoreLimits.MAX_FRAME_BYTES + " bytes; ask for fewer keys at a time");
        }
        bytes.writeBytes(part);
        return this;
    }

    byte[] toBytes() {
        return bytes.toByteArray();
    }
}
