package dev.muster.plan.rules;

import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.QuantizationLevel;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.plan.ModelShard;
import dev.muster.plan.ShardingPlan;
import dev.muster.plan.ShardingStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/// How a model is split over devices.
///
/// The first that holds: nothing is available; the best device has the memory; the TPUs together have it; GPUs, TPUs
/// and AI chips together have it, split by tensors where the fabric is fast, by layers where it is not. Else it is all
/// put on the CPU, whether that has the memory or not.
///
/// @since 0.1
public final class ShardingRule {
    private static final double TOKENS_PER_SECOND = 1e9;
    private static final double TPU_BONUS = 2.0;
    private static final double SWITCH_BONUS = 1.8;
    private static final double MOST_LINK_BONUS = 0.8;
    private static final double LINK_BONUS_DIVISOR = 200.0;
    private static final double FAST_FABRIC = 100.0;
    private static final int MOST_WITHOUT_SWITCH = 8;
    private static final double PIPELINE_WITH_FABRIC = 0.85;
    private static final double PIPELINE_WITHOUT_FABRIC = 0.65;
    private static final long PARAMETERS_PER_LAYER = 250_000_000;
    private static final long MOST_LAYERS = 0xffff_ffffL;

    private final AcceleratorRegistry registry;
    private final long parameters;
    private final QuantizationLevel level;
    private final long needed;

    private ShardingRule(AcceleratorRegistry registry, long parameters, QuantizationLevel level) {
        this.registry = registry;
        this.parameters = parameters;
        this.level = level;
        this.needed = MemoryRule.estimateUnsigned(parameters, level);
    }

    /// The plan for a model on the devices of a registry. Devices of unknown memory hold nothing.
    ///
    /// @param parameters how many parameters the model has, as an unsigned number
    /// @throws ArithmeticException past 2^64-1 bits, past 2^64-1 bytes of memory, or past 2^32-1 layers or chips
    public static ShardingPlan plan(AcceleratorRegistry registry, long parameters, QuantizationLevel level) {
        return new ShardingRule(registry, parameters, level).plan();
    }

    private ShardingPlan plan() {
        List<AcceleratorProfile> profiles = registry.profiles();
        AcceleratorProfile best = null;
        for (int i = 0; i < profiles.size(); i++) {
            AcceleratorProfile profile = profiles.get(i);
            if (profile.available()
                    && (best == null
                            || profile.accelerator().rank()
                                    >= best.accelerator().rank())) {
                best = profile;
            }
        }
        if (best == null) {
            return new ShardingPlan(
                    List.of(), new ShardingStrategy.DataParallel(0), Bytes.ZERO, OptionalDouble.empty());
        }
        if (Long.compareUnsigned(needed, memory(best)) <= 0) {
            return alone(best.accelerator());
        }
        List<AcceleratorProfile> tpus = new ArrayList<>();
        List<AcceleratorProfile> group = new ArrayList<>();
        for (int i = 0; i < profiles.size(); i++) {
            AcceleratorProfile profile = profiles.get(i);
            AcceleratorFamily family = profile.accelerator().family();
            if (profile.available() && family != AcceleratorFamily.CPU && family != AcceleratorFamily.NPU) {
                group.add(profile);
                if (family == AcceleratorFamily.TPU) {
                    tpus.add(profile);
                }
            }
        }
        if (hold(tpus)) {
            return overChips(tpus);
        }
        if (!hold(group)) {
            return alone(AcceleratorType.cpu());
        }
        FabricSpeed fabric = FabricSpeed.of(registry.systemIo().interconnects());
        boolean byTensors =
                fabric.nvSwitch() || (fabric.gigabytesPerSecond() > FAST_FABRIC && group.size() <= MOST_WITHOUT_SWITCH);
        return byTensors ? byTensors(group, fabric) : byLayers(group, fabric);
    }

    /// Whether devices together have the memory.
    private boolean hold(List<AcceleratorProfile> devices) {
        long sum = 0;
        for (AcceleratorProfile device : devices) {
            sum = Unsigned.sum(sum, memory(device));
        }
        return !devices.isEmpty() && Long.compareUnsigned(sum, needed) >= 0;
    }

    private ShardingPlan alone(AcceleratorType device) {
        double rate = parameters == 0
                ? 0
                : TOKENS_PER_SECOND
                        / Unsigned.toDouble(parameters)
                        * device.throughputMultiplier()
                        * level.memoryReductionFactor();
        Bytes memory = new Bytes(needed);
        return new ShardingPlan(
                List.of(new ModelShard(0, 0, 0, device, memory)),
                new ShardingStrategy.None(),
                memory,
                OptionalDouble.of(rate));
    }

