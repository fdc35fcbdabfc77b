// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.ops;

import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.ProcessGroup;
import dev.muster.mesh.collective.ReduceOp;
import dev.muster.mesh.ops.DistributedOps.Share;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/// Steps from one placement of an array to another, each along one dimension of the mesh. Placements that change are
/// first undone from the fastest dimension to the slowest, since faster ones split the pieces of slower ones, and then
/// made from the slowest to the fastest. Confined to the call that it belongs to.
final class Redistribution {
    private final List<ProcessGroup> axes;
    private final List<ArrayPlacement> target;
    private ShardLayout layout;
    private MemorySegment local;
    private final Arena arena;

    /// @param arena memory of what lies between the steps
    Redistribution(
            List<ProcessGroup> axes,
            ShardLayout layout,
            MemorySegment local,
            List<ArrayPlacement> target,
            Arena arena) {
        this.axes = axes;
        this.layout = layout;
        this.local = local;
        this.target = target;
        this.arena = arena;
    }

    /// Returns what this rank has in the end; the input itself if nothing changed.
    MemorySegment run() {
        for (int axis = 0; axis < axes.size(); axis++) {
            if (mustUndo(axis)) {
                change(axis, canGoStraight(axis) ? target.get(axis) : ArrayPlacement.replicate());
            }
        }
        for (int axis = axes.size() - 1; axis >= 0; axis--) {
            if (!layout.placements().get(axis).equals(target.get(axis))) {
                change(axis, target.get(axis));
            }
        }
        return local;
    }

    private boolean mustUndo(int axis) {
        ArrayPlacement now = layout.placements().get(axis);
        if (now.isReplicated()) {
            return false;
        }
        return !now.equals(target.get(axis))
                || (now.findDimension().isPresent()
                        && slowerChanges(axis, now.findDimension().getAsInt()));
    }

    /// Reports whether a slower dimension of the mesh begins or ends to split a dimension of the array.
    private boolean slowerChanges(int axis, int dimension) {
        for (int slower = axis + 1; slower < axes.size(); slower++) {
            if (layout.placements().get(slower).isShardOf(dimension)
                    != target.get(slower).isShardOf(dimension)) {
                return true;
            }
        }
        return false;
    }

    /// Reports whether the target can be made in one step: it splits a dimension that slower dimensions split as they
    /// will, and that no faster one splits.
    private boolean canGoStraight(int axis) {
        if (target.get(axis).findDimension().isEmpty()) {
            return false;
        }
        int dimension = target.get(axis).findDimension().getAsInt();
        boolean split = layout.placements().subList(0, axis).stream().anyMatch(faster -> faster.isShardOf(dimension));
        return !split && !layout.placements().get(axis).equals(target.get(axis)) && !slowerChanges(axis, dimension);
    }

    private void change(int axis, ArrayPlacement to) {
        ArrayPlacement from = layout.placements().get(axis);
        ShardLayout next = layout.with(axis, to);
        MemorySegment result = arena.allocate(next.localBytes(), 64);
        ProcessGroup group = axes.get(axis);
        DType type = layout.type();
        if (from.findReduction().isPresent()) {
            ReduceOp op = from.findReduction().get();
            if (to.findDimension().isPresent()) {
                reduceScatter(group, to.findDimension().getAsInt(), op, result);
            } else {
                group.allReduce(local, result, type, op);
            }
        } else if (from.findDimension().isPresent()) {
            int split = from.findDimension().getAsInt();
            if (to.findDimension().isPresent()) {
                exchange(group, layout.with(axis, ArrayPlacement.replicate()), split, to, result);
            } else {
                gather(group, next, split, result);
            }
        } else if (to.findDimension().isPresent()) {
            int dimension = to.findDimension().getAsInt();
            Share own = Share.of(along(dimension).length(), group.size(), group.rank());
            along(dimension).take(local, own.from(), result, 0, own.count());
        } else {
            fillPartial(group, to.findReduction().orElseThrow(), result);
        }
        layout = next;
        local = result;
    }

    /// What this rank has, seen along a dimension.
    private Blocks along(int dimension) {
        return Blocks.of(layout.localShape(), dimension, layout.type().bytes());
    }

    private long[] counts(Blocks of, long length, int ranks) {
        long[] counts = new long[ranks];
        for (int i = 0; i < ranks; i++) {
            counts[i] = of.withLength(Share.of(length, ranks, i).count()).bytes()
                    / layout.type().bytes();
        }
        return counts;
    }

