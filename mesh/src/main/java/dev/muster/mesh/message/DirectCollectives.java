// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.message;

import dev.muster.mesh.collective.GroupCall;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.engine.Reducer;
import dev.muster.mesh.engine.Scratch;
import java.lang.foreign.MemorySegment;

/// Collectives in which every member talks to every other. As much data moves as in a ring, in one step instead
/// of many, and all elements of a place come together at one member, which reduces them in the order of ranks.
/// For few members, and wherever the order or the width of partial sums matters.
final class DirectCollectives {
    /// Up to here every member gets everything and reduces it itself; beyond, each reduces a piece.
    private static final long AT_ONCE_BYTES = 16 << 10;
    /// The number of bytes under way at once: each chunk costs a wait for the slowest.
    private static final long CHUNK_BYTES = 4 << 20;

    private final MessageTransport mover;
    private final Reducer reducer;
    private final Scratch scratch;
    private final MemorySegment[] sources;
    private final long[] offsets;
    private final int ranks;
    private final int own;

    DirectCollectives(GroupIdentity group, MessageTransport mover, Reducer reducer, Scratch scratch) {
        this.mover = mover;
        this.reducer = reducer;
        this.scratch = scratch;
        this.ranks = group.size();
        this.own = group.rank();
        this.sources = new MemorySegment[ranks];
        this.offsets = new long[ranks];
    }

    void allReduce(GroupCall call) {
        int size = call.type().bytes();
        if (call.count() * size <= AT_ONCE_BYTES) {
            allReduceAtOnce(call, call.count() * size);
            return;
        }
        long chunk = Math.max(ranks, CHUNK_BYTES / size);
        long chunks = (call.count() + chunk - 1) / chunk;
        for (long index = 0; index <= chunks; index++) {
            if (index > 0) {
                shareResults(call, (index - 1) * chunk, chunk);
            }
            if (index < chunks) {
                sharePieces(call, index * chunk, chunk);
            }
            mover.move(call);
            if (index < chunks) {
                reducePiece(call, index * chunk, chunk);
            }
        }
    }

    private void allReduceAtOnce(GroupCall call, long bytes) {
        MemorySegment theirs = scratch.ofBytes(bytes * ranks);
        for (int peer = 0; peer < ranks; peer++) {
            if (peer != own) {
                mover.send(peer, call.input(), 0, bytes);
                mover.receive(peer, theirs, bytes * peer, bytes);
            }
        }
        mover.move(call);
        reduce(call, theirs, bytes, call.input(), 0, call.output(), 0, call.count());
    }

    /// Reduces what came from the others, which lies in rows of so many bytes, and what this member has.
    private void reduce(
            GroupCall call,
            MemorySegment rows,
            long row,
            MemorySegment mine,
            long at,
            MemorySegment to,
            long toAt,
            long count) {
        for (int rank = 0; rank < ranks; rank++) {
            sources[rank] = rows;
            offsets[rank] = row * rank;
        }
        sources[own] = mine;
        offsets[own] = at;
        reducer.reduceAlike(call.type(), call.reduceOp(), sources, offsets, ranks, to, toAt, count);
        sources[own] = rows;
    }

    private static long piece(long count, int rank, int ranks) {
        return count * rank / ranks;
    }

    private long length(long count, int rank) {
        return piece(count, rank + 1, ranks) - piece(count, rank, ranks);
    }

    private void sharePieces(GroupCall call, long from, long chunk) {
        int size = call.type().bytes();
        long count = Math.min(chunk, call.count() - from);
        long row = length(count, own) * size;
        MemorySegment theirs = scratch.ofBytes((chunk / ranks + 1) * size * ranks);
        for (int peer = 0; peer < ranks; peer++) {
            if (peer != own) {
                long start = from + piece(count, peer, ranks);
                mover.send(peer, call.input(), start * size, length(count, peer) * size);
                mover.receive(peer, theirs, row * peer, row);
            }
        }
    }

    private void reducePiece(GroupCall call, long from, long chunk) {
        int size = call.type().bytes();
        long count = Math.min(chunk, call.count() - from);
        long at = (from + piece(count, own, ranks)) * size;
        long length = length(count, own);
        MemorySegment theirs = scratch.ofBytes((chunk / ranks + 1) * size * ranks);
        reduce(call, theirs, length * size, call.input(), at, call.output(), at, length);
    }

