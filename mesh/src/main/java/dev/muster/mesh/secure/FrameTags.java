// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.secure;

import java.nio.ByteBuffer;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/// Tags on the messages of one direction of a connection, by a key of its own: a message that was changed, left out,
/// repeated or sent back has another tag. HMAC-SHA256 of the message and its place in the order, cut to 128 bits.
/// Confined to one thread.
///
/// It is written out because `javax.crypto.Mac` leaves garbage at each message.
public final class FrameTags {
    /// Bytes of a tag.
    public static final int BYTES = 16;

    private static final int BLOCK_BYTES = 64;
    private static final int DIGEST_BYTES = 32;
    private static final byte INNER = 0x36;
    private static final byte OUTER = 0x5c;

    private final MessageDigest digest;
    private final byte[] innerKey;
    private final byte[] outerKey;
    private final byte[] number = new byte[Long.BYTES];
    private final ByteBuffer numberView = ByteBuffer.wrap(number);
    private final byte[] tag = new byte[DIGEST_BYTES];
    private long sequence;

    /// @param key for this direction of this connection alone, 64 bytes at most
    public FrameTags(byte[] key) {
        try {
            this.digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
        this.innerKey = padded(key, INNER);
        this.outerKey = padded(key, OUTER);
    }

    private static byte[] padded(byte[] key, byte with) {
        byte[] block = Arrays.copyOf(key, BLOCK_BYTES);
        for (int i = 0; i < block.length; i++) {
            block[i] ^= with;
        }
        return block;
    }

    /// Puts the tag of the next message behind the message.
    public void append(byte[] message, int length) {
        next(message, length);
        System.arraycopy(tag, 0, message, length, BYTES);
    }

    /// Reports whether the tag behind a message is that of the next one.
    public boolean isNext(byte[] message, int length) {
        next(message, length);
        int difference = 0;
        for (int i = 0; i < BYTES; i++) {
            difference |= tag[i] ^ message[length + i];
        }
        return difference == 0;
    }

    private void next(byte[] message, int length) {
        numberView.putLong(0, sequence++);
        try {
            digest.update(innerKey);
            digest.update(number);
            digest.update(message, 0, length);
            digest.digest(tag, 0, DIGEST_BYTES);
            digest.update(outerKey);
            digest.update(tag);
            digest.digest(tag, 0, DIGEST_BYTES);
        } catch (DigestException e) {
            throw new IllegalStateException("SHA-256 has 32 bytes", e);
        }
    }
}
