// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.engine;

import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.ReduceOp;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.Map;

/// Reduces the elements of several ranks to one result, in the order of the ranks. Confined to one thread at a time;
/// allocates only when a type is seen for the first time.
public final class Reducer {
    private final Map<DType, Accumulator> accumulators = new EnumMap<>(DType.class);

    /// A reducer without a tile yet.
    public Reducer() {}

    /// Reduces `count` elements of each source, which begin at that source's offset in bytes, and writes the result.
    /// The target may be one of the sources at the same offset.
    public void reduce(
            DType type,
            ReduceOp op,
            MemorySegment[] sources,
            long[] offsets,
            int ranks,
            MemorySegment target,
            long targetOffset,
            long count) {
        reduce(type, op, sources, offsets, ranks, target, targetOffset, count, false);
    }

    /// The same where other ranks compute the same result for themselves: it has the same bits everywhere, even where
    /// it is not a number. Which of two such operands a sum repeats is up to the compiler.
    public void reduceAlike(
            DType type,
            ReduceOp op,
            MemorySegment[] sources,
            long[] offsets,
            int ranks,
            MemorySegment target,
            long targetOffset,
            long count) {
        reduce(type, op, sources, offsets, ranks, target, targetOffset, count, true);
    }

    private void reduce(
            DType type,
            ReduceOp op,
            MemorySegment[] sources,
            long[] offsets,
            int ranks,
            MemorySegment target,
            long targetOffset,
            long count,
            boolean alike) {
        Accumulator accumulator = accumulator(type);
        for (long done = 0; done < count; done += Accumulator.TILE) {
            int tile = (int) Math.min(Accumulator.TILE, count - done);
            long shift = done * type.bytes();
            accumulator.load(sources[0], offsets[0] + shift, tile);
            for (int rank = 1; rank < ranks; rank++) {
                accumulator.fold(op, sources[rank], offsets[rank] + shift, tile);
            }
            if (alike) {
                accumulator.settle(tile);
            }
            accumulator.store(op, ranks, target, targetOffset + shift, tile);
        }
    }

    /// Reduces `count` elements as if so many ranks had the same ones. The least, the greatest and the average
    /// of equal elements is the element; sums and products are taken rank by rank, rounding included.
    public void repeat(
            DType type,
            ReduceOp op,
            MemorySegment source,
            long offset,
            int ranks,
            MemorySegment target,
            long targetOffset,
            long count) {
        boolean changes = op.equals(ReduceOp.SUM) || op.equals(ReduceOp.PRODUCT);
        int folds = changes ? ranks - 1 : 0;
        Accumulator accumulator = accumulator(type);
        for (long done = 0; done < count; done += Accumulator.TILE) {
            int tile = (int) Math.min(Accumulator.TILE, count - done);
            long shift = done * type.bytes();
            accumulator.load(source, offset + shift, tile);
            for (int fold = 0; fold < folds; fold++) {
                accumulator.fold(op, source, offset + shift, tile);
            }
            accumulator.store(op, folds + 1, target, targetOffset + shift, tile);
        }
    }

    /// Divides elements that are sums of so many ranks already.
    public void divide(DType type, MemorySegment sums, long offset, long count, int ranks) {
        Accumulator accumulator = accumulator(type);
        for (long done = 0; done < count; done += Accumulator.TILE) {
            int tile = (int) Math.min(Accumulator.TILE, count - done);
            long at = offset + done * type.bytes();
            accumulator.load(sums, at, tile);
            accumulator.store(ReduceOp.AVERAGE, ranks, sums, at, tile);
        }
    }

    /// Reports whether partial results would give another outcome than a reduction in one go: sums of halves would be
    /// rounded in between, those of whole numbers to be divided would wrap, and sums of floats depend on their
    /// order.
    ///
    /// @param inRankOrder true if floats are always to be taken in ascending order of ranks
    public static boolean needsRankOrder(DType type, ReduceOp op, boolean inRankOrder) {
        boolean chooses = op.equals(ReduceOp.MIN) || op.equals(ReduceOp.MAX);
        boolean floats = type.equals(DType.FLOAT32) || type.equals(DType.FLOAT64);
        return !chooses && (type.isNarrow() || (floats ? inRankOrder : op.equals(ReduceOp.AVERAGE)));
    }

    private Accumulator accumulator(DType type) {
        Accumulator known = accumulators.get(type);
        if (known != null) {
            return known;
        }
        Accumulator made = switch (type) {
            case FLOAT16, BFLOAT16, FLOAT32 -> new FloatAccumulator(type);
            case FLOAT64 -> new DoubleAccumulator();
            case BOOL, UINT8, INT8, UINT16, INT16, UINT32, INT32, UINT64, INT64 -> new IntegerAccumulator(type);
            case FLOAT8_E4M3, FLOAT8_E5M2 -> throw new IllegalArgumentException(type.text() + " is moved, not reduced");
        };
        accumulators.put(type, made);
        return made;
    }
}
