// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.shm;

import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.Engine;
import dev.muster.mesh.collective.GroupCall;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.shm.RoundWait.Lifeline;
import java.lang.foreign.MemorySegment;

/// Collectives through a shared region, in [Rounds]; messages go through [MessageRings].
final class SharedMemoryEngine implements Engine {
    private final String name;
    private final SharedRegion region;
    private final RoundWait wait;
    private final Rounds rounds;
    private final SlotReducer reducer;
    private final SharedAllReduce allReduce;
    private final MessageRings rings;
    private final Runnable onClose;
    private final int ranks;
    private final int own;

    SharedMemoryEngine(
            String name,
            GroupIdentity group,
            SharedRegion region,
            Lifeline lifeline,
            int processors,
            Runnable onClose) {
        this.name = name;
        this.region = region;
        this.wait = new RoundWait(group, region, lifeline, processors);
        this.rounds = new Rounds(group, region, wait);
        this.reducer = new SlotReducer(rounds);
        this.allReduce = new SharedAllReduce(rounds, reducer);
        this.rings = new MessageRings(group, region, wait, rounds);
        this.onClose = onClose;
        this.ranks = group.size();
        this.own = group.rank();
        region.enter(own);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void execute(GroupCall call) {
        wait.throwIfStopped();
        rounds.begin(call);
        switch (call.operation()) {
            case BARRIER -> barrier(call);
            case ALL_REDUCE -> allReduce.execute(call);
            case REDUCE -> reduce(call);
            case BROADCAST -> broadcast(call);
            case ALL_GATHER -> gather(call, true);
            case GATHER -> gather(call, own == call.root());
            case SCATTER -> scatter(call);
            case REDUCE_SCATTER -> reduceScatter(call);
            case ALL_TO_ALL -> allToAll(call);
            case EXCHANGE -> rings.exchange(call);
        }
    }

    @Override
    public void abort(GroupException reason) {
        wait.stop(reason);
    }

    @Override
    public void close() {
        region.leave(own);
        onClose.run();
    }

    private void barrier(GroupCall call) {
        rounds.meet(call);
        rounds.end();
    }

    private void reduce(GroupCall call) {
        int size = call.type().bytes();
        long chunk = rounds.slotBytes() / size;
        for (long done = 0; done == 0 || done < call.count(); done += chunk) {
            long count = Math.min(chunk, call.count() - done);
            if (own != call.root()) {
                rounds.put(call.input(), done * size, rounds.slot(), count * size);
            }
            rounds.meet(call);
            if (own == call.root()) {
                reducer.reduceSlots(call, 0, call.input(), done * size, call.output(), done * size, count);
            }
            rounds.end();
        }
    }

    private void broadcast(GroupCall call) {
        long bytes = call.count() * call.type().bytes();
        for (long done = 0; done == 0 || done < bytes; done += rounds.slotBytes()) {
            long length = Math.min(rounds.slotBytes(), bytes - done);
            if (own == call.root()) {
                rounds.put(call.input(), done, rounds.slot(), length);
            }
            rounds.meet(call);
            if (own != call.root()) {
                rounds.take(rounds.slotOf(call.root()), call.output(), done, length);
            }
            rounds.end();
        }
    }

    private void gather(GroupCall call, boolean takes) {
        int size = call.type().bytes();
        long mine = call.pieceCount(own) * size;
        if (takes && mine > 0) {
            MemorySegment.copy(call.input(), 0, call.output(), call.offset(own) * size, mine);
        }
        long longest = longestPiece(call) * size;
        for (long done = 0; done == 0 || done < longest; done += rounds.slotBytes()) {
            rounds.put(call.input(), Math.min(done, mine), rounds.slot(), clip(mine, done, rounds.slotBytes()));
            rounds.meet(call);
            for (int rank = 0; takes && rank < ranks; rank++) {
                if (rank != own) {
                    long length = clip(call.pieceCount(rank) * size, done, rounds.slotBytes());
                    rounds.take(
                            rounds.slotOf(rank),
                            call.output(),
                            call.offset(rank) * size + Math.min(done, call.pieceCount(rank) * size),
                            length);
                }
            }
            rounds.end();
        }
    }

    /// Returns the part of `bytes` that lies in the window of that width that begins at `from`.
    private static long clip(long bytes, long from, long width) {
        return Math.clamp(bytes - from, 0, width);
    }

    private long longestPiece(GroupCall call) {
        long longest = 0;
        for (int rank = 0; rank < ranks; rank++) {
            longest = Math.max(longest, call.pieceCount(rank));
        }
        return longest;
    }

    /// Returns the number of bytes of a slot belong to each rank where pieces for all lie in it.
    private long shareBytes(DType type) {
        return (long) rounds.slotBytes() / ranks / type.bytes() * type.bytes();
    }

    private void scatter(GroupCall call) {
        int size = call.type().bytes();
        long share = shareBytes(call.type());
        long longest = longestPiece(call) * size;
        for (long done = 0; done == 0 || done < longest; done += share) {
            if (own == call.root()) {
                for (int rank = 0; rank < ranks; rank++) {
                    putShare(call, rank, done, share);
                }
            }
            rounds.meet(call);
            long length = clip(call.pieceCount(own) * size, done, share);
            rounds.take(
                    rounds.slotOf(call.root()) + own * share,
                    call.output(),
                    Math.min(done, call.output().byteSize()),
                    length);
            rounds.end();
        }
    }

    /// Puts what belongs to the others.
    private void putShares(GroupCall call, long done, long share) {
        for (int rank = 0; rank < ranks; rank++) {
            if (rank != own) {
                putShare(call, rank, done, share);
            }
        }
    }

    private void putShare(GroupCall call, int rank, long done, long share) {
        int size = call.type().bytes();
        long length = clip(call.pieceCount(rank) * size, done, share);
        if (length > 0) {
            rounds.put(call.input(), call.offset(rank) * size + done, rounds.slot() + rank * share, length);
        }
    }

    private void reduceScatter(GroupCall call) {
        int size = call.type().bytes();
        long share = shareBytes(call.type());
        long longest = longestPiece(call) * size;
        for (long done = 0; done == 0 || done < longest; done += share) {
            putShares(call, done, share);
            rounds.meet(call);
            long length = clip(call.pieceCount(own) * size, done, share);
            if (length > 0) {
                long mine = call.offset(own) * size + done;
                reducer.reduceSlots(call, own * share, call.input(), mine, call.output(), done, length / size);
            }
            rounds.end();
        }
    }

    private void allToAll(GroupCall call) {
        int size = call.type().bytes();
        long share = shareBytes(call.type());
        long longest = call.isUneven() ? agreeOnColumns(call) : call.count() * size;
        if (!call.input().equals(call.output())) {
            MemorySegment.copy(
                    call.input(),
                    call.offset(own) * size,
                    call.output(),
                    call.receiveOffset(own) * size,
                    call.pieceCount(own) * size);
        }
        for (long done = 0; done == 0 || done < longest; done += share) {
            putShares(call, done, share);
            rounds.meet(call);
            for (int rank = 0; rank < ranks; rank++) {
                long length = clip(call.receiveCount(rank) * size, done, share);
                if (rank != own && length > 0) {
                    rounds.take(
                            rounds.slotOf(rank) + own * share,
                            call.output(),
                            call.receiveOffset(rank) * size + done,
                            length);
                }
            }
            rounds.end();
        }
    }

    /// Members know only what they send and await themselves: shows the counts to all, checks that each gets what it
    /// awaits, and returns how many bytes the longest message of all has.
    private long agreeOnColumns(GroupCall call) {
        for (int rank = 0; rank < ranks; rank++) {
            rounds.put(call.pieceCount(rank), rounds.slot() + 8L * rank);
        }
        rounds.meet(call);
        long longest = 0;
        for (int rank = 0; rank < ranks; rank++) {
            for (int column = 0; column < ranks; column++) {
                long count = rounds.take(rounds.slotOf(rank) + 8L * column);
                longest = Math.max(longest, count);
                if (column == own && count != call.receiveCount(rank)) {
                    throw wait.disagreement(
                            call,
                            rank,
                            "it with " + count + " elements for a rank that expects " + call.receiveCount(rank));
                }
            }
        }
        rounds.end();
        return longest * call.type().bytes();
    }
}
