// SPDX-License-Identifier: Apache-2.0
package dev.muster.model;

import java.util.List;

/// One tensor of a checkpoint. Immutable.
///
/// @param name its name
/// @param type storage type of its elements
/// @param shape its dimensions, slowest first; none for a single number
/// @param elements number of elements
/// @param bytes size in bytes
/// @param file the file that holds it
/// @param offset start in that file, in bytes
/// @since 0.1
public record Tensor(String name, Type type, List<Long> shape, long elements, long bytes, String file, long offset) {
    public Tensor {
        shape = List.copyOf(shape);
    }

    /// A storage type of tensors: blocks of a number of elements in a number of bits. Immutable.
    ///
    /// @param name the type as its format calls it, such as `BF16` or `Q4_K`
    /// @param blockElements numbers in a block; 1 for plain types
    /// @param blockBits bits of a block
    public record Type(String name, int blockElements, int blockBits) {
        public Type {
            if (name.isBlank() || blockElements < 1 || blockBits < 1) {
                throw new IllegalArgumentException(
                        name + " has blocks of " + blockElements + " numbers in " + blockBits + " bits");
            }
        }

        /// Returns a type whose elements are stored one by one.
        public static Type plain(String name, int bits) {
            return new Type(name, 1, bits);
        }

        /// Returns a type whose elements are stored in blocks of whole bytes.
        public static Type blocks(String name, int elements, int bytes) {
            return new Type(name, elements, bytes * Byte.SIZE);
        }

        /// Returns the bits of an element, with its share of the block's scales.
        public double bitsPerElement() {
            return (double) blockBits / blockElements;
        }
    }
}
