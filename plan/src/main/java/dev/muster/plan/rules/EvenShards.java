package dev.muster.plan.rules;

import dev.muster.core.AcceleratorType;
import dev.muster.core.unit.Bytes;
import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;

/// Pieces of equal size, told by a few numbers and made when they are asked for: making all of them took longer
/// than the rest of planning. Immutable.
final class EvenShards extends AbstractList<ShardingPlan.Shard> implements RandomAccess {
    /// As many as the documents of ai-hwaccel can hold.
    private static final long MOST_LAYERS = 0xffff_ffffL;

    private final List<AcceleratorType> devices;
    private final long layers;
    private final long layersEach;
    private final Bytes memory;

    EvenShards(List<AcceleratorType> devices, long layers, Bytes memory) {
        if (layers < 1) {
            throw new IllegalArgumentException("a model has a layer at least, not " + layers);
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
    public ShardingPlan.Shard get(int index) {
        AcceleratorType device = devices.get(index);
        long end = layers - 1;
        long first = Math.min(index * layersEach, end);
        long last = index == devices.size() - 1 ? end : Math.min(first + layersEach - 1, end);
        return new ShardingPlan.Shard(index, first, last, device, memory);
    }
}
