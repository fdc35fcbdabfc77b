// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.shm;

import dev.muster.mesh.collective.GroupCall;

/// All-reduce in a shared region: few bytes travel beside the number of the round, some are reduced by every member
/// itself, many in pieces of which each member reduces one.
final class SharedAllReduce {
    /// As long as all members together reduce no more than this, each reduces everything, which takes one round.
    private static final int AT_ONCE_BYTES = 32 << 10;

    private final Rounds rounds;
    private final SlotReducer reducer;
    private final int ranks;
    private final int own;
    private final int atOnceBytes;

    SharedAllReduce(Rounds rounds, SlotReducer reducer) {
        this.rounds = rounds;
        this.reducer = reducer;
        this.ranks = rounds.ranks();
        this.own = rounds.own();
        this.atOnceBytes = Math.min(rounds.slotBytes(), AT_ONCE_BYTES) / ranks;
    }

    void execute(GroupCall call) {
        long bytes = call.count() * call.type().bytes();
        if (ranks == 1) {
            reducer.reduceSlots(call, 0, call.input(), 0, call.output(), 0, call.count());
        } else if (bytes <= RegionLayout.INLINE_BYTES) {
            inline(call, bytes);
        } else if (bytes <= atOnceBytes) {
            atOnce(call, bytes);
        } else {
            inPieces(call);
        }
    }

    private void inline(GroupCall call, long bytes) {
        rounds.put(call.input(), 0, rounds.inlineOf(own), bytes);
        rounds.meet(call);
        reducer.reduceInline(call);
        rounds.end();
    }

    private void atOnce(GroupCall call, long bytes) {
        rounds.put(call.input(), 0, rounds.slot(), bytes);
        rounds.meet(call);
        reducer.reduceWholeSlots(call);
        rounds.end();
    }

    /// Each member reduces a piece of each chunk. One round moves the pieces of a chunk and the results of the chunk
    /// before, so that a chunk costs one round.
    private void inPieces(GroupCall call) {
        int size = call.type().bytes();
        long chunk = chunkElements(size);
        long rawBytes = chunk * size;
        long chunks = (call.count() + chunk - 1) / chunk;
        for (long index = 0; index <= chunks; index++) {
            if (index < chunks) {
                putPieces(call, index * chunk, Math.min(chunk, call.count() - index * chunk), size);
            }
            rounds.meet(call);
            if (index > 0) {
                long from = (index - 1) * chunk;
                takeResults(call, from, Math.min(chunk, call.count() - from), size, rawBytes);
            }
            if (index < chunks) {
                long from = index * chunk;
                reducePiece(call, from, Math.min(chunk, call.count() - from), size, rawBytes);
            }
            rounds.end();
        }
    }

    /// Returns the number of elements in a chunk, so that it and a piece of results fit into a slot.
    private long chunkElements(int size) {
        return Math.max(1, (rounds.slotBytes() - 64L * ranks) / size * ranks / (ranks + 1));
    }

    private long piece(long count, int rank) {
        return count * rank / ranks;
    }

    private void putPieces(GroupCall call, long from, long count, int size) {
        long before = piece(count, own);
        long after = piece(count, own + 1);
        rounds.put(call.input(), from * size, rounds.slot(), before * size);
        rounds.put(call.input(), (from + after) * size, rounds.slot() + after * size, (count - after) * size);
    }

    private void takeResults(GroupCall call, long from, long count, int size, long rawBytes) {
        for (int rank = 0; rank < ranks; rank++) {
            if (rank != own) {
                long start = piece(count, rank);
                long length = piece(count, rank + 1) - start;
                rounds.take(rounds.slotOf(rank) + rawBytes, call.output(), (from + start) * size, length * size);
            }
        }
    }

    /// Reduces this rank's piece into the output, and into the slot of the next round for the others.
    private void reducePiece(GroupCall call, long from, long count, int size, long rawBytes) {
        long start = piece(count, own);
        long length = piece(count, own + 1) - start;
        long at = (from + start) * size;
        reducer.reduceSlots(call, start * size, call.input(), at, call.output(), at, length);
        rounds.put(call.output(), at, rounds.nextSlot() + rawBytes, length * size);
    }
}
