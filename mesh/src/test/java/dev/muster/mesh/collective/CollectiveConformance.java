// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.collective;

import dev.muster.mesh.collective.ProcessGroup.Message;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;

/// Every operation with every type, operator and awkward count, against the scalar reference. Each rank runs it
/// with the same seed and so knows what the others give.
public final class CollectiveConformance {
    private final ProcessGroup group;
    private final long seed;
    private final int largest;
    private final boolean exact;
    private final int ranks;
    private final int rank;
    private long drawn;
    private long cases;

    private CollectiveConformance(ProcessGroup group, long seed, int largest, boolean exact) {
        this.group = group;
        this.seed = seed;
        this.largest = largest;
        this.exact = exact;
        this.ranks = group.size();
        this.rank = group.rank();
    }

    /// Runs all cases, which must agree bit for bit, and returns how many there were.
    public static long run(ProcessGroup group, long seed, int largest) {
        return run(group, seed, largest, true);
    }

    /// Runs all cases and returns how many there were.
    ///
    /// @param exact true if sums and products of floats are taken in the order of ranks; if not, they may
    ///     differ by as much as another order can, but must be the same on all ranks
    public static long run(ProcessGroup group, long seed, int largest, boolean exact) {
        CollectiveConformance conformance = new CollectiveConformance(group, seed, largest, exact);
        conformance.all();
        return conformance.cases;
    }

    private void all() {
        int[] counts = {0, 1, ranks - 1, ranks, ranks + 1, largest};
        group.barrier();
        for (int count : counts) {
            for (DType type : DType.values()) {
                moving(type, count);
                for (ReduceOp op : ReduceOp.values()) {
                    if (op.accepts(type)) {
                        reducing(type, op, count);
                    }
                }
            }
            messages(count);
        }
        group.barrier();
    }

    private MemorySegment[] inputs(DType type, int count) {
        drawn++;
        MemorySegment[] inputs = new MemorySegment[ranks];
        for (int peer = 0; peer < ranks; peer++) {
            inputs[peer] = ScalarReference.draw(type, count, new Random(seed * 1_000_003 + drawn * 101 + peer));
        }
        return inputs;
    }

    private static MemorySegment outside(Arena arena, MemorySegment source) {
        MemorySegment copy = arena.allocate(Math.max(1, source.byteSize()), 64).asSlice(0, source.byteSize());
        return copy.copyFrom(source);
    }

    private static MemorySegment room(Arena arena, DType type, long count) {
        return arena.allocate(Math.max(1, count * type.bytes()), 64)
                .asSlice(0, count * type.bytes())
                .fill((byte) 0x5a);
    }

    private void reducing(DType type, ReduceOp op, int count) {
        int root = (int) (drawn % ranks);
        MemorySegment[] inputs = inputs(type, count);
        long[] expected = new long[count];
        for (int i = 0; i < count; i++) {
            expected[i] = ScalarReference.reduce(type, op, inputs, i);
        }
        double[] slack = slack(type, op, inputs, count);
        try (Arena arena = Arena.ofConfined()) {
            String what = " of " + count + " " + type.text() + ", " + op.text();
            MemorySegment input = outside(arena, inputs[rank]);
            MemorySegment output = room(arena, type, count);
            group.allReduce(input, output, type, op);
            check("all-reduce" + what, type, output, expected, slack, 0);
            same("all-reduce" + what, arena, output);
            unchanged("all-reduce" + what, input, inputs[rank]);
            MemorySegment inPlace = outside(arena, inputs[rank]);
            group.allReduce(inPlace, type, op);
            check("all-reduce in place" + what, type, inPlace, expected, slack, 0);
            MemorySegment reduced = rank == root ? room(arena, type, count) : MemorySegment.NULL;
            group.reduce(input, reduced, type, op, root);
            if (rank == root) {
                check("reduce" + what, type, reduced, expected, slack, 0);
            }
            long[] counts = uneven(count);
            MemorySegment piece = room(arena, type, counts[rank]);
            group.reduceScatterUneven(input, piece, counts, type, op);
            check("uneven reduce-scatter" + what, type, piece, expected, slack, before(counts, rank));
            unchanged("uneven reduce-scatter" + what, input, inputs[rank]);
            int even = count / ranks;
            MemorySegment evenInput = input.asSlice(0, (long) even * ranks * type.bytes());
            MemorySegment evenPiece = room(arena, type, even);
            group.reduceScatter(evenInput, evenPiece, type, op);
            check("reduce-scatter" + what, type, evenPiece, expected, slack, (long) even * rank);
        }
        cases += 5;
    }

