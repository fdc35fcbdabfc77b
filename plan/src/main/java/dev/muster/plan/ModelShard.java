package dev.muster.plan;

import dev.muster.core.AcceleratorType;
import dev.muster.core.unit.Bytes;

/// A piece of a model on one device: a range of layers, both ends included.
///
/// @param shardId the piece's number
/// @param firstLayer the first layer
/// @param lastLayer the last layer
/// @param device the device that holds the piece
/// @param memory the memory the piece takes
/// @since 0.1
public record ModelShard(long shardId, long firstLayer, long lastLayer, AcceleratorType device, Bytes memory) {
    /// How many layers the piece has; 0 when the range runs backwards.
    public long layerCount() {
        return isValid() ? lastLayer - firstLayer + 1 : 0;
    }

    /// Whether the range runs forwards.
    public boolean isValid() {
        return firstLayer <= lastLayer;
    }
}
