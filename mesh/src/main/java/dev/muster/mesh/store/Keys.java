// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.store;

import dev.muster.mesh.store.StoreException.StoreError;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;

/// The rules for keys and values: the checks that every store makes before anything else.
final class Keys {
    private Keys() {}

    static void requireKey(String key) {
        if (key.isEmpty()) {
            throw new StoreException(StoreError.ILLEGAL_KEY, "a key has at least one character");
        }
        requirePrefix(key);
    }

    static void requirePrefix(String text) {
        bytes(text);
    }

    /// The key in UTF-8.
    static byte[] bytes(String key) {
        if (key.chars().anyMatch(Character::isISOControl)) {
            throw new StoreException(StoreError.ILLEGAL_KEY, "a key has no control characters");
        }
        try {
            ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(key));
            if (encoded.remaining() > StoreLimits.MAX_KEY_BYTES) {
                throw new StoreException(
                        StoreError.TOO_LARGE,
                        "a key has at most " + StoreLimits.MAX_KEY_BYTES + " bytes, not " + encoded.remaining());
            }
            byte[] bytes = new byte[encoded.remaining()];
            encoded.get(bytes);
            return bytes;
        } catch (CharacterCodingException e) {
            throw new StoreException(StoreError.ILLEGAL_KEY, "a key is well-formed text: half a character", e);
        }
    }

    static void requireValue(String key, byte[] value) {
        if (value.length > StoreLimits.MAX_VALUE_BYTES) {
            throw new StoreException(
                    StoreError.TOO_LARGE,
                    "the value of '" + key + "' has " + value.length + " bytes, and at most "
                            + StoreLimits.MAX_VALUE_BYTES + " are allowed; keep large data outside the store");
        }
    }

    /// The keys once each, in order.
    static List<String> requireAwaited(Collection<String> keys) {
        List<String> distinct = keys.stream().distinct().toList();
        if (distinct.isEmpty()) {
            throw new StoreException(StoreError.ILLEGAL_KEY, "no key to wait for");
        }
        if (distinct.size() > StoreLimits.MAX_AWAITED_KEYS) {
            throw new StoreException(
                    StoreError.TOO_LARGE,
                    "a call waits for at most " + StoreLimits.MAX_AWAITED_KEYS + " keys, not " + distinct.size());
        }
        distinct.forEach(Keys::requireKey);
        return distinct;
    }
}