    private void moving(DType type, int count) {
        int root = (int) (drawn % ranks);
        long[] counts = uneven(count);
        MemorySegment[] inputs = inputs(type, count);
        try (Arena arena = Arena.ofConfined()) {
            String what = " of " + count + " " + type.text();
            MemorySegment input = outside(arena, inputs[rank]);
            MemorySegment buffer = rank == root ? outside(arena, inputs[root]) : room(arena, type, count);
            group.broadcast(buffer, type, root);
            unchanged("broadcast" + what, buffer, inputs[root]);

            MemorySegment all = room(arena, type, (long) count * ranks);
            group.allGather(input, all, type);
            rows("all-gather" + what, type, all, inputs, count);

            MemorySegment gathered = rank == root ? room(arena, type, (long) count * ranks) : MemorySegment.NULL;
            group.gather(input, gathered, type, root);
            if (rank == root) {
                rows("gather" + what, type, gathered, inputs, count);
            }

            MemorySegment mine = input.asSlice(before(counts, rank) * type.bytes(), counts[rank] * type.bytes());
            MemorySegment joined = room(arena, type, count);
            group.allGatherUneven(mine, joined, counts, type);
            joined("uneven all-gather" + what, type, joined, inputs, counts);
            MemorySegment joinedAtRoot = rank == root ? room(arena, type, count) : MemorySegment.NULL;
            group.gatherUneven(mine, joinedAtRoot, counts, type, root);
            if (rank == root) {
                joined("uneven gather" + what, type, joinedAtRoot, inputs, counts);
            }

            MemorySegment scattered = room(arena, type, counts[rank]);
            group.scatterUneven(rank == root ? input : MemorySegment.NULL, scattered, counts, type, root);
            unchanged(
                    "uneven scatter" + what, scattered, slice(inputs[root], type, before(counts, rank), counts[rank]));
            int even = count / ranks;
            MemorySegment evenInput = input.asSlice(0, (long) even * ranks * type.bytes());
            MemorySegment evenPiece = room(arena, type, even);
            group.scatter(rank == root ? evenInput : MemorySegment.NULL, evenPiece, type, root);
            unchanged("scatter" + what, evenPiece, slice(inputs[root], type, (long) even * rank, even));

            MemorySegment exchanged = room(arena, type, (long) even * ranks);
            group.allToAll(evenInput, exchanged, type);
            for (int peer = 0; peer < ranks; peer++) {
                unchanged(
                        "all-to-all" + what,
                        slice(exchanged, type, (long) even * peer, even),
                        slice(inputs[peer], type, (long) even * rank, even));
            }
            unevenAllToAll(arena, type, count, inputs);
        }
        cases += 9;
    }

    /// Rank a sends (a + 2b) mod (count + 1) elements to rank b, from wherever they lie.
    private void unevenAllToAll(Arena arena, DType type, int count, MemorySegment[] inputs) {
        long[] send = new long[ranks];
        long[] receive = new long[ranks];
        long total = 0;
        long sent = 0;
        for (int peer = 0; peer < ranks; peer++) {
            send[peer] = (rank + 2L * peer) % (count / ranks + 1);
            receive[peer] = (peer + 2L * rank) % (count / ranks + 1);
            total += receive[peer];
            sent += send[peer];
        }
        MemorySegment input = outside(arena, slice(inputs[rank], type, 0, sent));
        MemorySegment output = room(arena, type, total);
        group.allToAllUneven(input, send, output, receive, type);
        for (int peer = 0; peer < ranks; peer++) {
            long start = 0;
            for (int column = 0; column < rank; column++) {
                start += (peer + 2L * column) % (count / ranks + 1);
            }
            unchanged(
                    "uneven all-to-all of " + count + " " + type.text(),
                    slice(output, type, before(receive, peer), receive[peer]),
                    slice(inputs[peer], type, start, receive[peer]));
        }
    }

