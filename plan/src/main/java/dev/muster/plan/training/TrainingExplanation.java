// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.training;

import dev.muster.plan.cost.MemoryTerm;
import dev.muster.plan.cost.Roofline;
import dev.muster.plan.cost.RuledOut;
import dev.muster.plan.cost.StepTerm;
import dev.muster.plan.cost.UsedCoefficient;
import java.util.List;

/// The explanation of a training plan, the largest terms first. It is recorded while the figures are computed again.
///
/// @param memory memory of the fullest device
/// @param step parts of the time of a step on each device
/// @param coefficients coefficients of the times
/// @param roofline the roofs of the device, with the one that products go by
/// @param products products of matrices alone, those of experts included, under the roofs
/// @param wholeStep the whole step, with attention, the optimizer and all waiting
/// @param ruledOut best layout that a rule of the framework excludes, if it is better than the plan
/// @since 0.1
public record TrainingExplanation(
        List<MemoryTerm> memory,
        List<StepTerm> step,
        List<UsedCoefficient> coefficients,
        Roofline roofline,
        Roofline.RooflinePoint products,
        Roofline.RooflinePoint wholeStep,
        List<RuledOut> ruledOut) {
    /// Copies the lists.
    public TrainingExplanation {
        memory = List.copyOf(memory);
        step = List.copyOf(step);
        coefficients = List.copyOf(coefficients);
        ruledOut = List.copyOf(ruledOut);
    }
}
