package dev.muster.plan.checkpoint;

/// A 64-bit hash of a name's bytes, sixteen at a time in two lanes that do not wait for each other, so that a
/// scan can take it on its way. Two different names with the same hash would be taken for one; among a million
/// names that happens in one file of 37 million.
final class NameHash {
    /// What the lane of the first eight bytes begins with, and of every other eight.
    static final long EVEN_SEED = 0x2545_F491_4F6C_DD1DL;

    /// What the other lane begins with.
    static final long ODD_SEED = 0x6A09_E667_F3BC_C909L;

    private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;
    private static final int ROTATION = 29;
    private static final int LENGTH_SHIFT = 56;

    private NameHash() {}

    static long of(byte[] text, int from, int to) {
        long even = EVEN_SEED;
        long odd = ODD_SEED;
        int at = from;
        for (; at + 2 * Long.BYTES <= to; at += 2 * Long.BYTES) {
            even = mix(even, LittleEndian.getLong(text, at));
            odd = mix(odd, LittleEndian.getLong(text, at + Long.BYTES));
        }
        if (at + Long.BYTES <= to) {
            even = mix(even, LittleEndian.getLong(text, at));
            at += Long.BYTES;
        }
        return finish(
                even,
                odd,
                at + Long.BYTES <= text.length ? LittleEndian.getLong(text, at) : rest(text, at, to),
                to - at);
    }

    /// The last bytes of a name where a whole word would pass the array's end.
    private static long rest(byte[] text, int from, int to) {
        long rest = 0;
        for (int at = to - 1; at >= from; at--) {
            rest = (rest << Byte.SIZE) | (text[at] & 0xFF);
        }
        return rest;
    }

    /// Takes eight bytes into a lane.
    static long mix(long lane, long word) {
        return Long.rotateLeft((lane ^ word) * MULTIPLIER, ROTATION);
    }

    /// Joins the lanes and takes in the last bytes, less than eight: the low ones of a word. Never zero.
    static long finish(long even, long odd, long word, int bytes) {
        long low = word & ((1L << (bytes * Byte.SIZE)) - 1);
        long mixed = mix(mix(even * MULTIPLIER, odd), low | ((long) bytes << LENGTH_SHIFT));
        mixed = (mixed ^ (mixed >>> Integer.SIZE)) * MULTIPLIER;
        mixed ^= mixed >>> Integer.SIZE;
        return mixed == 0 ? MULTIPLIER : mixed;
    }
}
