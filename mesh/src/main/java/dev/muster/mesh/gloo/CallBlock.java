package dev.muster.mesh.gloo;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// What the native side needs to know of an operation, in memory that both read: the struct `muster_gloo_call`.
/// Filled anew for each operation. Confined to one thread at a time.
final class CallBlock {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final long TAG = 0;
    private static final long MILLIS = 8;
    private static final long INPUT_OFFSET = 16;
    private static final long OUTPUT_OFFSET = 24;
    private static final long COUNT = 32;
    private static final long TYPE = 40;
    private static final long OP = 48;
    private static final long ROOT = 56;
    private static final long SENT = 64;
    private static final long RECEIVED = 72;
    private static final long BYTES = 80;

    private final MemorySegment memory;
    private final MemorySegment sent;
    private final MemorySegment received;

    CallBlock(Arena arena, int ranks) {
        this.memory = arena.allocate(BYTES, Long.BYTES);
        this.sent = arena.allocate(LONG, ranks);
        this.received = arena.allocate(LONG, ranks);
        memory.set(ValueLayout.ADDRESS, SENT, sent);
        memory.set(ValueLayout.ADDRESS, RECEIVED, received);
    }

    MemorySegment memory() {
        return memory;
    }

    /// Begins an operation that moves bytes from the start of its buffers.
    CallBlock begin(int tag, long millis, long count) {
        memory.set(LONG, TAG, Integer.toUnsignedLong(tag));
        memory.set(LONG, MILLIS, millis);
        memory.set(LONG, INPUT_OFFSET, 0);
        memory.set(LONG, OUTPUT_OFFSET, 0);
        memory.set(LONG, COUNT, count);
        return this;
    }

    CallBlock rootedAt(int root) {
        memory.set(LONG, ROOT, root);
        return this;
    }

    CallBlock reducing(int type, int op) {
        memory.set(LONG, TYPE, type);
        memory.set(LONG, OP, op);
        return this;
    }

    CallBlock from(long inputOffset) {
        memory.set(LONG, INPUT_OFFSET, inputOffset);
        return this;
    }

    CallBlock to(long outputOffset) {
        memory.set(LONG, OUTPUT_OFFSET, outputOffset);
        return this;
    }

    /// How many bytes a rank is sent, and how many come from it.
    void piece(int rank, long bytesSent, long bytesReceived) {
        sent.setAtIndex(LONG, rank, bytesSent);
        received.setAtIndex(LONG, rank, bytesReceived);
    }
}
