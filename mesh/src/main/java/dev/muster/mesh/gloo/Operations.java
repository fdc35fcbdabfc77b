package dev.muster.mesh.gloo;

import dev.muster.mesh.collective.Call;
import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.ReduceOp;
import dev.muster.mesh.engine.Scratch;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Gloo's operations as steps of a call. Confined to one thread at a time.
///
/// Messages of different steps are told apart by their tag: a number that grows with every step, and a mixture of what
/// the members call. Where they call different things their messages do not meet, and all wait until the limit has
/// passed. If they met, a message longer than its buffer would end the process: Gloo finds it on a thread of its own,
/// where nobody catches what it throws.
final class Operations {
    /// Longer than any limit: Gloo's own limit is for each message and breaks the connections without a word to the
    /// others, so that [CallGuard] watches the limit of a call instead.
    private static final long MILLIS = java.time.Duration.ofHours(50).toMillis();

    private final NativeGroup group;
    private final CallBlock block;
    private final Messages messages;
    private final Scratch scratch = new Scratch();
    private final int own;
    private final int ranks;
    private long steps;
    private int mixture;

    Operations(NativeGroup group, Arena arena, int own, int ranks) {
        this.group = group;
        this.block = new CallBlock(arena, ranks);
        this.messages = new Messages(arena, ranks);
        this.own = own;
        this.ranks = ranks;
    }

    int own() {
        return own;
    }

    int ranks() {
        return ranks;
    }

    /// Memory of at least that size; what was in it may be lost.
    MemorySegment scratch(long bytes) {
        return scratch.ofBytes(bytes);
    }

    Messages messages() {
        return messages;
    }

    /// Begins a call.
    void begin(Call call) {
        mixture = mixed(call.what() * 0x9E37_79B9_7F4A_7C15L + call.howMuch());
        messages.begin(mixture);
    }

    private static int mixed(long bits) {
        long mixed = (bits ^ (bits >>> 32)) * 0xD6E8_FEB8_6659_FD93L;
        return (int) (mixed >>> 32);
    }

    private CallBlock step(long count) {
        int tag = ((int) (steps++ & 0xff) << 24) | (mixture & 0xff_ffff);
        return block.begin(tag, MILLIS, count);
    }

    void barrier() {
        step(0);
        group.run(group.library().barrier, block, MemorySegment.NULL, MemorySegment.NULL);
    }

    void allReduce(DType type, ReduceOp op, MemorySegment input, MemorySegment output, long count) {
        if (count > 0) {
            step(count).reducing(number(type), number(op));
            group.run(group.library().allReduce, block, input, output);
        }
    }

    /// The output has room on every rank.
    void reduce(DType type, ReduceOp op, MemorySegment input, MemorySegment output, long count, int root) {
        if (count > 0) {
            step(count).reducing(number(type), number(op)).rootedAt(root);
            group.run(group.library().reduce, block, input, output);
        }
    }

    void broadcast(MemorySegment buffer, long bytes, int root) {
        if (bytes > 0) {
            step(bytes).rootedAt(root);
            group.run(group.library().broadcast, block, MemorySegment.NULL, buffer);
        }
    }

    /// Says how many bytes of the next [#allGather] or [#allToAll] a rank is sent, and how many come from it.
    void piece(int rank, long sent, long received) {
        block.piece(rank, sent, received);
    }

    /// With [MemorySegment#NULL] as input the own piece lies in the output already.
    void allGather(MemorySegment input, MemorySegment output, long outputOffset) {
        step(0).to(outputOffset);
        group.run(group.library().allGather, block, input, output);
    }

    void gather(MemorySegment input, long inputOffset, MemorySegment output, long bytes, int root) {
        if (bytes > 0) {
            step(bytes).from(inputOffset).rootedAt(root);
            group.run(group.library().gather, block, input, output);
        }
    }

    void scatter(MemorySegment input, MemorySegment output, long bytes, int root) {
        if (bytes > 0) {
            step(bytes).rootedAt(root);
            group.run(group.library().scatter, block, input, output);
        }
    }

    void allToAll(MemorySegment input, long inputOffset, MemorySegment output) {
        step(0).from(inputOffset);
        group.run(group.library().allToAll, block, input, output);
    }

    /// Moves the messages that were added.
    void exchange() {
        // Not every member takes part, so that the steps of collectives must not count it.
        block.begin(0, MILLIS, messages.count());
        group.run(group.library().exchange, block, messages.memory(), MemorySegment.NULL);
    }

    /// The numbers that the native side knows types by.
    private static int number(DType type) {
        return switch (type) {
            case BOOL -> 0;
            case UINT8 -> 1;
            case INT8 -> 2;
            case UINT16 -> 3;
            case INT16 -> 4;
            case UINT32 -> 5;
            case INT32 -> 6;
            case UINT64 -> 7;
            case INT64 -> 8;
            case FLOAT32 -> 9;
            case FLOAT64 -> 10;
            case FLOAT16, BFLOAT16, FLOAT8_E4M3, FLOAT8_E5M2 ->
                throw new IllegalStateException(type.text() + " is not reduced in native code");
        };
    }

    /// The sum stands for the average, too, which is divided afterwards.
    private static int number(ReduceOp op) {
        return switch (op) {
            case SUM, AVERAGE -> 0;
            case PRODUCT -> 1;
            case MIN -> 2;
            case MAX -> 3;
        };
    }

    void close() {
        scratch.close();
    }
}
