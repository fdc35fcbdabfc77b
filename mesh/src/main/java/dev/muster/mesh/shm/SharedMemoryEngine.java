package dev.muster.mesh.shm;

import dev.muster.mesh.collective.Call;
import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.Engine;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.collective.MeshException;
import dev.muster.mesh.collective.Reducer;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Collectives through a shared region, in rounds. In each round every member puts what it has into its slot, shows the
/// number of the round and what it calls, waits until all others show the same, and takes what it needs from their
/// slots.
///
/// Slots alternate between rounds: a member that shows round k + 1 has taken all it needs of round k, so that
/// whoever has seen all of round k + 1 may overwrite what round k left. What members call is compared in every
/// round, which costs nothing: it lies beside the number that is awaited. Reductions take ranks in ascending
/// order and are therefore the same on all members, bit for bit.
final class SharedMemoryEngine implements Engine {
    private final String name;
    private final SharedRegion region;
    private final RegionLayout layout;
    private final MemorySegment memory;
    private final RoundWait wait;
    private final MessageRings rings;
    private final Runnable onClose;
    private final Reducer reducer = new Reducer();
    private final MemorySegment[] sources;
    private final long[] sourceOffsets;
    private final int ranks;
    private final int own;
    private long round;
    private long what;
    private long howMuch;

