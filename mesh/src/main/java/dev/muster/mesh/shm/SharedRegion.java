// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.shm;

import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import dev.muster.mesh.collective.GroupIdentity;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// The memory that a group shares, by name instead of by offset. Safe for use by several threads and processes.
record SharedRegion(RegionLayout layout, MemorySegment memory) {
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    private static final long HERE = 1;
    private static final long LEFT = 2;

    /// Writes the head of a new region.
    static void format(MemorySegment memory, RegionLayout layout, long incarnation) {
        memory.set(ValueLayout.JAVA_LONG, RegionLayout.RANKS_AT, layout.ranks());
        memory.set(ValueLayout.JAVA_LONG, RegionLayout.SLOT_BYTES_AT, layout.slotBytes());
        memory.set(ValueLayout.JAVA_LONG, RegionLayout.RING_BYTES_AT, layout.ringBytes());
        memory.set(ValueLayout.JAVA_LONG, RegionLayout.INCARNATION_AT, incarnation);
        LONG.setRelease(memory, RegionLayout.MAGIC_AT, RegionLayout.MAGIC);
    }

    /// Checks that a region is the one of that group.
    static void check(MemorySegment memory, RegionLayout layout, GroupIdentity group) {
        boolean same = memory.byteSize() == layout.bytes()
                && (long) LONG.getAcquire(memory, RegionLayout.MAGIC_AT) == RegionLayout.MAGIC
                && memory.get(ValueLayout.JAVA_LONG, RegionLayout.RANKS_AT) == layout.ranks()
                && memory.get(ValueLayout.JAVA_LONG, RegionLayout.SLOT_BYTES_AT) == layout.slotBytes()
                && memory.get(ValueLayout.JAVA_LONG, RegionLayout.RING_BYTES_AT) == layout.ringBytes()
                && memory.get(ValueLayout.JAVA_LONG, RegionLayout.INCARNATION_AT) == group.incarnation();
        if (!same) {
            throw new GroupException(
                    GroupError.PROTOCOL,
                    "group " + group.name() + ": the shared memory is not that of this group and incarnation "
                            + group.incarnation());
        }
    }

    long acquire(long offset) {
        return (long) LONG.getAcquire(memory, offset);
    }

    void release(long offset, long value) {
        LONG.setRelease(memory, offset, value);
    }

    long plain(long offset) {
        return memory.get(ValueLayout.JAVA_LONG, offset);
    }

    void plain(long offset, long value) {
        memory.set(ValueLayout.JAVA_LONG, offset, value);
    }

    void enter(int rank) {
        release(layout.presence(rank), HERE);
    }

    void leave(int rank) {
        release(layout.presence(rank), LEFT);
    }

    boolean hasLeft(int rank) {
        return acquire(layout.presence(rank)) == LEFT;
    }

    /// Returns the processor that a member ran on when it last told, or -1.
    int processor(int rank) {
        return (int) acquire(layout.processor(rank)) - 1;
    }

    void showProcessor(int rank, int processor) {
        release(layout.processor(rank), processor + 1L);
    }

    /// Tells all members of a failure, unless another one came first.
    void publishFailure(int rank, String text) {
        if (!LONG.compareAndSet(memory, RegionLayout.FAILURE_AT, 0L, 1L)) {
            return;
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, RegionLayout.FAILURE_TEXT_BYTES);
        MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, RegionLayout.FAILURE_TEXT_AT, length);
        plain(RegionLayout.FAILURE_RANK_AT, rank);
        plain(RegionLayout.FAILURE_LENGTH_AT, length);
        release(RegionLayout.FAILURE_AT, 2);
    }

    boolean hasFailed() {
        return acquire(RegionLayout.FAILURE_AT) == 2;
    }

    /// Returns the first failure; bytes that other processes wrote are not trusted to be whole.
    Optional<String> failure() {
        if (!hasFailed()) {
            return Optional.empty();
        }
        int length = Math.clamp(plain(RegionLayout.FAILURE_LENGTH_AT), 0, RegionLayout.FAILURE_TEXT_BYTES);
        byte[] bytes = new byte[length];
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, RegionLayout.FAILURE_TEXT_AT, bytes, 0, length);
        return Optional.of(new String(bytes, StandardCharsets.UTF_8));
    }

    int failureRank() {
        return (int) Math.clamp(plain(RegionLayout.FAILURE_RANK_AT), 0, layout.ranks() - 1L);
    }
}