    /// A TPU is a slice of chips: each chip gets a part, and all are said to be on the first TPU.
    private ShardingPlan overChips(List<AcceleratorProfile> tpus) {
        long chips = 0;
        for (AcceleratorProfile tpu : tpus) {
            chips += tpu.accelerator() instanceof AcceleratorType.Tpu(var _, long count, var _) ? count : 0;
        }
        if (chips > AcceleratorType.MAX_COUNT) {
            throw new ArithmeticException("more than 2^32-1 TPU chips");
        }
        Bytes part = part(Math.max(chips, 1));
        List<ModelShard> shards = new ArrayList<>();
        for (long i = 0; i < chips; i++) {
            shards.add(new ModelShard(i, 0, 0, tpus.getFirst().accelerator(), part));
        }
        double rate = slowest(tpus) * chips * level.memoryReductionFactor() * TPU_BONUS;
        return new ShardingPlan(
                shards, new ShardingStrategy.TensorParallel(chips), new Bytes(needed), OptionalDouble.of(rate));
    }

    private ShardingPlan byTensors(List<AcceleratorProfile> group, FabricSpeed fabric) {
        Bytes part = part(group.size());
        List<ModelShard> shards = new ArrayList<>(group.size());
        for (int i = 0; i < group.size(); i++) {
            shards.add(new ModelShard(i, 0, 0, group.get(i).accelerator(), part));
        }
        double bonus = fabric.nvSwitch()
                ? SWITCH_BONUS
                : 1.0 + Math.min(fabric.gigabytesPerSecond() / LINK_BONUS_DIVISOR, MOST_LINK_BONUS);
        return new ShardingPlan(
                shards,
                new ShardingStrategy.TensorParallel(group.size()),
                new Bytes(needed),
                finite(slowest(group) * group.size() * level.memoryReductionFactor() * bonus));
    }

    private ShardingPlan byLayers(List<AcceleratorProfile> group, FabricSpeed fabric) {
        List<AcceleratorProfile> ordered = byNumaNode(group);
        int stages = ordered.size();
        long layers = layers();
        long perStage = Math.ceilDiv(layers, stages);
        Bytes part = part(stages);
        List<ModelShard> shards = new ArrayList<>(stages);
        for (int i = 0; i < stages; i++) {
            long first = Math.min(i * perStage, layers - 1);
            long last = i == stages - 1 ? layers - 1 : Math.min(first + perStage - 1, layers - 1);
            shards.add(new ModelShard(i, first, last, ordered.get(i).accelerator(), part));
        }
        double efficiency = fabric.gigabytesPerSecond() > 0 ? PIPELINE_WITH_FABRIC : PIPELINE_WITHOUT_FABRIC;
        return new ShardingPlan(
                shards,
                new ShardingStrategy.PipelineParallel(stages),
                new Bytes(needed),
                finite(slowest(group) * stages * level.memoryReductionFactor() * efficiency));
    }

    /// Estimated from the number of parameters alone.
    private long layers() {
        long layers = Math.max(Long.divideUnsigned(parameters, PARAMETERS_PER_LAYER), 1);
        if (layers > MOST_LAYERS) {
            throw new ArithmeticException("more than 2^32-1 layers");
        }
        return layers;
    }

    /// Neighbours first; devices of unknown node last. An insertion sort: there are few, and their order is to stay.
    private static List<AcceleratorProfile> byNumaNode(List<AcceleratorProfile> group) {
        List<AcceleratorProfile> ordered = new ArrayList<>(group);
        for (int i = 1; i < ordered.size(); i++) {
            AcceleratorProfile moved = ordered.get(i);
            int place = i;
            while (place > 0 && node(ordered.get(place - 1)) > node(moved)) {
                ordered.set(place, ordered.get(place - 1));
                place--;
            }
            ordered.set(place, moved);
        }
        return ordered;
    }

    private static long node(AcceleratorProfile device) {
        return device.reading(DeviceFact.NUMA_NODE) instanceof Reading.Known<Long>(Long node, var _)
                ? node
                : AcceleratorType.MAX_COUNT;
    }

    /// The memory; 0 where it is not known, since nothing can be placed there.
    static long memory(AcceleratorProfile profile) {
        return profile.memory() instanceof Reading.Known<Bytes>(Bytes memory, var _) ? memory.unsigned() : 0;
    }

    private static double slowest(List<AcceleratorProfile> devices) {
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < devices.size(); i++) {
            least = Math.min(least, devices.get(i).accelerator().throughputMultiplier());
        }
        return least;
    }

    private static OptionalDouble finite(double rate) {
        return Double.isFinite(rate) ? OptionalDouble.of(rate) : OptionalDouble.empty();
    }

    /// An equal part, rounded up.
    private Bytes part(long count) {
        return new Bytes(Unsigned.ceilDiv(needed, count));
    }
}
