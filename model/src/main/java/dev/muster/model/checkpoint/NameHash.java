// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// A 64-bit hash of a name's bytes. Two different names with the same hash would be taken for one; among a million
/// names that happens in one file of 37 million.
final class NameHash {
    /// Access to eight bytes of an array as one number.
    static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long SEED = 0x2545_F491_4F6C_DD1DL;
    private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;
    private static final int ROTATION = 29;

    private NameHash() {}

    /// Returns the hash, which is never zero.
    static long of(byte[] text, int from, int to) {
        long hash = SEED + to - from;
        long other = MULTIPLIER;
        int at = from;
        // Two at once: each waits for its own multiplication.
        for (; at + 2 * Long.BYTES <= to; at += 2 * Long.BYTES) {
            hash = mix(hash, (long) WORD.get(text, at));
            other = mix(other, (long) WORD.get(text, at + Long.BYTES));
        }
        hash = mix(hash, other);
        for (; at + Long.BYTES <= to; at += Long.BYTES) {
            hash = mix(hash, (long) WORD.get(text, at));
        }
        if (to - from >= Long.BYTES) {
            hash = mix(hash, (long) WORD.get(text, to - Long.BYTES));
        } else {
            for (; at < to; at++) {
                hash = mix(hash, text[at]);
            }
        }
        hash = (hash ^ (hash >>> Integer.SIZE)) * MULTIPLIER;
        hash ^= hash >>> Integer.SIZE;
        return hash == 0 ? MULTIPLIER : hash;
    }

    static long of(byte[] name) {
        return of(name, 0, name.length);
    }

    private static long mix(long hash, long word) {
        return Long.rotateLeft((hash ^ word) * MULTIPLIER, ROTATION);
    }
}
