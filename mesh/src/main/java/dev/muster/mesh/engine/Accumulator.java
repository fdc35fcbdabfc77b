// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.engine;

import dev.muster.mesh.collective.ReduceOp;
import java.lang.foreign.MemorySegment;

/// Holds a tile of elements while those of further ranks are folded into it, in a type at least as wide as theirs.
/// Elements pass through arrays on the heap because the compiler makes vectors of loops over arrays, and does not of
/// loops over segments that may overlap. Confined to one thread.
sealed interface Accumulator permits FloatAccumulator, DoubleAccumulator, IntegerAccumulator {
    /// The largest number of elements that are held: two tiles and what is copied fit into the nearest cache.
    int TILE = 2048;

    /// Loops run over at least so many elements, with any values in those beyond the last: a loop that has seen a few
    /// short calls is compiled for short ones, without vectors, and long calls would then take two to four times
    /// longer.
    int LEAST_SPAN = 64;

    /// So few elements are moved one by one, in loops of their own: a bulk copy has more to prepare than to do.
    int FEW = 16;

    /// Takes the elements of the first rank.
    void load(MemorySegment source, long offset, int count);

    /// Folds the elements of the next rank into those that are held.
    void fold(ReduceOp op, MemorySegment source, long offset, int count);

    /// Gives what is not a number the same bits everywhere.
    void settle(int count);

    /// Writes the result for that many ranks.
    void store(ReduceOp op, int ranks, MemorySegment target, long offset, int count);
}
