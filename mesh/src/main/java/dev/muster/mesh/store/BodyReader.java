// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.store;

import dev.muster.mesh.store.StoreException.StoreError;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Takes the content of a message apart, and believes none of its lengths. Confined to one thread.
final class BodyReader {
    private final ByteBuffer bytes;

    BodyReader(ByteBuffer bytes) {
        this.bytes = bytes;
    }

    long number() {
        return require(Long.BYTES).getLong();
    }

    boolean flag() {
        return require(1).get() != 0;
    }

    byte[] bytes() {
        ByteBuffer part = take();
        byte[] value = new byte[part.remaining()];
        part.get(value);
        return value;
    }

    String text() {
        try {
            CharBuffer text = StandardCharsets.UTF_8.newDecoder().decode(take());
            return text.toString();
        } catch (CharacterCodingException e) {
            throw new StoreException(StoreError.GARBLED, "a message has text that is not UTF-8", e);
        }
    }

    List<String> texts() {
        long count = number();
        if (count < 0 || count > bytes.remaining() / Integer.BYTES) {
            throw new StoreException(StoreError.GARBLED, "a message announces " + count + " texts and is too short");
        }
        List<String> texts = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            texts.add(text());
        }
        return texts;
    }

    StoreException fault() {
        String name = text();
        String message = text();
        List<String> missing = texts();
        for (StoreError fault : StoreError.values()) {
            if (fault.name().equals(name)) {
                return new StoreException(fault, message, missing, null);
            }
        }
        throw new StoreException(StoreError.GARBLED, "a failure of unknown kind");
    }

    /// Nothing may follow.
    void end() {
        if (bytes.hasRemaining()) {
            throw new StoreException(StoreError.GARBLED, "a message is longer than it should be");
        }
    }

    private ByteBuffer take() {
        int length = require(Integer.BYTES).getInt();
        if (length < 0 || length > bytes.remaining()) {
            throw new StoreException(StoreError.GARBLED, "a message announces " + length + " bytes and is too short");
        }
        ByteBuffer part = bytes.slice(bytes.position(), length);
        bytes.position(bytes.position() + length);
        return part;
    }

    private ByteBuffer require(int count) {
        if (bytes.remaining() < count) {
            throw new StoreException(StoreError.GARBLED, "a message is too short");
        }
        return bytes;
    }
}
