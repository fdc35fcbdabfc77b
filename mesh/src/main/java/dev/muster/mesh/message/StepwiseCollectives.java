// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.message;

import dev.muster.mesh.collective.GroupCall;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.collective.ReduceOp;
import dev.muster.mesh.engine.Reducer;
import dev.muster.mesh.engine.Scratch;
import java.lang.foreign.MemorySegment;

/// Reductions of many members in steps between pairs: recursive doubling for short buffers, halving and doubling for
/// middling ones, a ring for long ones. All members get the same bits, but not always those of the order of ranks;
/// elements are kept in their own type between steps.
final class StepwiseCollectives {
    /// Up to here the number of steps matters more than the bytes.
    private static final long DOUBLING_BYTES = 16 << 10;
    /// From here on a ring, which talks to neighbours only, loses nothing by its many steps.
    private static final long RING_BYTES = 4 << 20;
    /// The part of a buffer that goes round a ring at a time, for each member.
    private static final long RING_PIECE_BYTES = 1 << 20;

    private final MessageTransport mover;
    private final Reducer reducer;
    private final Scratch scratch;
    private final MemorySegment[] sources = new MemorySegment[2];
    private final long[] offsets = new long[2];
    private final int ranks;
    private final int own;
    /// The largest power of two within the number of ranks; those beyond it hand their part to a partner.
    private final int paired;

    StepwiseCollectives(GroupIdentity group, MessageTransport mover, Reducer reducer, Scratch scratch) {
        this.mover = mover;
        this.reducer = reducer;
        this.scratch = scratch;
        this.ranks = group.size();
        this.own = group.rank();
        this.paired = Integer.highestOneBit(ranks);
    }

    void allReduce(GroupCall call) {
        int size = call.type().bytes();
        long bytes = call.count() * size;
        if (!call.input().equals(call.output())) {
            MemorySegment.copy(call.input(), 0, call.output(), 0, bytes);
        }
        if (bytes <= DOUBLING_BYTES || call.count() < ranks) {
            allReduceByDoubling(call, bytes);
        } else if (bytes < RING_BYTES && paired == ranks) {
            allReduceByHalving(call);
        } else {
            long part = RING_PIECE_BYTES / size * ranks;
            for (long from = 0; from < call.count(); from += part) {
                allReduceByRing(call, from, Math.min(part, call.count() - from));
            }
        }
        if (call.reduceOp().equals(ReduceOp.AVERAGE)) {
            reducer.divide(call.type(), call.output(), 0, call.count(), ranks);
        }
    }

    /// Folds what a partner sent into the output; the lower of the two comes first, so that both get the same bits.
    private void fold(GroupCall call, MemorySegment theirs, int partner, long at, long count) {
        boolean theirsFirst = partner < own;
        ReduceOp op = call.reduceOp().equals(ReduceOp.AVERAGE) ? ReduceOp.SUM : call.reduceOp();
        sources[0] = theirsFirst ? theirs : call.output();
        offsets[0] = theirsFirst ? 0 : at;
        sources[1] = theirsFirst ? call.output() : theirs;
        offsets[1] = theirsFirst ? at : 0;
        reducer.reduceAlike(call.type(), op, sources, offsets, 2, call.output(), at, count);
    }

    private void allReduceByDoubling(GroupCall call, long bytes) {
        MemorySegment theirs = scratch.ofBytes(bytes);
        int beyond = ranks - paired;
        if (own >= paired) {
            mover.send(own - paired, call.output(), 0, bytes);
            mover.move(call);
            mover.receive(own - paired, call.output(), 0, bytes);
            mover.move(call);
            return;
        }
        if (own < beyond) {
            mover.receive(own + paired, theirs, 0, bytes);
            mover.move(call);
            fold(call, theirs, own + paired, 0, call.count());
        }
        for (int distance = 1; distance < paired; distance *= 2) {
            int partner = own ^ distance;
            mover.send(partner, call.output(), 0, bytes);
            mover.receive(partner, theirs, 0, bytes);
            mover.move(call);
            fold(call, theirs, partner, 0, call.count());
        }
        if (own < beyond) {
            mover.send(own + paired, call.output(), 0, bytes);
            mover.move(call);
        }
    }

