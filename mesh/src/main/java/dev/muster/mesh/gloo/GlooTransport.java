// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.gloo;

import dev.muster.mesh.collective.GroupCall;
import dev.muster.mesh.collective.Operation;
import dev.muster.mesh.message.MessageTransport;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Messages between this member and others, in memory that the native side reads: structs `muster_gloo_message`.
/// Confined to one thread.
final class GlooTransport implements MessageTransport {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final long ADDRESS = 0;
    private static final long LENGTH = 8;
    private static final long PEER = 16;
    private static final long SENDS = 24;
    private static final long SLOT = 32;
    private static final long DONE = 40;
    private static final long BYTES = 48;
    private static final int FEW = 64;
    private static final int NUMBER_SHIFT = 40;
    private static final long NUMBER_MASK = 0xffff;

    /// Slots of Gloo's own collectives begin with a small number.
    private static final long KIND = 0x40L << 56;

    private final NativeGroup connections;
    private final CallBlock block;
    private final Arena arena;
    private final long[] sent;
    private final long[] received;
    private MemorySegment memory;
    private int count;
    private int mixture;
    private boolean exchanging;

    GlooTransport(NativeGroup connections, Arena arena, int ranks) {
        this.connections = connections;
        this.block = new CallBlock(arena, 0);
        this.arena = arena;
        this.sent = new long[ranks];
        this.received = new long[ranks];
        this.memory = arena.allocate(BYTES * FEW, Long.BYTES);
    }

    @Override
    public void begin(GroupCall call) {
        count = 0;
        mixture = CallBlock.mixture(call);
        exchanging = call.operation().equals(Operation.EXCHANGE);
    }

    @Override
    public void send(int peer, MemorySegment segment, long offset, long length) {
        if (length > 0 || exchanging) {
            add(1, peer, segment, offset, length, sent[peer]++);
        }
    }

    @Override
    public void receive(int peer, MemorySegment segment, long offset, long length) {
        if (length > 0 || exchanging) {
            add(0, peer, segment, offset, length, received[peer]++);
        }
    }

    /// Both ends know how many messages came before and how long this one is; the slot says it, so that one of
    /// another length does not meet it, which Gloo would not survive.
    private void add(long sends, int peer, MemorySegment segment, long offset, long length, long number) {
        int index = count;
        MemorySegment all = memory;
        if (BYTES * index == all.byteSize()) {
            all = arena.allocate(2 * all.byteSize(), Long.BYTES).copyFrom(all);
            memory = all;
        }
        long shape = (length * 0x9E37_79B9_7F4A_7C15L + mixture) * 0xD6E8_FEB8_6659_FD93L;
        long at = BYTES * index;
        all.set(LONG, at + ADDRESS, segment.address() + offset);
        all.set(LONG, at + LENGTH, length);
        all.set(LONG, at + PEER, peer);
        all.set(LONG, at + SENDS, sends);
        long numbered = (number & NUMBER_MASK) << NUMBER_SHIFT;
        all.set(LONG, at + SLOT, KIND | numbered | (shape >>> (64 - NUMBER_SHIFT)));
        all.set(LONG, at + DONE, 0);
        count = index + 1;
    }

    /// Not every member takes part, so that the steps of collectives do not count it.
    @Override
    public void move(GroupCall call) {
        if (count > 0) {
            block.begin(0, count, 0);
            connections.run(Operation.EXCHANGE, block, memory, MemorySegment.NULL);
            count = 0;
        }
    }
}