    SharedMemoryEngine(
            String name,
            GroupIdentity group,
            SharedRegion region,
            Lifeline lifeline,
            int processors,
            Runnable onClose) {
        this.name = name;
        this.region = region;
        this.layout = region.layout();
        this.memory = region.memory();
        this.wait = new RoundWait(group, region, lifeline, processors);
        this.rings = new MessageRings(group, region, wait);
        this.onClose = onClose;
        this.ranks = group.size();
        this.own = group.rank();
        this.sources = new MemorySegment[ranks];
        this.sourceOffsets = new long[ranks];
        Arrays.fill(sources, memory);
        region.enter(own);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void execute(Call call) {
        wait.throwIfStopped();
        what = call.what();
        howMuch = call.howMuch();
        switch (call.operation()) {
            case BARRIER -> barrier(call);
            case ALL_REDUCE -> allReduce(call);
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
    public void abort(MeshException reason) {
        wait.stop(reason);
    }

    @Override
    public void close() {
        region.leave(own);
        onClose.run();
    }

    /// Where this rank's slot of the coming round lies.
    private long slot() {
        return layout.slot(own, (int) (round & 1));
    }

    private long slotOf(int rank) {
        return layout.slot(rank, (int) (round & 1));
    }

    /// Shows that this rank has come to the round, and waits until all others have.
    private void meet(Call call) {
        int parity = (int) (round & 1);
        long mark = round + 1;
        long line = layout.line(own, parity);
        region.plain(line + RegionLayout.WHAT, what);
        region.plain(line + RegionLayout.HOW_MUCH, howMuch);
        region.release(line + RegionLayout.ROUND, mark);
        for (int peer = 0; peer < ranks; peer++) {
            if (peer != own) {
                await(call, peer, layout.line(peer, parity), mark);
            }
        }
    }

    private void await(Call call, int peer, long line, long mark) {
        if (region.acquire(line + RegionLayout.ROUND) != mark) {
            wait.begin();
            do {
                wait.pass(call, peer);
            } while (region.acquire(line + RegionLayout.ROUND) != mark);
        }
        long theirs = region.plain(line + RegionLayout.WHAT);
        long theirSize = region.plain(line + RegionLayout.HOW_MUCH);
        if (theirs != what || theirSize != howMuch) {
            throw wait.disagreement(call, peer, Call.text(theirs, theirSize));
        }
    }

    private void barrier(Call call) {
        meet(call);
        round++;
    }

    private void put(MemorySegment from, long offset, long slotOffset, long bytes) {
        MemorySegment.copy(from, offset, memory, slotOffset, bytes);
    }

    private void take(long slotOffset, MemorySegment to, long offset, long bytes) {
        MemorySegment.copy(memory, slotOffset, to, offset, bytes);
    }

    private void allReduce(Call call) {
        long bytes = call.count() * call.type().bytes();
        if (ranks == 1) {
            reduceOwn(call);
        } else if (bytes <= RegionLayout.INLINE_BYTES) {
            allReduceInline(call, bytes);
        } else if (bytes <= oneShotBytes()) {
            allReduceAtOnce(call, bytes);
        } else {
            allReduceInPieces(call);
        }
    }

    /// Up to here every member reduces everything itself, which takes one round; beyond, each reduces a piece.
    private long oneShotBytes() {
        return Math.min(layout.slotBytes(), 32 << 10) / ranks;
    }

    private void reduceOwn(Call call) {
        sources[0] = call.input();
        sourceOffsets[0] = 0;
        reducer.reduce(call.type(), call.reduceOp(), sources, sourceOffsets, 1, call.output(), 0, call.count());
        sources[0] = memory;
    }

    private void allReduceInline(Call call, long bytes) {
        int parity = (int) (round & 1);
        put(call.input(), 0, layout.line(own, parity) + RegionLayout.INLINE, bytes);
        meet(call);
        for (int rank = 0; rank < ranks; rank++) {
            sourceOffsets[rank] = layout.line(rank, parity) + RegionLayout.INLINE;
        }
        reducer.reduce(call.type(), call.reduceOp(), sources, sourceOffsets, ranks, call.output(), 0, call.count());
        round++;
    }

    private void allReduceAtOnce(Call call, long bytes) {
        put(call.input(), 0, slot(), bytes);
        meet(call);
        reduceSlots(call, 0, call.input(), 0, call.output(), 0, call.count());
        round++;
    }

    /// Reduces what lies at the same offset in the slots of all others and in this rank's own buffer.
    private void reduceSlots(
            Call call, long slotShift, MemorySegment mine, long mineOffset, MemorySegment to, long offset, long count) {
        for (int rank = 0; rank < ranks; rank++) {
            sourceOffsets[rank] = slotOf(rank) + slotShift;
        }
        sources[own] = mine;
        sourceOffsets[own] = mineOffset;
        reducer.reduce(call.type(), call.reduceOp(), sources, sourceOffsets, ranks, to, offset, count);
        sources[own] = memory;
    }

    /// Each member reduces a piece of each chunk. One round moves the pieces of a chunk and the results of the chunk
    /// before, so that a chunk costs one round.
    private void allReduceInPieces(Call call) {
        int size = call.type().bytes();
        long chunk = chunkElements(size);
        long rawBytes = chunk * size;
        long chunks = (call.count() + chunk - 1) / chunk;
        for (long index = 0; index <= chunks; index++) {
            if (index < chunks) {
                putPieces(call, index * chunk, Math.min(chunk, call.count() - index * chunk), size);
            }
            meet(call);
            if (index > 0) {
                long from = (index - 1) * chunk;
                takeResults(call, from, Math.min(chunk, call.count() - from), size, rawBytes);
            }
            if (index < chunks) {
                long from = index * chunk;
                reducePiece(call, from, Math.min(chunk, call.count() - from), size, rawBytes);
            }
            round++;
        }
    }

    /// How many elements a chunk has, so that it and a piece of results fit into a slot.
    private long chunkElements(int size) {
        return Math.max(1, (layout.slotBytes() - 64L * ranks) / size * ranks / (ranks + 1));
    }

    private long piece(long count, int rank) {
        return count * rank / ranks;
    }

    private void putPieces(Call call, long from, long count, int size) {
        long before = piece(count, own);
        long after = piece(count, own + 1);
        put(call.input(), from * size, slot(), before * size);
        put(call.input(), (from + after) * size, slot() + after * size, (count - after) * size);
    }

    private void takeResults(Call call, long from, long count, int size, long rawBytes) {
        for (int rank = 0; rank < ranks; rank++) {
            if (rank != own) {
                long start = piece(count, rank);
                long length = piece(count, rank + 1) - start;
                take(slotOf(rank) + rawBytes, call.output(), (from + start) * size, length * size);
            }
        }
    }

    /// Reduces this rank's piece into the output, and into the slot of the next round for the others.
    private void reducePiece(Call call, long from, long count, int size, long rawBytes) {
        long start = piece(count, own);
        long length = piece(count, own + 1) - start;
        long at = (from + start) * size;
        reduceSlots(call, start * size, call.input(), at, call.output(), at, length);
        long next = layout.slot(own, (int) ((round + 1) & 1));
        put(call.output(), at, next + rawBytes, length * size);
    }

    private void reduce(Call call) {
        int size = call.type().bytes();
        long chunk = layout.slotBytes() / size;
        long done = 0;
        do {
            long count = Math.min(chunk, call.count() - done);
            if (own != call.root()) {
                put(call.input(), done * size, slot(), count * size);
            }
            meet(call);
            if (own == call.root()) {
                reduceSlots(call, 0, call.input(), done * size, call.output(), done * size, count);
            }
            round++;
            done += count;
        } while (done < call.count());
    }

    private void broadcast(Call call) {
        long bytes = call.count() * call.type().bytes();
        long done = 0;
        do {
            long length = Math.min(layout.slotBytes(), bytes - done);
            if (own == call.root()) {
                put(call.input(), done, slot(), length);
            }
            meet(call);
            if (own != call.root()) {
                take(slotOf(call.root()), call.output(), done, length);
            }
            round++;
            done += length;
        } while (done < bytes);
    }

    private void gather(Call call, boolean takes) {
        int size = call.type().bytes();
        long mine = call.pieceCount(own) * size;
        if (takes && mine > 0) {
            MemorySegment.copy(call.input(), 0, call.output(), call.offset(own) * size, mine);
        }
        long longest = longestPiece(call) * size;
        long done = 0;
        do {
            put(call.input(), Math.min(done, mine), slot(), clip(mine, done, layout.slotBytes()));
            meet(call);
            for (int rank = 0; takes && rank < ranks; rank++) {
                if (rank != own) {
                    long length = clip(call.pieceCount(rank) * size, done, layout.slotBytes());
                    take(
                            slotOf(rank),
                            call.output(),
                            call.offset(rank) * size + Math.min(done, call.pieceCount(rank) * size),
                            length);
                }
            }
            round++;
            done += layout.slotBytes();
        } while (done < longest);
    }

    /// How much of `bytes` lies in the window of that width that begins at `from`.
    private static long clip(long bytes, long from, long width) {
        return Math.clamp(bytes - from, 0, width);
    }

    private long longestPiece(Call call) {
        long longest = 0;
        for (int rank = 0; rank < ranks; rank++) {
            longest = Math.max(longest, call.pieceCount(rank));
        }
        return longest;
    }

    /// How many bytes of a slot belong to each rank where pieces for all lie in it.
    private long shareBytes(DType type) {
        return (long) layout.slotBytes() / ranks / type.bytes() * type.bytes();
    }

    private void scatter(Call call) {
        int size = call.type().bytes();
        long share = shareBytes(call.type());
        long longest = longestPiece(call) * size;
        long done = 0;
        do {
            if (own == call.root()) {
                for (int rank = 0; rank < ranks; rank++) {
                    putShare(call, rank, done, share);
                }
            }
            meet(call);
            long length = clip(call.pieceCount(own) * size, done, share);
            take(
                    slotOf(call.root()) + own * share,
                    call.output(),
                    Math.min(done, call.output().byteSize()),
                    length);
            round++;
            done += share;
        } while (done < longest);
    }

    private void putShare(Call call, int rank, long done, long share) {
        int size = call.type().bytes();
        long length = clip(call.pieceCount(rank) * size, done, share);
        if (length > 0) {
            put(call.input(), call.offset(rank) * size + done, slot() + rank * share, length);
        }
    }

    private void reduceScatter(Call call) {
        int size = call.type().bytes();
        long share = shareBytes(call.type());
        long longest = longestPiece(call) * size;
        long done = 0;
        do {
            for (int rank = 0; rank < ranks; rank++) {
                if (rank != own) {
                    putShare(call, rank, done, share);
                }
            }
            meet(call);
            long length = clip(call.pieceCount(own) * size, done, share);
            if (length > 0) {
                long mine = call.offset(own) * size + done;
                reduceSlots(call, own * share, call.input(), mine, call.output(), done, length / size);
            }
            round++;
            done += share;
        } while (done < longest);
    }

    private void allToAll(Call call) {
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
        long done = 0;
        do {
            for (int rank = 0; rank < ranks; rank++) {
                if (rank != own) {
                    putShare(call, rank, done, share);
                }
            }
            meet(call);
            for (int rank = 0; rank < ranks; rank++) {
                long length = clip(call.receiveCount(rank) * size, done, share);
                if (rank != own && length > 0) {
                    take(slotOf(rank) + own * share, call.output(), call.receiveOffset(rank) * size + done, length);
                }
            }
            round++;
            done += share;
        } while (done < longest);
    }

    /// Members know only what they send and await themselves: shows the counts to all, checks that each gets what it
    /// awaits, and returns how many bytes the longest message of all has.
    private long agreeOnColumns(Call call) {
        for (int rank = 0; rank < ranks; rank++) {
            region.plain(slot() + 8L * rank, call.pieceCount(rank));
        }
        meet(call);
        long longest = 0;
        for (int rank = 0; rank < ranks; rank++) {
            for (int column = 0; column < ranks; column++) {
                long count = region.plain(slotOf(rank) + 8L * column);
                longest = Math.max(longest, count);
                if (column == own && count != call.receiveCount(rank)) {
                    throw wait.disagreement(
                            call,
                            rank,
                            "it with " + count + " elements for a rank that awaits " + call.receiveCount(rank));
                }
            }
        }
        round++;
        return longest * call.type().bytes();
    }
}
