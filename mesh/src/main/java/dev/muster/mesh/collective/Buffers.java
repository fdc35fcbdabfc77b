// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.collective;

import java.lang.foreign.MemorySegment;

/// Checks of what callers pass. A wrong argument is found here, before any other rank is disturbed.
final class Buffers {
    private Buffers() {}

    /// Returns the number of elements in a buffer.
    static long elements(String what, MemorySegment buffer, DType type) {
        if (!buffer.isNative()) {
            throw new IllegalArgumentException(
                    "the " + what + " lies on the Java heap; allocate it with an Arena, or use the forms for arrays");
        }
        if (!buffer.scope().isAlive()) {
            throw new IllegalArgumentException("the memory of the " + what + " was freed");
        }
        long count = buffer.byteSize() >> type.shift(); // on the way of every call, where a division would show
        if (count << type.shift() != buffer.byteSize()) {
            throw new IllegalArgumentException("the " + what + " has " + buffer.byteSize()
                    + " bytes, which is not a multiple of the " + type.bytes() + " bytes of " + type.text());
        }
        return count;
    }

    static void requireInput(MemorySegment input, DType type, long count) {
        requireCount("input", elements("input", input, type), count);
    }

    static void requireOutput(MemorySegment output, DType type, long count) {
        requireCount("output", elements("output", output, type), count);
        requireWritable(output);
    }

    static void requireWritable(MemorySegment output) {
        if (output.isReadOnly()) {
            throw new IllegalArgumentException("the output can only be read");
        }
    }

    static void requireCount(String what, long actual, long expected) {
        if (actual != expected) {
            throw new IllegalArgumentException(
                    "the " + what + " has " + actual + " elements where " + expected + " belong");
        }
    }

    static void requireReducible(ReduceOp op, DType type) {
        if (!op.accepts(type)) {
            throw new IllegalArgumentException("there is no " + op.text() + " of " + type.text());
        }
    }

    static void requireRank(String what, int rank, int size) {
        if (rank < 0 || rank >= size) {
            throw new IllegalArgumentException(
                    "the " + what + " is rank " + rank + ", but the group has ranks 0 to " + (size - 1));
        }
    }

    static long total(long[] counts, int size) {
        if (counts.length != size) {
            throw new IllegalArgumentException(
                    "there are " + counts.length + " counts for the " + size + " ranks of the group");
        }
        long total = 0;
        for (long count : counts) {
            if (count < 0) {
                throw new IllegalArgumentException("a count must not be negative: " + count);
            }
            total = Math.addExact(total, count);
        }
        return total;
    }
}
