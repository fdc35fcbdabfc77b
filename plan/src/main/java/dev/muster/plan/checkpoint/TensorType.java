package dev.muster.plan.checkpoint;

/// How the numbers of a tensor are stored: blocks of so many numbers in so many bytes. Immutable.
///
/// @param name the type as its format calls it, such as `BF16` or `Q4_K`
/// @param blockElements numbers in a block; 1 for plain types
/// @param blockBits bits of a block
/// @since 0.1
public record TensorType(String name, int blockElements, int blockBits) {
    /// Checks the numbers.
    public TensorType {
        if (name.isBlank() || blockElements < 1 || blockBits < 1) {
            throw new IllegalArgumentException(
                    name + " has blocks of " + blockElements + " numbers in " + blockBits + " bits");
        }
    }

    /// A type whose numbers stand alone.
    static TensorType plain(String name, int bits) {
        return new TensorType(name, 1, bits);
    }

    /// A type whose numbers stand in blocks of whole bytes.
    static TensorType blocks(String name, int elements, int bytes) {
        return new TensorType(name, elements, bytes * Byte.SIZE);
    }

    /// Bits per number, with its share of the block's scales.
    public double bitsPerElement() {
        return (double) blockBits / blockElements;
    }
}