    private long piece(long count, int rank) {
        return count * rank / ranks;
    }

    private long length(long count, int rank) {
        return piece(count, rank + 1) - piece(count, rank);
    }

    /// Pairs halve what they are answerable for until each member has a piece, and then double it again.
    private void allReduceByHalving(GroupCall call) {
        int size = call.type().bytes();
        int low = 0;
        int high = ranks;
        for (int distance = ranks / 2; distance > 0; distance /= 2) {
            int partner = own ^ distance;
            int middle = low + distance;
            boolean lower = own < partner;
            long kept = piece(call.count(), lower ? low : middle);
            long keptEnd = piece(call.count(), lower ? middle : high);
            long given = piece(call.count(), lower ? middle : low);
            long givenEnd = piece(call.count(), lower ? high : middle);
            MemorySegment theirs = scratch.ofBytes((keptEnd - kept) * size);
            mover.send(partner, call.output(), given * size, (givenEnd - given) * size);
            mover.receive(partner, theirs, 0, (keptEnd - kept) * size);
            mover.move(call);
            fold(call, theirs, partner, kept * size, keptEnd - kept);
            low = lower ? low : middle;
            high = lower ? middle : high;
        }
        for (int distance = 1; distance < ranks; distance *= 2) {
            int partner = own ^ distance;
            int start = own / distance * distance;
            int partnerStart = partner / distance * distance;
            long mine = piece(call.count(), start);
            long mineEnd = piece(call.count(), start + distance);
            long theirs = piece(call.count(), partnerStart);
            long theirsEnd = piece(call.count(), partnerStart + distance);
            mover.send(partner, call.output(), mine * size, (mineEnd - mine) * size);
            mover.receive(partner, call.output(), theirs * size, (theirsEnd - theirs) * size);
            mover.move(call);
        }
    }

    /// Pieces go round, growing by what each member adds, and then round again as results.
    private void allReduceByRing(GroupCall call, long from, long count) {
        int size = call.type().bytes();
        int next = (own + 1) % ranks;
        int previous = (own - 1 + ranks) % ranks;
        for (int step = 0; step < ranks - 1; step++) {
            int sent = (own - step + ranks) % ranks;
            int received = (own - step - 1 + 2 * ranks) % ranks;
            long length = length(count, received);
            MemorySegment theirs = scratch.ofBytes(Math.max(1, length * size));
            mover.send(next, call.output(), (from + piece(count, sent)) * size, length(count, sent) * size);
            mover.receive(previous, theirs, 0, length * size);
            mover.move(call);
            fold(call, theirs, previous, (from + piece(count, received)) * size, length);
        }
        for (int step = 0; step < ranks - 1; step++) {
            int sent = (own + 1 - step + ranks) % ranks;
            int received = (own - step + ranks) % ranks;
            mover.send(next, call.output(), (from + piece(count, sent)) * size, length(count, sent) * size);
            mover.receive(
                    previous, call.output(), (from + piece(count, received)) * size, length(count, received) * size);
            mover.move(call);
        }
    }

    /// Pieces go round until each member has all.
    void allGather(GroupCall call) {
        int size = call.type().bytes();
        MemorySegment.copy(call.input(), 0, call.output(), call.offset(own) * size, call.pieceCount(own) * size);
        for (int step = 0; step < ranks - 1; step++) {
            int sent = (own - step + ranks) % ranks;
            int received = (own - step - 1 + ranks) % ranks;
            mover.send((own + 1) % ranks, call.output(), call.offset(sent) * size, call.pieceCount(sent) * size);
            mover.receive(
                    (own - 1 + ranks) % ranks,
                    call.output(),
                    call.offset(received) * size,
                    call.pieceCount(received) * size);
            mover.move(call);
        }
    }
}
