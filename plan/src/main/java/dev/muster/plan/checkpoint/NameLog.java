package dev.muster.plan.checkpoint;

import java.util.Arrays;

/// The names of many tensors as hashes, one behind the other, sorted once behind each file: a table that is asked for
/// each of some hundred thousand names waits for memory each time.
final class NameLog {
    private static final int FIRST_CAPACITY = 1 << 10;

    private long[] hashes = new long[FIRST_CAPACITY];
    private int size;

    void add(long hash) {
        if (size == hashes.length) {
            hashes = Arrays.copyOf(hashes, size * 2);
        }
        hashes[size++] = hash;
    }

    /// Sorts the hashes.
    ///
    /// @return whether one is there twice
    boolean sort() {
        Arrays.sort(hashes, 0, size);
        for (int at = 1; at < size; at++) {
            if (hashes[at] == hashes[at - 1]) {
                return true;
            }
        }
        return false;
    }

    /// Whether a hash was there when they were sorted.
    boolean has(long hash) {
        return Arrays.binarySearch(hashes, 0, size, hash) >= 0;
    }
}
