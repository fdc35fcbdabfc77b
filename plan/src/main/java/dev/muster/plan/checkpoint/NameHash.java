package dev.muster.plan.checkpoint;

/// A 64-bit hash of a name's bytes, eight at a time, so that a scan can take it on its way. Two different names with
/// the
/// same hash would be taken for one; among a million names that happens in one file of 37 million.
final class NameHash {
    static final long SEED = 0x2545_F491_4F6C_DD1DL;

    private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;
    private static final int ROTATION = 29;
    private static final int LENGTH_SHIFT = 56;

    private NameHash() {}

    static long of(byte[] text, int from, int to) {
        long hash = SEED;
        int at = from;
        for (; at + Long.BYTES <= to; at += Long.BYTES) {
            hash = mix(hash, LittleEndian.getLong(text, at));
        }
        long rest = 0;
        for (int last = to - 1; last >= at; last--) {
            rest = (rest << Byte.SIZE) | (text[last] & 0xFF);
        }
        return finish(hash, rest, to - at);
    }

    /// Takes in eight bytes.
    static long mix(long hash, long word) {
        return Long.rotateLeft((hash ^ word) * MULTIPLIER, ROTATION);
    }

    /// Takes in the last bytes, less than eight: the low ones of a word. Never zero.
    static long finish(long hash, long word, int bytes) {
        long low = word & ((1L << (bytes * Byte.SIZE)) - 1);
        long mixed = mix(hash, low | ((long) bytes << LENGTH_SHIFT));
        mixed = (mixed ^ (mixed >>> Integer.SIZE)) * MULTIPLIER;
        mixed ^= mixed >>> Integer.SIZE;
        return mixed == 0 ? MULTIPLIER : mixed;
    }
}
