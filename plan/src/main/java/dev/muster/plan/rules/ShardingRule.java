// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.rules;

import dev.muster.core.AcceleratorType;
import dev.muster.core.QuantizationLevel;
import dev.muster.core.unit.Bytes;
import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;

/// The split of a model over devices.
///
/// The first that holds: nothing is available; the best device has the memory; the TPUs together have it; GPUs, TPUs
/// and AI chips together have it, split by tensors if the fabric is fast, by layers if it is not. Otherwise the whole
/// model is assigned to the CPU, whether that has the memory or not.
///
/// @param devices devices to choose from
/// @param parameters number of parameters, as an unsigned number
/// @param level bits of each parameter
/// @param needed memory of the model, as an unsigned number
record ShardingRule(RuleDevices devices, long parameters, QuantizationLevel level, long needed) {
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
    /// The layers of a plan in which every device holds a slice of all layers.
    private static final long UNDIVIDED = 1;
    /// The largest number of chips; a shard is listed for each.
    private static final long MOST_CHIPS = 1 << 20;

    private static final ShardingStrategy UNSPLIT = ShardingStrategy.NONE;
    private static final ShardingPlan NOTHING =
            new ShardingPlan(List.of(), ShardingStrategy.dataParallel(0), Bytes.ZERO, OptionalDouble.empty());

    ShardingRule(RuleDevices devices, long parameters, QuantizationLevel level) {
        this(devices, parameters, level, MemoryRule.estimateUnsigned(parameters, level));
    }

    ShardingPlan plan() {
        AcceleratorType best = devices.best;
        if (best == null) {
            return NOTHING;
        }
        if (Long.compareUnsigned(needed, devices.bestMemory) <= 0) {
            return alone(best);
        }
        if (devices.tpus.hold(needed)) {
            return overChips(devices.tpus);
        }
        RuleDevices.DeviceGroup group = devices.chips;
        if (!group.hold(needed)) {
            return alone(AcceleratorType.cpu());
        }
        RuleDevices.FabricSpeed fabric = devices.fabric;
        boolean byTensors = fabric.nvSwitch()
                || (fabric.gigabytesPerSecond() > FAST_FABRIC && group.types().size() <= MOST_WITHOUT_SWITCH);
        return byTensors ? byTensors(group, fabric) : byLayers(group, fabric);
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
                List.of(new ShardingPlan.Shard(0, 0, 0, device, memory)), UNSPLIT, memory, OptionalDouble.of(rate));
    }

    /// Returns the plan over TPU chips. A TPU is a slice of chips: each chip gets a part, and all are assigned to the
    /// first TPU.
    private ShardingPlan overChips(RuleDevices.DeviceGroup tpus) {
        long chips = 0;
        for (AcceleratorType type : tpus.types()) {
            chips += type instanceof AcceleratorType.Tpu(var _, long count, var _) ? count : 0;
        }
        if (chips > MOST_CHIPS) {
            throw new ArithmeticException("more than " + MOST_CHIPS + " TPU chips");
        }
        List<AcceleratorType> holders =
                Collections.nCopies((int) chips, tpus.types().getFirst());
        double rate = tpus.slowest() * chips * level.memoryReductionFactor() * TPU_BONUS;
        return new ShardingPlan(
                ShardingPlan.Shard.listEven(holders, UNDIVIDED, part(Math.max(chips, 1))),
                ShardingStrategy.tensorParallel(chips),
                new Bytes(needed),
                OptionalDouble.of(rate));
    }

    private ShardingPlan byTensors(RuleDevices.DeviceGroup group, RuleDevices.FabricSpeed fabric) {
        int count = group.types().size();
        double bonus = fabric.nvSwitch()
                ? SWITCH_BONUS
                : 1.0 + Math.min(fabric.gigabytesPerSecond() / LINK_BONUS_DIVISOR, MOST_LINK_BONUS);
        return new ShardingPlan(
                ShardingPlan.Shard.listEven(group.types(), UNDIVIDED, part(count)),
                ShardingStrategy.tensorParallel(count),
                new Bytes(needed),
                finite(group.slowest() * count * level.memoryReductionFactor() * bonus));
    }

    private ShardingPlan byLayers(RuleDevices.DeviceGroup group, RuleDevices.FabricSpeed fabric) {
        int stages = group.byNode().size();
        double efficiency = fabric.gigabytesPerSecond() > 0 ? PIPELINE_WITH_FABRIC : PIPELINE_WITHOUT_FABRIC;
        return new ShardingPlan(
                ShardingPlan.Shard.listEven(group.byNode(), layers(), part(stages)),
                ShardingStrategy.pipelineParallel(stages),
                new Bytes(needed),
                finite(group.slowest() * stages * level.memoryReductionFactor() * efficiency));
    }

    /// Returns the layers, estimated from the number of parameters alone.
    private long layers() {
        return Math.max(Long.divideUnsigned(parameters, PARAMETERS_PER_LAYER), 1);
    }

    private static OptionalDouble finite(double rate) {
        return Double.isFinite(rate) ? OptionalDouble.of(rate) : OptionalDouble.empty();
    }

    /// Returns an equal part, rounded up.
    private Bytes part(long count) {
        return new Bytes(Unsigned.ceilDiv(needed, count));
    }
}
