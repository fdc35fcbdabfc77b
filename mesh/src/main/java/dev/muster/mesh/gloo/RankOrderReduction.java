package dev.muster.mesh.gloo;

import dev.muster.mesh.collective.Call;
import dev.muster.mesh.engine.Reducer;
import java.lang.foreign.MemorySegment;

/// Reductions that Gloo does not have, or does with other results: it only moves bytes, and the elements of all ranks
/// are reduced here in ascending order of ranks. Confined to one thread at a time.
final class RankOrderReduction {
    /// How much of an all-reduce is under way at once.
    private static final long CHUNK_BYTES = 4 << 20;

    private final Operations operations;
    private final Reducer reducer;
    private final MemorySegment[] sources;
    private final long[] offsets;
    private final int ranks;
    private final int own;

    RankOrderReduction(Operations operations, Reducer reducer) {
        this.operations = operations;
        this.reducer = reducer;
        this.ranks = operations.ranks();
        this.own = operations.own();
        this.sources = new MemorySegment[ranks];
        this.offsets = new long[ranks];
    }

    /// Each member reduces a piece and gives it to all.
    void allReduce(Call call) {
        int size = call.type().bytes();
        long chunk = Math.max(ranks, CHUNK_BYTES / size);
        for (long from = 0; from < call.count(); from += chunk) {
            long count = Math.min(chunk, call.count() - from);
            long mine = length(count, own);
            MemorySegment rows = operations.scratch(mine * size * ranks);
            for (int rank = 0; rank < ranks; rank++) {
                operations.piece(rank, length(count, rank) * size, mine * size);
            }
            operations.allToAll(call.input(), from * size, rows);
            reduce(call, rows, mine, call.output(), (from + start(count, own)) * size);
            for (int rank = 0; rank < ranks; rank++) {
                operations.piece(rank, 0, length(count, rank) * size);
            }
            operations.allGather(MemorySegment.NULL, call.output(), from * size);
        }
    }

    private long start(long count, int rank) {
        return count * rank / ranks;
    }

    private long length(long count, int rank) {
        return start(count, rank + 1) - start(count, rank);
    }

    private void reduce(Call call, MemorySegment rows, long count, MemorySegment target, long at) {
        for (int rank = 0; rank < ranks; rank++) {
            sources[rank] = rows;
            offsets[rank] = count * call.type().bytes() * rank;
        }
        reducer.reduce(call.type(), call.reduceOp(), sources, offsets, ranks, target, at, count);
    }

    void reduce(Call call) {
        int size = call.type().bytes();
        long chunk = Math.max(1, CHUNK_BYTES / size / ranks);
        boolean isRoot = own == call.root();
        for (long from = 0; from < call.count(); from += chunk) {
            long count = Math.min(chunk, call.count() - from);
            MemorySegment rows = isRoot ? operations.scratch(count * size * ranks) : MemorySegment.NULL;
            operations.gather(call.input(), from * size, rows, count * size, call.root());
            if (isRoot) {
                reduce(call, rows, count, call.output(), from * size);
            }
        }
    }

    /// Takes as much memory as the input: Gloo has no such operation as a function, and its pieces lie together.
    void reduceScatter(Call call) {
        int size = call.type().bytes();
        if (call.offset(ranks) == 0) {
            return;
        }
        long mine = call.pieceCount(own);
        MemorySegment rows = operations.scratch(mine * size * ranks);
        for (int rank = 0; rank < ranks; rank++) {
            operations.piece(rank, call.pieceCount(rank) * size, mine * size);
        }
        operations.allToAll(call.input(), 0, rows);
        reduce(call, rows, mine, call.output(), 0);
    }
}
