// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan;

import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.serving.MixedPlan;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import java.util.List;

/// The best way to serve a model: on devices of one kind, or split by layers over unlike ones and the host if that is
/// better for the goal or the only way.
///
/// @param request the request, with the chosen weight format
/// @param answer the answer for devices of one kind
/// @param splits llama.cpp over unlike devices and perhaps the host, the best first; empty unless that is better
/// @since 0.1
public record ServingOutcome(ServingRequest request, PlanAnswer<ServingPlan> answer, List<MixedPlan> splits) {
    /// Copies the list.
    public ServingOutcome {
        splits = List.copyOf(splits);
    }

    /// Reports whether there is a plan that does.
    public boolean isFeasible() {
        return answer.isFeasible() || !splits.isEmpty();
    }
}
