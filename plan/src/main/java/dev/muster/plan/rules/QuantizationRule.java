// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.rules;

import dev.muster.core.QuantizationLevel;
import dev.muster.core.unit.Bytes;
import java.util.ArrayList;
import java.util.List;

/// The choice of a quantization: the first row of a table whose level fits the largest single device of the row's
/// class. Free memory is not asked for, and 32 bits are never suggested.
///
/// @since 0.1
public enum QuantizationRule {
    /// A TPU holds it at 16 bits.
    TPU_BF16(MemoryHolder.TPU, QuantizationLevel.BFLOAT16),
    /// A TPU holds it at 8 bits.
    TPU_INT8(MemoryHolder.TPU, QuantizationLevel.INT8),
    /// A Gaudi holds it at 16 bits.
    GAUDI_BF16(MemoryHolder.GAUDI, QuantizationLevel.BFLOAT16),
    /// A Gaudi holds it at 8 bits.
    GAUDI_INT8(MemoryHolder.GAUDI, QuantizationLevel.INT8),
    /// A GPU holds it at 16 bits.
    GPU_FP16(MemoryHolder.GPU, QuantizationLevel.FLOAT16),
    /// A GPU holds it at 8 bits.
    GPU_INT8(MemoryHolder.GPU, QuantizationLevel.INT8),
    /// A GPU holds it at 4 bits.
    GPU_INT4(MemoryHolder.GPU, QuantizationLevel.INT4),
    /// An NPU holds it at 8 bits.
    NPU_INT8(MemoryHolder.NPU, QuantizationLevel.INT8),
    /// An NPU holds it at 4 bits.
    NPU_INT4(MemoryHolder.NPU, QuantizationLevel.INT4),
    /// The CPU's memory holds it at 16 bits.
    CPU_FP16(MemoryHolder.CPU, QuantizationLevel.FLOAT16),
    /// The CPU's memory holds it at 8 bits.
    CPU_INT8(MemoryHolder.CPU, QuantizationLevel.INT8),
    /// No class holds it at more bits: the least, whether it fits or not.
    LEAST(MemoryHolder.CPU, QuantizationLevel.INT4);

    private static final QuantizationRule[] ROWS = values();

    private final int holder;
    private final QuantizationLevel level;

    QuantizationRule(int holder, QuantizationLevel level) {
        this.holder = holder;
        this.level = level;
    }

    /// Returns the level that the row suggests.
    public QuantizationLevel level() {
        return level;
    }

    /// Returns the class of devices of the row, such as `GPU`.
    public String holder() {
        return MemoryHolder.name(holder);
    }

    /// Returns every row, applied to a model and devices.
    static List<Step> explain(RuleDevices devices, long parameters) {
        List<Step> steps = new ArrayList<>();
        for (QuantizationRule row : ROWS) {
            steps.add(new Step(
                    row,
                    MemoryRule.estimate(parameters, row.level),
                    new Bytes(devices.largest(row.holder)),
                    devices.isAssumed(row.holder)));
        }
        return steps;
    }

    /// Returns the row that applies to a model on these devices.
    static QuantizationRule find(RuleDevices devices, long parameters) {
        for (QuantizationRule row : ROWS) {
            long memory = devices.largest(row.holder);
            if (memory != 0 && Long.compareUnsigned(MemoryRule.estimateUnsigned(parameters, row.level), memory) <= 0) {
                return row;
            }
        }
        return LEAST;
    }

    /// One row of the table of [QuantizationRule], applied to a registry.
    ///
    /// @param rule the row
    /// @param needed memory of the model at the row's level
    /// @param memory memory of the largest device of the row's class; zero without one
    /// @param isAssumed true if that memory is the usual one of such machines, since none is stated
    /// @since 0.1
    public record Step(QuantizationRule rule, Bytes needed, Bytes memory, boolean isAssumed) {
        /// Reports whether the device holds the model.
        public boolean holds() {
            return !memory.isZero() && needed.compareTo(memory) <= 0;
        }
    }
}
