package dev.muster.plan.checkpoint;

import java.util.Arrays;

/// Names that were seen, as 64-bit hashes: a million names take 16 MiB instead of ten times as much. Two different
/// names with the same hash would be taken for one; among a million names that happens once in 37 million files.
final class NameSet {
    private static final int FIRST_CAPACITY = 1 << 10;
    private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

    private long[] slots = new long[FIRST_CAPACITY];
    private int size;

    /// Adds a name; false when it was there.
    boolean add(byte[] text, int from, int to) {
        return add(hash(text, from, to));
    }

    boolean add(long hash) {
        // Zero marks a free slot.
        long wanted = hash == 0 ? MULTIPLIER : hash;
        int mask = slots.length - 1;
        int slot = (int) (wanted >>> Integer.SIZE) & mask;
        while (slots[slot] != 0) {
            if (slots[slot] == wanted) {
                return false;
            }
            slot = (slot + 1) & mask;
        }
        slots[slot] = wanted;
        if (++size > slots.length / 2) {
            grow();
        }
        return true;
    }

    private void grow() {
        long[] old = slots;
        slots = new long[old.length * 2];
        size = 0;
        Arrays.stream(old).filter(hash -> hash != 0).forEach(this::add);
    }

    static long hash(byte[] text, int from, int to) {
        long hash = (long) to - from;
        int at = from;
        for (; at + Long.BYTES <= to; at += Long.BYTES) {
            hash = mix(hash, LittleEndian.getLong(text, at));
        }
        long rest = 0;
        for (; at < to; at++) {
            rest = (rest << Byte.SIZE) | (text[at] & 0xFF);
        }
        return mix(hash, rest);
    }

    private static long mix(long hash, long word) {
        long product = (hash ^ word) * MULTIPLIER;
        return product ^ Long.rotateLeft(product, Integer.SIZE) ^ (product >>> 29);
    }
}
