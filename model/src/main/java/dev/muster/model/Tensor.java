// SPDX-License-Identifier: Apache-2.0
package dev.muster.model;

import java.util.List;

/// One tensor of a checkpoint. Immutable.
///
/// @param name its name
/// @param type how its numbers are stored
/// @param shape its dimensions, slowest first; none for a single number
/// @param elements how many numbers it has
/// @param bytes how many bytes it takes
/// @param file the file that holds it
/// @param offset where it begins in that file, in bytes
/// @since 0.1
public record Tensor(String name, Type type, List<Long> shape, long elements, long bytes, String file, long offset) {
    /// Copies the dimensions.
    public Tensor {
        shape = List.copyOf(shape);
    }

    /// How the numbers of a tensor are stored: blocks of so many numbers in so many bytes. Immutable.
    ///
    /// @param name the type as its format calls it, such as `BF16` or `Q4_K`
    /// @param blockElements numbers in a block; 1 for plain types
    /// @param blockBits bits of a block
    public record Type(String name, int blockElements, int blockBits) {
        /// Checks the numbers.
        public Type {
            if (name.isBlank() || blockElements < 1 || blockBits < 1) {
                throw new IllegalArgumentException(
                        name + " has blocks of " + blockElements + " numbers in " + blockBits + " bits");
            }
        }

        /// A type whose numbers stand alone.
        public static Type plain(String name, int bits) {
            return new Type(name, 1, bits);
        }

        /// A type whose numbers stand in blocks of whole bytes.
        public static Type blocks(String name, int elements, int bytes) {
            return new Type(name, elements, bytes * Byte.SIZE);
        }

        /// Bits per number, with its share of the block's scales.
        public double bitsPerElement() {
            return (double) blockBits / blockElements;
        }
    }
}