    private void messages(int count) {
        MemorySegment[] inputs = inputs(DType.UINT8, count);
        int next = (rank + 1) % ranks;
        int previous = (rank + ranks - 1) % ranks;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment input = outside(arena, inputs[rank]);
            MemorySegment ring = room(arena, DType.UINT8, count);
            group.sendReceive(input, next, ring, previous);
            unchanged("send-receive of " + count, ring, inputs[previous]);
            MemorySegment[] twice = {room(arena, DType.UINT8, count), room(arena, DType.UINT8, 3)};
            MemorySegment three = outside(arena, MemorySegment.ofArray(new byte[] {1, 2, (byte) rank}));
            group.exchange(List.of(
                    Message.receive(twice[0], next),
                    Message.receive(twice[1], next),
                    Message.send(input, previous),
                    Message.send(three, previous)));
            unchanged("exchange of " + count, twice[0], inputs[next]);
            unchanged("exchange of 3", twice[1], MemorySegment.ofArray(new byte[] {1, 2, (byte) next}));
            if (ranks > 1 && rank == 0) {
                group.send(input, ranks - 1);
            } else if (ranks > 1 && rank == ranks - 1) {
                MemorySegment received = room(arena, DType.UINT8, count);
                group.receive(received, 0);
                unchanged("receive of " + count, received, inputs[0]);
            }
            if (ranks > 2 && (rank > 0 && rank < ranks - 1)) {
                group.exchange(List.of());
            }
        }
        cases += 3;
    }

    private long[] uneven(int count) {
        long[] counts = new long[ranks];
        long left = count;
        for (int peer = 0; peer < ranks - 1; peer++) {
            counts[peer] = Math.min(left, (peer * 7L + count) % (2L * count / ranks + 1));
            left -= counts[peer];
        }
        counts[ranks - 1] = left;
        return counts;
    }

    private static long before(long[] counts, int rank) {
        long sum = 0;
        for (int peer = 0; peer < rank; peer++) {
            sum += counts[peer];
        }
        return sum;
    }

    private static MemorySegment slice(MemorySegment buffer, DType type, long from, long count) {
        return buffer.asSlice(from * type.bytes(), count * type.bytes());
    }

    private void rows(String what, DType type, MemorySegment all, MemorySegment[] inputs, int count) {
        for (int peer = 0; peer < ranks; peer++) {
            unchanged(what, slice(all, type, (long) count * peer, count), inputs[peer]);
        }
    }

    private void joined(String what, DType type, MemorySegment all, MemorySegment[] inputs, long[] counts) {
        for (int peer = 0; peer < ranks; peer++) {
            long start = before(counts, peer);
            unchanged(what, slice(all, type, start, counts[peer]), slice(inputs[peer], type, start, counts[peer]));
        }
    }

    private void unchanged(String what, MemorySegment actual, MemorySegment expected) {
        long at = actual.byteSize() == expected.byteSize() ? actual.mismatch(expected) : 0;
        if (at >= 0) {
            throw new AssertionError(what + ": rank " + rank + " of " + ranks + " differs at byte " + at);
        }
    }

    /// Returns the distance allowed to the reference: by as much as another order of the ranks can change an element.
    private double[] slack(DType type, ReduceOp op, MemorySegment[] inputs, int count) {
        double[] slack = new double[count];
        boolean ordered = op == ReduceOp.SUM || op == ReduceOp.PRODUCT || op == ReduceOp.AVERAGE;
        if (exact || !ordered || (type != DType.FLOAT32 && type != DType.FLOAT64)) {
            return slack;
        }
        double unit = type == DType.FLOAT32 ? Math.ulp(1f) : Math.ulp(1d);
        for (int i = 0; i < count; i++) {
            double size = op == ReduceOp.PRODUCT ? 1 : 0;
            for (MemorySegment input : inputs) {
                double value = Math.abs(ScalarReference.value(type, ScalarReference.bits(type, input, i)));
                size = op == ReduceOp.PRODUCT ? size * value : size + value;
            }
            slack[i] = unit * size * (op == ReduceOp.AVERAGE ? 2 : ranks);
        }
        return slack;
    }

    /// All ranks must have got the same bits.
    private void same(String what, Arena arena, MemorySegment result) {
        if (exact) {
            return;
        }
        MemorySegment all = room(arena, DType.UINT8, result.byteSize() * ranks);
        group.allGather(result, all, DType.UINT8);
        for (int peer = 0; peer < ranks; peer++) {
            MemorySegment theirs = all.asSlice(result.byteSize() * peer, result.byteSize());
            unchanged(what + ", as rank " + peer + " has it", theirs, result);
        }
    }

    private void check(String what, DType type, MemorySegment actual, long[] expected, double[] slack, long from) {
        for (long i = 0; i < actual.byteSize() / type.bytes(); i++) {
            long bits = ScalarReference.bits(type, actual, i);
            int at = (int) (from + i);
            double away = slack[at] > 0
                    ? Math.abs(ScalarReference.value(type, bits) - ScalarReference.value(type, expected[at]))
                    : Double.NaN;
            if (bits != expected[at] && !(away <= slack[at])) {
                throw new AssertionError(what + ": rank " + rank + " of " + ranks + ", element " + i + " is "
                        + Long.toHexString(bits) + ", not " + Long.toHexString(expected[(int) (from + i)]));
            }
        }
    }
}
