package dev.muster.plan.checkpoint;

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
public record Tensor(
        String name, TensorType type, List<Long> shape, long elements, long bytes, String file, long offset) {
    /// Copies the dimensions.
    public Tensor {
        shape = List.copyOf(shape);
    }
}
