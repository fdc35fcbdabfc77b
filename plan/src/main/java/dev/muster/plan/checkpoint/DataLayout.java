package dev.muster.plan.checkpoint;

import static dev.muster.plan.checkpoint.CheckpointException.Code.MISPLACED;

import java.util.Arrays;

/// Where the tensors of a file lie. Writers put them in order, so the part from the start that has no holes is kept as
/// one number; only what comes out of order is kept apart and sorted at the end.
final class DataLayout {
    private static final int FIRST_CAPACITY = 64;

    private final long start;
    private long contiguousEnd;
    private Extent[] others = new Extent[FIRST_CAPACITY];
    private int count;

    /// @param start where the first tensor must lie
    DataLayout(long start) {
        this.start = start;
        this.contiguousEnd = start;
    }

    /// Where the data begins.
    long start() {
        return start;
    }

    /// Adds a tensor: its first byte, and the one behind its last.
    void add(long from, long to) {
        if (from == contiguousEnd) {
            contiguousEnd = to;
        } else if (from != to || from < start) {
            if (count == others.length) {
                others = Arrays.copyOf(others, count * 2);
            }
            others[count++] = new Extent(from, to);
        }
    }

    /// Checks that the tensors lie one behind the other, and returns where they end.
    long requireContiguous(FileBytes file) {
        Arrays.sort(others, 0, count);
        for (int at = 0; at < count; at++) {
            Extent next = others[at];
            if (next.from < contiguousEnd) {
                throw file.error(MISPLACED, "tensors lie over each other at byte " + next.from);
            }
            if (next.from > contiguousEnd) {
                throw file.error(MISPLACED, "no tensor fills the bytes from " + contiguousEnd + " to " + next.from);
            }
            contiguousEnd = next.to;
        }
        return contiguousEnd;
    }

    private record Extent(long from, long to) implements Comparable<Extent> {
        @Override
        public int compareTo(Extent other) {
            return from == other.from ? Long.compare(to, other.to) : Long.compare(from, other.from);
        }
    }
}
