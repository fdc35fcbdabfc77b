// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.rules;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.AcceleratorType;
import dev.muster.core.text.FixedText;
import dev.muster.core.unit.Bytes;
import java.util.AbstractList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.RandomAccess;

/// The split of a model over devices, and its estimated speed. Immutable.
///
/// @param shards the pieces, by number
/// @param strategy strategy of the split
/// @param totalMemory memory of all pieces
/// @param tokensPerSecond the estimated speed; absent if nothing runs
/// @since 0.1
public record ShardingPlan(
        List<Shard> shards, ShardingStrategy strategy, Bytes totalMemory, OptionalDouble tokensPerSecond) {
    /// Copies the list, unless it is immutable.
    public ShardingPlan {
        shards = shards instanceof EvenShards ? shards : List.copyOf(shards);
    }

    /// Reports whether all available devices together have the memory, the CPU included. As in ai-hwaccel, pieces are
    /// not compared with single devices.
    public boolean fitsInMemory(AcceleratorRegistry registry) {
        return totalMemory.compareTo(registry.totalMemory()) <= 0;
    }

    /// Returns the plan in ai-hwaccel's words, a line each; its "GB" are GiB.
    public String display() {
        StringBuilder text = new StringBuilder("Strategy: ")
                .append(strategy.display())
                .append("\nTotal memory: ")
                .append(gib(totalMemory))
                .append(" GB\n");
        tokensPerSecond.ifPresent(rate ->
                text.append("Est. throughput: ").append(FixedText.of(rate, 0)).append(" tok/s\n"));
        if (shards.size() == 1) {
            text.append("Device: ").append(shards.getFirst().device().display()).append('\n');
        } else if (!shards.isEmpty()) {
            text.append("Shards:\n");
            shards.forEach(shard -> append(text, shard));
        }
        return text.toString();
    }

    private static void append(StringBuilder text, Shard shard) {
        text.append("  [")
                .append(shard.shardId())
                .append("] ")
                .append(shard.device().display())
                .append(" — layers ")
                .append(shard.firstLayer())
                .append('-')
                .append(shard.lastLayer())
                .append(" (")
                .append(gib(shard.memory()))
                .append(" GB)\n");
    }

    private static String gib(Bytes memory) {
        return FixedText.of(memory.toGib(), 1);
    }

    /// A piece of a model on one device: a range of layers, both ends included.
    ///
    /// @param shardId the piece's number
    /// @param firstLayer the first layer
    /// @param lastLayer the last layer
    /// @param device the device that holds the piece
    /// @param memory the memory the piece takes
    /// @since 0.1
    public record Shard(long shardId, long firstLayer, long lastLayer, AcceleratorType device, Bytes memory) {
        /// Divides layers among devices in equal ranges: a piece for each, numbered in their order. A range never
        /// passes the last layer, so if there are fewer layers than devices, the last ones hold the same layer.
        /// The list is immutable; its pieces are created on each access.
        ///
        /// @param devices the devices
        /// @param layers number of layers, from 1 to 2^32-1; 1 if every device holds a slice of the whole model
        /// @param memory memory of each piece
        /// @throws ArithmeticException past 2^32-1 layers
        public static List<Shard> listEven(List<AcceleratorType> devices, long layers, Bytes memory) {
            return new EvenShards(devices, layers, memory);
        }

        /// Returns the number of layers the piece has; 0 when the range runs backwards.
        public long layerCount() {
            return isValid() ? lastLayer - firstLayer + 1 : 0;
        }

        /// Reports whether the range runs forwards.
        public boolean isValid() {
            return firstLayer <= lastLayer;
        }
    }

    /// Pieces of equal size, stored as a few numbers and created on access: creating all of them took longer than the
    /// rest of planning. Immutable.
    private static final class EvenShards extends AbstractList<Shard> implements RandomAccess {
        /// The largest number of layers in documents of ai-hwaccel.
        private static final long MOST_LAYERS = 0xffff_ffffL;

        private final List<AcceleratorType> devices;
        private final long layers;
        private final long layersEach;
        private final Bytes memory;

        EvenShards(List<AcceleratorType> devices, long layers, Bytes memory) {
            if (layers < 1) {
                throw new IllegalArgumentException("a model has at least one layer, not " + layers);
            }
            if (layers > MOST_LAYERS) {
                throw new ArithmeticException("more than 2^32-1 layers");
            }
            this.devices = List.copyOf(devices);
            this.layers = layers;
            this.layersEach = Math.ceilDiv(layers, Math.max(devices.size(), 1));
            this.memory = memory;
        }

        @Override
        public int size() {
            return devices.size();
        }

        @Override
        public Shard get(int index) {
            AcceleratorType device = devices.get(index);
            long end = layers - 1;
            long first = Math.min(index * layersEach, end);
            long last = index == devices.size() - 1 ? end : Math.min(first + layersEach - 1, end);
            return new Shard(index, first, last, device, memory);
        }
    }
}
