// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.gloo;

import dev.muster.mesh.collective.GroupCall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;

/// The description of an operation for the native side, in memory that both read: the struct `muster_gloo_call`,
/// whose offsets of buffers stay 0. Filled anew for each operation. Confined to one thread at a time.
final class CallBlock {
    /// Longer than any limit: Gloo's own limit is for each message and breaks the connections without a word to the
    /// others, so that [CallGuard] watches the limit of a call instead.
    private static final long LIMIT_MILLIS = Duration.ofHours(50).toMillis();

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final long TAG = 0;
    private static final long MILLIS = 8;
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
        memory.set(LONG, MILLIS, LIMIT_MILLIS);
        memory.set(ValueLayout.ADDRESS, SENT, sent);
        memory.set(ValueLayout.ADDRESS, RECEIVED, received);
    }

    /// Returns the number of the call, in 32 bits.
    static int mixture(GroupCall call) {
        long bits = call.what() * 0x9E37_79B9_7F4A_7C15L + call.howMuch();
        long mixed = (bits ^ (bits >>> 32)) * 0xD6E8_FEB8_6659_FD93L;
        return (int) (mixed >>> 32);
    }

    MemorySegment memory() {
        return memory;
    }

    void begin(int tag, long count, int root) {
        memory.set(LONG, TAG, Integer.toUnsignedLong(tag));
        memory.set(LONG, COUNT, count);
        memory.set(LONG, ROOT, root);
    }

    void reducing(int type, int op) {
        memory.set(LONG, TYPE, type);
        memory.set(LONG, OP, op);
    }

    /// Returns the numbers of bytes sent to a rank and received from it.
    void piece(int rank, long bytesSent, long bytesReceived) {
        sent.setAtIndex(LONG, rank, bytesSent);
        received.setAtIndex(LONG, rank, bytesReceived);
    }
}
