// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.gloo;

import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.GroupCall;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.collective.Operation;
import dev.muster.mesh.collective.ReduceOp;
import dev.muster.mesh.engine.Reducer;
import dev.muster.mesh.engine.Scratch;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Operations that Gloo does exactly as asked, by one call of it; all others are made of messages. Confined to one
/// thread at a time.
///
/// Messages of different calls are told apart by their tag: a number that grows with every call, and a mixture of
/// what the members call. Where they call different things their messages do not meet, and all wait until the limit
/// has passed. If they met, a message longer than its buffer would end the process: Gloo finds it on a thread of its
/// own, where its exceptions are not caught.
final class GlooOperations {
    private final NativeGroup connections;
    private final CallBlock block;
    private final Reducer reducer = new Reducer();
    private final Scratch scratch = new Scratch();
    private final boolean inRankOrder;
    private final int own;
    private final int ranks;
    private long steps;

    /// @param inRankOrder true if reductions of floats always take ranks in ascending order
    GlooOperations(GroupIdentity group, NativeGroup connections, Arena arena, boolean inRankOrder) {
        this.connections = connections;
        this.block = new CallBlock(arena, group.size());
        this.inRankOrder = inRankOrder;
        this.own = group.rank();
        this.ranks = group.size();
    }

    /// Reports whether Gloo does that. It takes no group of one, since it wants a connection to the next member, and
    /// has neither halves nor a reduce-scatter as a function. What one sends and another awaits in an uneven
    /// all-to-all is known to those two alone, and Gloo does not survive it if they differ.
    boolean can(GroupCall call) {
        return ranks > 1
                && switch (call.operation()) {
                    case BARRIER, BROADCAST, ALL_GATHER -> true;
                    case ALL_REDUCE, REDUCE ->
                        !call.type().isNarrow() && !Reducer.needsRankOrder(call.type(), call.reduceOp(), inRankOrder);
                    case GATHER, SCATTER, ALL_TO_ALL -> !call.isUneven();
                    case REDUCE_SCATTER, EXCHANGE -> false;
                };
    }

    void execute(GroupCall call) {
        boolean hasRoot = call.operation().hasRoot();
        if (call.count() == 0 && !call.operation().equals(Operation.BARRIER)) {
            return;
        }
        long bytes = call.count() * call.type().bytes();
        MemorySegment input = call.input();
        MemorySegment output = call.output();
        long count = bytes;
        switch (call.operation()) {
            case BARRIER, GATHER, SCATTER -> {}
            case BROADCAST -> input = MemorySegment.NULL;
            case ALL_REDUCE, REDUCE -> {
                count = call.count();
                block.reducing(number(call.type()), number(call.reduceOp()));
                // Gloo wants room on every rank.
                output = hasRoot && own != call.root() ? scratch.ofBytes(bytes) : output;
            }
            case ALL_GATHER -> {
                for (int rank = 0; rank < ranks; rank++) {
                    block.piece(rank, 0, call.pieceCount(rank) * call.type().bytes());
                }
            }
            case ALL_TO_ALL -> {
                for (int rank = 0; rank < ranks; rank++) {
                    block.piece(rank, bytes, bytes);
                }
                input = input.equals(output) ? copyOf(input) : input;
            }
            case REDUCE_SCATTER, EXCHANGE ->
                throw new IllegalStateException(call.text() + " is not an operation of Gloo");
        }
        int tag = ((int) (steps++ & 0xff) << 24) | (CallBlock.mixture(call) & 0xff_ffff);
        block.begin(tag, count, call.root());
        connections.run(call.operation(), block, input, output);
        boolean divides = call.operation().isReduction() && call.reduceOp().equals(ReduceOp.AVERAGE);
        if (divides && (!hasRoot || own == call.root())) {
            reducer.divide(call.type(), output, 0, call.count(), ranks);
        }
    }

    private MemorySegment copyOf(MemorySegment input) {
        MemorySegment copy = scratch.ofBytes(input.byteSize());
        MemorySegment.copy(input, 0, copy, 0, input.byteSize());
        return copy;
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