    private void gather(ProcessGroup group, ShardLayout whole, int dimension, MemorySegment result) {
        Blocks blocks = Blocks.of(whole.localShape(), dimension, layout.type().bytes());
        MemorySegment pieces = blocks.rows() == 1 ? result : arena.allocate(result.byteSize(), 64);
        long[] counts = counts(blocks, blocks.length(), group.size());
        group.allGatherUneven(local, pieces, counts, layout.type());
        if (blocks.rows() != 1) {
            putAll(blocks, pieces, group.size(), result);
        }
    }

    private static void putAll(Blocks blocks, MemorySegment pieces, int ranks, MemorySegment result) {
        long offset = 0;
        for (int i = 0; i < ranks; i++) {
            Share part = Share.of(blocks.length(), ranks, i);
            blocks.put(result, part.from(), pieces, offset, part.count());
            offset += blocks.withLength(part.count()).bytes();
        }
    }

    /// The pieces of this rank's array along a dimension, one behind the other.
    private MemorySegment pieces(Blocks blocks, int ranks) {
        if (blocks.rows() == 1) {
            return local;
        }
        MemorySegment pieces = arena.allocate(local.byteSize(), 64);
        long offset = 0;
        for (int i = 0; i < ranks; i++) {
            Share part = Share.of(blocks.length(), ranks, i);
            blocks.take(local, part.from(), pieces, offset, part.count());
            offset += blocks.withLength(part.count()).bytes();
        }
        return pieces;
    }

    private void reduceScatter(ProcessGroup group, int dimension, ReduceOp op, MemorySegment result) {
        Blocks blocks = along(dimension);
        long[] counts = counts(blocks, blocks.length(), group.size());
        group.reduceScatterUneven(pieces(blocks, group.size()), result, counts, layout.type(), op);
    }

    private void exchange(ProcessGroup group, ShardLayout whole, int split, ArrayPlacement to, MemorySegment result) {
        int dimension = to.findDimension().orElseThrow();
        Blocks sent = along(dimension);
        long[] sendCounts = counts(sent, sent.length(), group.size());
        long[] resultShape = whole.localShape();
        resultShape[dimension] =
                Share.of(resultShape[dimension], group.size(), group.rank()).count();
        Blocks received = Blocks.of(resultShape, split, layout.type().bytes());
        long[] receiveCounts = counts(received, received.length(), group.size());
        MemorySegment arrived = arena.allocate(result.byteSize(), 64);
        // In and out are different segments, also where this rank's own has no rows to be rearranged.
        group.allToAllUneven(pieces(sent, group.size()), sendCounts, arrived, receiveCounts, layout.type());
        putAll(received, arrived, group.size(), result);
    }

    /// The first rank keeps the values and the others get what changes nothing; of the least, the greatest and the
    /// average all keep them.
    private void fillPartial(ProcessGroup group, ReduceOp op, MemorySegment result) {
        boolean keeps = group.rank() == 0 || !(op.equals(ReduceOp.SUM) || op.equals(ReduceOp.PRODUCT));
        if (keeps) {
            result.copyFrom(local);
            return;
        }
        DType type = layout.type();
        long pattern = op.equals(ReduceOp.SUM) ? negativeZero(type) : one(type);
        long elements = layout.localElements();
        for (long i = 0; i < elements; i++) {
            switch (type.bytes()) {
                case 1 -> result.setAtIndex(ValueLayout.JAVA_BYTE, i, (byte) pattern);
                case 2 -> result.setAtIndex(ValueLayout.JAVA_SHORT, i, (short) pattern);
                case 4 -> result.setAtIndex(ValueLayout.JAVA_INT, i, (int) pattern);
                default -> result.setAtIndex(ValueLayout.JAVA_LONG, i, pattern);
            }
        }
    }

    /// What a sum leaves as it is; a positive zero would change the sign of a negative one.
    private static long negativeZero(DType type) {
        return switch (type) {
            case FLOAT16, BFLOAT16 -> 0x8000;
            case FLOAT32 -> Float.floatToRawIntBits(-0.0f);
            case FLOAT64 -> Double.doubleToRawLongBits(-0.0);
            default -> 0;
        };
    }

    private static long one(DType type) {
        return switch (type) {
            case FLOAT16 -> 0x3C00;
            case BFLOAT16 -> 0x3F80;
            case FLOAT32 -> Float.floatToRawIntBits(1);
            case FLOAT64 -> Double.doubleToRawLongBits(1);
            default -> 1;
        };
    }
}
