// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.rules;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.QuantizationLevel;
import dev.muster.core.unit.Bytes;
import java.util.List;

/// Plans by ai-hwaccel's rules on the devices of one registry, which are looked through once. Devices of unknown
/// memory hold nothing. Immutable.
///
/// ```java
/// RulePlanner planner = RulePlanner.of(registry);
/// QuantizationLevel level = planner.suggestQuantization(70_000_000_000L).level();
/// System.out.print(planner.plan(70_000_000_000L, level).display());
/// ```
///
/// @since 0.1
public final class RulePlanner {
    private final RuleDevices devices;

    private RulePlanner(RuleDevices devices) {
        this.devices = devices;
    }

    /// Creates a planner for the devices of a registry.
    ///
    /// @throws ArithmeticException if their memory exceeds 2^64-1 bytes
    public static RulePlanner of(AcceleratorRegistry registry) {
        return new RulePlanner(RuleDevices.of(registry));
    }

    /// Returns the memory that a model takes: its weights and a fifth more.
    ///
    /// @param parameters number of parameters, as an unsigned number
    /// @throws ArithmeticException past 2^64-1 bits
    public static Bytes estimateMemory(long parameters, QuantizationLevel level) {
        return MemoryRule.estimate(parameters, level);
    }

    /// Returns the quantization for a model, as the row of the table that applies.
    ///
    /// @param parameters number of parameters, as an unsigned number
    /// @throws ArithmeticException past 2^64-1 bits
    public QuantizationRule suggestQuantization(long parameters) {
        return QuantizationRule.find(devices, parameters);
    }

    /// Returns all rows of the table of quantizations, applied to a model, as the reason for the result. The first
    /// that holds is the one that applies; the last, if none does.
    ///
    /// @param parameters number of parameters, as an unsigned number
    /// @throws ArithmeticException past 2^64-1 bits
    public List<QuantizationRule.Step> explainQuantization(long parameters) {
        return QuantizationRule.explain(devices, parameters);
    }

    /// Plans the split of a model.
    ///
    /// @param parameters number of parameters, as an unsigned number
    /// @throws ArithmeticException past 2^64-1 bits, 2^32-1 layers or 2^20 TPU chips
    public ShardingPlan plan(long parameters, QuantizationLevel level) {
        return new ShardingRule(devices, parameters, level).plan();
    }
}
