package dev.muster.mesh.gloo;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.stream.IntStream;

/// Messages between this member and others, in memory that the native side reads: structs `muster_gloo_message`.
/// Confined to one thread, except for [#waiting()].
final class Messages {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final long ADDRESS = 0;
    private static final long LENGTH = 8;
    private static final long PEER = 16;
    private static final long SENDS = 24;
    private static final long SLOT = 32;
    private static final long DONE = 40;
    private static final long BYTES = 48;
    private static final int FEW = 64;

    /// Slots of Gloo's own collectives begin with a small number.
    private static final long KIND = 0x40L << 56;

    private final Arena arena;
    private final long[] sent;
    private final long[] received;
    private MemorySegment memory;
    private int count;
    private int mixture;

    Messages(Arena arena, int ranks) {
        this.arena = arena;
        this.sent = new long[ranks];
        this.received = new long[ranks];
        this.memory = arena.allocate(BYTES * FEW, Long.BYTES);
    }

    MemorySegment memory() {
        return memory;
    }

    int count() {
        return count;
    }

    /// Forgets those of the last call.
    ///
    /// @param callMixture tells what is called from other things
    void begin(int callMixture) {
        count = 0;
        mixture = callMixture;
    }

    void send(int peer, MemorySegment segment, long offset, long length) {
        add(1, peer, segment, offset, length, sent[peer]++);
    }

    void receive(int peer, MemorySegment segment, long offset, long length) {
        add(0, peer, segment, offset, length, received[peer]++);
    }

    /// Both ends know how many messages came before and how long this one is; the slot says it, so that one of
    /// another length does not meet it, which Gloo would not survive.
    private void add(long sends, int peer, MemorySegment segment, long offset, long length, long number) {
        if (BYTES * count == memory.byteSize()) {
            memory = arena.allocate(2 * memory.byteSize(), Long.BYTES).copyFrom(memory);
        }
        long shape = (length * 0x9E37_79B9_7F4A_7C15L + mixture) * 0xD6E8_FEB8_6659_FD93L;
        long at = BYTES * count++;
        memory.set(LONG, at + ADDRESS, segment.address() + offset);
        memory.set(LONG, at + LENGTH, length);
        memory.set(LONG, at + PEER, peer);
        memory.set(LONG, at + SENDS, sends);
        memory.set(LONG, at + SLOT, KIND | (number & 0xffff) << 40 | shape >>> 24);
        memory.set(LONG, at + DONE, 0);
    }

    /// The members whose messages have not moved yet, while an exchange is under way.
    int[] waiting() {
        MemorySegment current = memory;
        int[] peers = IntStream.range(0, count)
                .filter(index -> current.get(LONG, BYTES * index + DONE) == 0)
                .map(index -> (int) current.get(LONG, BYTES * index + PEER))
                .toArray();
        return Arrays.stream(peers).distinct().sorted().toArray();
    }
}
