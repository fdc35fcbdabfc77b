// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.ops;

import java.lang.foreign.MemorySegment;

/// An array seen along one of its dimensions: so many rows, each of so many blocks that lie next to each other.
///
/// @param rows product of the sizes before the dimension
/// @param length size of the dimension
/// @param blockBytes bytes of one index of the dimension
record Blocks(long rows, long length, long blockBytes) {
    static Blocks of(long[] shape, int dimension, int elementBytes) {
        long rows = 1;
        long block = elementBytes;
        for (int i = 0; i < shape.length; i++) {
            rows *= i < dimension ? shape[i] : 1;
            block *= i > dimension ? shape[i] : 1;
        }
        return new Blocks(rows, shape[dimension], block);
    }

    /// The same array with another size of the dimension.
    Blocks withLength(long other) {
        return new Blocks(rows, other, blockBytes);
    }

    long bytes() {
        return rows * length * blockBytes;
    }

    /// Copies a part of this array, from an index of the dimension on, to an array that is that part.
    void take(MemorySegment array, long from, MemorySegment part, long partOffset, long count) {
        for (long row = 0; row < rows; row++) {
            MemorySegment.copy(
                    array,
                    (row * length + from) * blockBytes,
                    part,
                    partOffset + row * count * blockBytes,
                    count * blockBytes);
        }
    }

    /// Copies an array that is a part of this one to its place.
    void put(MemorySegment array, long from, MemorySegment part, long partOffset, long count) {
        for (long row = 0; row < rows; row++) {
            MemorySegment.copy(
                    part,
                    partOffset + row * count * blockBytes,
                    array,
                    (row * length + from) * blockBytes,
                    count * blockBytes);
        }
    }
}
