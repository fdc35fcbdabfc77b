// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.serving;

import dev.muster.plan.cost.MemoryTerm;
import dev.muster.plan.cost.Roofline;
import dev.muster.plan.cost.RuledOut;
import dev.muster.plan.cost.StepTerm;
import dev.muster.plan.cost.UsedCoefficient;
import java.util.List;

/// The explanation of a plan, the largest terms first. It is recorded while the figures are computed again, so that
/// both agree.
///
/// @param memory memory of each device
/// @param step parts of the time between two tokens
/// @param timeToFirstToken parts of the time until the first token on an idle replica
/// @param coefficients coefficients of times and workspaces
/// @param roofline the roofs of the device, with the one that products of this format and engine go by
/// @param decode one token of every sequence, under the roofs
/// @param prefill the prompt of one sequence; of one for each group with data parallel attention
/// @param ruledOut better layouts that rules of the engine exclude, the best for each rule; none if the goal is cost
/// @since 0.1
public record ServingExplanation(
        List<MemoryTerm> memory,
        List<StepTerm> step,
        List<StepTerm> timeToFirstToken,
        List<UsedCoefficient> coefficients,
        Roofline roofline,
        Roofline.RooflinePoint decode,
        Roofline.RooflinePoint prefill,
        List<RuledOut> ruledOut) {
    /// Copies the lists.
    public ServingExplanation {
        memory = List.copyOf(memory);
        step = List.copyOf(step);
        timeToFirstToken = List.copyOf(timeToFirstToken);
        coefficients = List.copyOf(coefficients);
        ruledOut = List.copyOf(ruledOut);
    }
}
