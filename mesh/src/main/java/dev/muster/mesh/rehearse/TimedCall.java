// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.rehearse;

import dev.muster.core.measure.MeshCalibration.Collective;
import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.ProcessGroup;
import dev.muster.mesh.collective.ReduceOp;
import java.lang.foreign.MemorySegment;

/// One collective of one size with its buffers. Ranks meet at a barrier before each call, which is not timed:
/// how late others come is told apart from how long the call takes. Confined to one thread at a time.
final class TimedCall {
    /// Activations, weights and gradients travel in 16 bits.
    private static final DType TYPE = DType.BFLOAT16;

    private final ProcessGroup group;
    private final Collective collective;
    private final MemorySegment input;
    private final MemorySegment output;
    private final long bytes;
    private boolean isBack;

    TimedCall(ProcessGroup group, Collective collective, long bytes, BufferSource buffers) {
        this.group = group;
        this.collective = collective;
        int members = group.size();
        long whole = Math.max(1, Math.ceilDiv(bytes, TYPE.bytes()));
        long piece = Math.ceilDiv(whole, members);
        long all = piece * members;
        this.input = buffers.allocate(TYPE.bytes()
                * switch (collective) {
                    case ALL_REDUCE, SEND, RING_SEND -> whole;
                    case ALL_GATHER -> piece;
                    case REDUCE_SCATTER, ALL_TO_ALL -> all;
                });
        this.output = buffers.allocate(TYPE.bytes()
                * switch (collective) {
                    case ALL_REDUCE, SEND, RING_SEND -> whole;
                    case REDUCE_SCATTER -> piece;
                    case ALL_GATHER, ALL_TO_ALL -> all;
                });
        this.bytes = TYPE.bytes() * (isInPieces(collective) ? all : whole);
    }

    private static boolean isInPieces(Collective collective) {
        return switch (collective) {
            case ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL -> true;
            case ALL_REDUCE, SEND, RING_SEND -> false;
        };
    }

    /// The bytes of the whole buffer: those that were asked for, in whole elements for each rank.
    long bytes() {
        return bytes;
    }

    /// Makes the call and takes its time down.
    void run(CallTimes times) {
        long arrived = System.nanoTime();
        group.barrier();
        long start = System.nanoTime();
        call();
        times.add(System.nanoTime() - start, start - arrived);
    }

    private void call() {
        switch (collective) {
            case ALL_REDUCE -> group.allReduce(input, output, TYPE, ReduceOp.SUM);
            case ALL_GATHER -> group.allGather(input, output, TYPE);
            case REDUCE_SCATTER -> group.reduceScatter(input, output, TYPE, ReduceOp.SUM);
            case ALL_TO_ALL -> group.allToAll(input, output, TYPE);
            case SEND -> send();
            case RING_SEND -> group.sendReceive(input, next(1), output, next(-1));
        }
    }

    private int next(int by) {
        return Math.floorMod(group.rank() + by, group.size());
    }

    /// To the next stage and, at the following call, back.
    private void send() {
        int by = isBack ? -1 : 1;
        isBack = !isBack;
        int to = group.rank() + by;
        int from = group.rank() - by;
        boolean sends = to >= 0 && to < group.size();
        boolean receives = from >= 0 && from < group.size();
        if (sends && receives) {
            group.sendReceive(input, to, output, from);
        } else if (sends) {
            group.send(input, to);
        } else {
            group.receive(output, from);
        }
    }
}
