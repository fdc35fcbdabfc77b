package dev.muster.plan.rules;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.AcceleratorType;
import dev.muster.core.QuantizationLevel;
import java.util.List;

/// Which quantization a model should have: the first row of a table whose level fits the largest single device of the
/// row's class. Free memory is not asked for, and 32 bits are never suggested.
///
/// @since 0.1
public enum QuantizationRule {
    /// A TPU holds it at 16 bits.
    TPU_BF16(Holder.TPU, QuantizationLevel.BFLOAT16),
    /// A TPU holds it at 8 bits.
    TPU_INT8(Holder.TPU, QuantizationLevel.INT8),
    /// A Gaudi holds it at 16 bits.
    GAUDI_BF16(Holder.GAUDI, QuantizationLevel.BFLOAT16),
    /// A Gaudi holds it at 8 bits.
    GAUDI_INT8(Holder.GAUDI, QuantizationLevel.INT8),
    /// A GPU holds it at 16 bits.
    GPU_FP16(Holder.GPU, QuantizationLevel.FLOAT16),
    /// A GPU holds it at 8 bits.
    GPU_INT8(Holder.GPU, QuantizationLevel.INT8),
    /// A GPU holds it at 4 bits.
    GPU_INT4(Holder.GPU, QuantizationLevel.INT4),
    /// An NPU holds it at 8 bits.
    NPU_INT8(Holder.NPU, QuantizationLevel.INT8),
    /// An NPU holds it at 4 bits.
    NPU_INT4(Holder.NPU, QuantizationLevel.INT4),
    /// The CPU's memory holds it at 16 bits.
    CPU_FP16(Holder.CPU, QuantizationLevel.FLOAT16),
    /// The CPU's memory holds it at 8 bits.
    CPU_INT8(Holder.CPU, QuantizationLevel.INT8),
    /// Nothing holds it at more: the least, whether it fits or not.
    LEAST(Holder.CPU, QuantizationLevel.INT4);

    private static final QuantizationRule[] ROWS = values();
    /// Where no CPU tells its memory.
    private static final long USUAL_CPU_MEMORY = 16L << 30;

    private final int holder;
    private final QuantizationLevel level;

    QuantizationRule(int holder, QuantizationLevel level) {
        this.holder = holder;
        this.level = level;
    }

    /// The level that the row suggests.
    public QuantizationLevel level() {
        return level;
    }

    /// The row that applies to a model on these devices. Devices of unknown memory hold nothing.
    ///
    /// @param parameters how many parameters the model has, as an unsigned number
    /// @throws ArithmeticException past 2^64-1 bits
    public static QuantizationRule find(AcceleratorRegistry registry, long parameters) {
        long[] largest = new long[Holder.COUNT];
        List<AcceleratorProfile> profiles = registry.profiles();
        for (int i = 0; i < profiles.size(); i++) {
            AcceleratorProfile profile = profiles.get(i);
            int holder = holderOf(profile.accelerator());
            long memory = profile.available() ? ShardingRule.memory(profile) : 0;
            if (holder != Holder.NONE && Long.compareUnsigned(memory, largest[holder]) > 0) {
                largest[holder] = memory;
            }
        }
        if (largest[Holder.CPU] == 0) {
            largest[Holder.CPU] = USUAL_CPU_MEMORY;
        }
        for (QuantizationRule row : ROWS) {
            long memory = largest[row.holder];
            if (memory != 0 && Long.compareUnsigned(MemoryRule.estimateUnsigned(parameters, row.level), memory) <= 0) {
                return row;
            }
        }
        return LEAST;
    }

    private static int holderOf(AcceleratorType type) {
        return switch (type.family()) {
            case TPU -> Holder.TPU;
            case GPU -> Holder.GPU;
            case NPU -> Holder.NPU;
            case CPU -> Holder.CPU;
            case AI_ASIC -> type.kind() == AcceleratorKind.GAUDI ? Holder.GAUDI : Holder.NONE;
        };
    }

    /// The classes of devices that the table tells apart, as places in an array.
    private static final class Holder {
        static final int NONE = -1;
        static final int TPU = 0;
        static final int GAUDI = 1;
        static final int GPU = 2;
        static final int NPU = 3;
        static final int CPU = 4;
        static final int COUNT = 5;

        private Holder() {}
    }
}
