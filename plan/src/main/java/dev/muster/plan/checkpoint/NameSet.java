package dev.muster.plan.checkpoint;

/// Names that were seen, as hashes: for the some thousand keys of a header, each asked for as it comes.
final class NameSet {
    private static final int FIRST_CAPACITY = 1 << 10;

    private long[] slots = new long[FIRST_CAPACITY];
    private int size;

    /// Adds a name; false when it was there.
    boolean add(byte[] text, int from, int to) {
        return add(NameHash.of(text, from, to));
    }

    /// Adds a hash, which is not zero; false when it was there.
    boolean add(long hash) {
        int slot = slot(hash);
        if (slots[slot] != 0) {
            return false;
        }
        slots[slot] = hash;
        if (++size > slots.length / 2) {
            grow();
        }
        return true;
    }

    /// Where a hash lies, or where it would.
    private int slot(long hash) {
        int mask = slots.length - 1;
        int slot = (int) (hash >>> Integer.SIZE) & mask;
        while (slots[slot] != 0 && slots[slot] != hash) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void grow() {
        long[] old = slots;
        slots = new long[old.length * 2];
        for (long hash : old) {
            if (hash != 0) {
                slots[slot(hash)] = hash;
            }
        }
    }
}
