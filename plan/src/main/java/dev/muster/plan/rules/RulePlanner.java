// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.rules;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.QuantizationLevel;
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

    /// A planner for these devices.
    ///
    /// @throws ArithmeticException if their memory exceeds 2^64-1 bytes
    public static RulePlanner of(AcceleratorRegistry registry) {
        return new RulePlanner(RuleDevices.of(registry));
    }

    /// Which quantization a model should have, and by which row of the table.
    ///
    /// @param parameters how many parameters it has, as an unsigned number
    /// @throws ArithmeticException past 2^64-1 bits
    public QuantizationRule suggestQuantization(long parameters) {
        return QuantizationRule.find(devices, parameters);
    }

    /// All rows of the table of quantizations, held against a model: why it is the one that applies. The first that
    /// holds is; the last, where none does.
    ///
    /// @param parameters how many parameters it has, as an unsigned number
    /// @throws ArithmeticException past 2^64-1 bits
    public List<QuantizationRule.Step> explainQuantization(long parameters) {
        return QuantizationRule.explain(devices, parameters);
    }

    /// How a model is split.
    ///
    /// @param parameters how many parameters it has, as an unsigned number
    /// @throws ArithmeticException past 2^64-1 bits, 2^32-1 layers or 2^20 TPU chips
    public ShardingPlan plan(long parameters, QuantizationLevel level) {
        return new ShardingRule(devices, parameters, level).plan();
    }
}
