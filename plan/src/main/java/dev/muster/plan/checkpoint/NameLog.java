package dev.muster.plan.checkpoint;

import java.util.Arrays;

/// The names of many tensors as hashes, one behind the other, looked through once at the end: a table that is asked for
/// each of some hundred thousand names waits for memory each time, and takes longer than reading the header.
final class NameLog {
    private static final int FIRST_CAPACITY = 1 << 10;
    /// How many names a bucket has at most, unless somebody chose them for that.
    private static final int BUCKET = 1 << 7;
    private static final int TABLE = BUCKET * 4;

    private long[] hashes = new long[FIRST_CAPACITY];
    private int size;
    private boolean sorted;

    void add(long hash) {
        if (size == hashes.length) {
            hashes = Arrays.copyOf(hashes, size * 2);
        }
        hashes[size++] = hash;
        sorted = false;
    }

    /// Whether a hash is there twice: those with the same highest bits are looked through together, in a table so small
    /// that it stays in the nearest cache.
    boolean hasDuplicate() {
        int bits = Integer.SIZE - Integer.numberOfLeadingZeros(size / BUCKET);
        int[] ends = new int[(1 << bits) + 1];
        long[] dealt = deal(bits, ends);
        long[] table = new long[TABLE];
        int from = 0;
        for (int bucket = 0; bucket < ends.length - 1; bucket++) {
            int to = ends[bucket];
            if (to - from > TABLE / 2 ? hasDuplicateSorted(dealt, from, to) : hasDuplicate(dealt, from, to, table)) {
                return true;
            }
            from = to;
        }
        return false;
    }

    private static boolean hasDuplicate(long[] values, int from, int to, long[] table) {
        Arrays.fill(table, 0);
        for (int at = from; at < to; at++) {
            long hash = values[at];
            int slot = (int) hash & (TABLE - 1);
            while (table[slot] != 0) {
                if (table[slot] == hash) {
                    return true;
                }
                slot = (slot + 1) & (TABLE - 1);
            }
            table[slot] = hash;
        }
        return false;
    }

    private static boolean hasDuplicateSorted(long[] values, int from, int to) {
        Arrays.sort(values, from, to);
        for (int at = from + 1; at < to; at++) {
            if (values[at] == values[at - 1]) {
                return true;
            }
        }
        return false;
    }

    /// The hashes by their highest bits; `ends` gets where each bucket ends.
    private long[] deal(int bits, int[] ends) {
        for (int at = 0; at < size; at++) {
            ends[bucket(hashes[at], bits) + 1]++;
        }
        for (int bucket = 1; bucket < ends.length; bucket++) {
            ends[bucket] += ends[bucket - 1];
        }
        long[] dealt = new long[size];
        for (int at = 0; at < size; at++) {
            dealt[ends[bucket(hashes[at], bits)]++] = hashes[at];
        }
        return dealt;
    }

    /// In two steps, since a shift by 64 is none.
    private static int bucket(long hash, int bits) {
        return (int) (hash >>> 1 >>> (Long.SIZE - 1 - bits));
    }

    boolean has(long hash) {
        if (!sorted) {
            Arrays.sort(hashes, 0, size);
            sorted = true;
        }
        return Arrays.binarySearch(hashes, 0, size, hash) >= 0;
    }
}
