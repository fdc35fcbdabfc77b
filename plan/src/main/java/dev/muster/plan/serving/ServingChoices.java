// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.serving;

import dev.muster.model.memory.WeightFormat;
import java.util.List;
import java.util.Optional;

/// The choices that a planner may make for serving.
///
/// @param engine the engine to plan for; empty for the usual one of each kind of device
/// @param formats weight formats to choose from; empty for that of the request, which is replaced by 16 bits if an
/// engine cannot run it
/// @param offload true if llama.cpp may place layers and experts in the memory of the host
/// @param everyReplicaCount true to list plans with fewer replicas than fit, too, for comparing speed with devices
/// @since 0.1
public record ServingChoices(
        Optional<ServingEngine> engine, List<WeightFormat> formats, boolean offload, boolean everyReplicaCount) {
    /// All choices left to the planner, without offload.
    public static final ServingChoices USUAL = new ServingChoices(Optional.empty(), List.of(), false, false);

    /// Copies the list.
    public ServingChoices {
        formats = List.copyOf(formats);
    }

    /// Returns a copy for one engine.
    public ServingChoices withEngine(ServingEngine other) {
        return new ServingChoices(Optional.of(other), formats, offload, everyReplicaCount);
    }

    /// Returns a copy for some weight formats.
    public ServingChoices withFormats(List<WeightFormat> others) {
        return new ServingChoices(engine, others, offload, everyReplicaCount);
    }

    /// Returns a copy with layers and experts on the host if they fit nowhere else.
    public ServingChoices withOffload(boolean allowed) {
        return new ServingChoices(engine, formats, allowed, everyReplicaCount);
    }

    /// Returns a copy with every number of replicas listed, or with as many as fit.
    public ServingChoices withEveryReplicaCount(boolean other) {
        return new ServingChoices(engine, formats, offload, other);
    }
}