    private void shareResults(GroupCall call, long from, long chunk) {
        int size = call.type().bytes();
        long count = Math.min(chunk, call.count() - from);
        for (int peer = 0; peer < ranks; peer++) {
            if (peer != own) {
                mover.send(peer, call.output(), (from + piece(count, own, ranks)) * size, length(count, own) * size);
                mover.receive(
                        peer, call.output(), (from + piece(count, peer, ranks)) * size, length(count, peer) * size);
            }
        }
    }

    void reduce(GroupCall call) {
        int size = call.type().bytes();
        long chunk = Math.max(1, CHUNK_BYTES / size / ranks);
        for (long from = 0; from == 0 || from < call.count(); from += chunk) {
            long count = Math.min(chunk, call.count() - from);
            if (own == call.root()) {
                MemorySegment theirs = scratch.ofBytes(count * size * ranks);
                for (int peer = 0; peer < ranks; peer++) {
                    if (peer != own) {
                        mover.receive(peer, theirs, count * size * peer, count * size);
                    }
                }
                mover.move(call);
                reduce(call, theirs, count * size, call.input(), from * size, call.output(), from * size, count);
            } else {
                mover.send(call.root(), call.input(), from * size, count * size);
                mover.move(call);
            }
        }
    }

    void reduceScatter(GroupCall call) {
        int size = call.type().bytes();
        long chunk = Math.max(1, CHUNK_BYTES / size / ranks);
        long longest = 0;
        for (int rank = 0; rank < ranks; rank++) {
            longest = Math.max(longest, call.pieceCount(rank));
        }
        for (long from = 0; from == 0 || from < longest; from += chunk) {
            long mine = Math.clamp(call.pieceCount(own) - from, 0, chunk);
            MemorySegment theirs = scratch.ofBytes(mine * size * ranks);
            for (int peer = 0; peer < ranks; peer++) {
                if (peer != own) {
                    long count = Math.clamp(call.pieceCount(peer) - from, 0, chunk);
                    mover.send(
                            peer,
                            call.input(),
                            (call.offset(peer) + Math.min(from, call.pieceCount(peer))) * size,
                            count * size);
                    mover.receive(peer, theirs, mine * size * peer, mine * size);
                }
            }
            mover.move(call);
            if (mine > 0) {
                long at = (call.offset(own) + from) * size;
                reduce(call, theirs, mine * size, call.input(), at, call.output(), from * size, mine);
            }
        }
    }

    /// Gives all members, or the root alone, what each has.
    void gather(GroupCall call, boolean toAll) {
        int size = call.type().bytes();
        boolean takes = toAll || own == call.root();
        if (takes) {
            MemorySegment.copy(call.input(), 0, call.output(), call.offset(own) * size, call.pieceCount(own) * size);
        }
        for (int peer = 0; peer < ranks; peer++) {
            if (peer != own && (toAll || peer == call.root())) {
                mover.send(peer, call.input(), 0, call.pieceCount(own) * size);
            }
            if (peer != own && takes) {
                mover.receive(peer, call.output(), call.offset(peer) * size, call.pieceCount(peer) * size);
            }
        }
        mover.move(call);
    }

    void scatter(GroupCall call) {
        int size = call.type().bytes();
        if (own != call.root()) {
            mover.receive(call.root(), call.output(), 0, call.pieceCount(own) * size);
        } else {
            MemorySegment.copy(call.input(), call.offset(own) * size, call.output(), 0, call.pieceCount(own) * size);
            for (int peer = 0; peer < ranks; peer++) {
                if (peer != own) {
                    mover.send(peer, call.input(), call.offset(peer) * size, call.pieceCount(peer) * size);
                }
            }
        }
        mover.move(call);
    }

    void allToAll(GroupCall call) {
        int size = call.type().bytes();
        boolean inPlace = call.input().equals(call.output());
        MemorySegment input = inPlace ? copyOfInput(call) : call.input();
        MemorySegment.copy(
                input,
                call.offset(own) * size,
                call.output(),
                call.receiveOffset(own) * size,
                call.pieceCount(own) * size);
        for (int peer = 0; peer < ranks; peer++) {
            if (peer != own) {
                mover.send(peer, input, call.offset(peer) * size, call.pieceCount(peer) * size);
                mover.receive(peer, call.output(), call.receiveOffset(peer) * size, call.receiveCount(peer) * size);
            }
        }
        mover.move(call);
    }

    private MemorySegment copyOfInput(GroupCall call) {
        MemorySegment copy = scratch.ofBytes(call.input().byteSize());
        MemorySegment.copy(call.input(), 0, copy, 0, call.input().byteSize());
        return copy;
    }
}
