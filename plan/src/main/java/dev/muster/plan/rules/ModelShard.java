package dev.muster.plan.rules;

import dev.muster.core.AcceleratorType;
import dev.muster.core.unit.Bytes;
import java.util.List;

/// A piece of a model on one device: a range of layers, both ends included.
///
/// @param shardId the piece's number
/// @param firstLayer the first layer
/// @param lastLayer the last layer
/// @param device the device that holds the piece
/// @param memory the memory the piece takes
/// @since 0.1
public record ModelShard(long shardId, long firstLayer, long lastLayer, AcceleratorType device, Bytes memory) {
    /// Deals layers out to devices in equal ranges: a piece for each, numbered in their order. A range never
    /// passes the last layer, so where there are fewer layers than devices, the last ones hold the same layer.
    /// The list cannot be changed; its pieces are made each time they are asked for.
    ///
    /// @param devices which devices
    /// @param layers how many layers, from 1 to 2^32-1; 1 where every device holds a slice of the whole model
    /// @param memory the memory that each piece takes
    /// @throws ArithmeticException past 2^32-1 layers
    public static List<ModelShard> listEven(List<AcceleratorType> devices, long layers, Bytes memory) {
        return new EvenShards(devices, layers, memory);
    }

    /// How many layers the piece has; 0 when the range runs backwards.
    public long layerCount() {
        return isValid() ? lastLayer - firstLayer + 1 : 0;
    }

    /// Whether the range runs forwards.
    public boolean isValid() {
        return firstLayer <= lastLayer;
    }
}
