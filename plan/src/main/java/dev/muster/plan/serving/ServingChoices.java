// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.serving;

import dev.muster.model.memory.WeightFormat;
import java.util.List;
import java.util.Optional;

/// What a planner may choose by itself when it serves a model, and what it may not.
///
/// @param engine the engine to plan for; empty for the usual one of each kind of device
/// @param formats weight formats to choose from; empty for the one of the request, which gives way to 16 bits where an
///     engine cannot run it
/// @param offload whether llama.cpp may leave layers and experts in the memory of the host
/// @param everyReplicaCount whether plans with fewer replicas than find room are listed too, for who weighs speed
///     against devices
/// @since 0.1
public record ServingChoices(
        Optional<ServingEngine> engine, List<WeightFormat> formats, boolean offload, boolean everyReplicaCount) {
    /// Everything is the planner's choice, and nothing lies on the host.
    public static final ServingChoices USUAL = new ServingChoices(Optional.empty(), List.of(), false, false);

    /// Copies the list.
    public ServingChoices {
        formats = List.copyOf(formats);
    }

    /// The same for one engine.
    public ServingChoices withEngine(ServingEngine other) {
        return new ServingChoices(Optional.of(other), formats, offload, everyReplicaCount);
    }

    /// The same for some weight formats.
    public ServingChoices withFormats(List<WeightFormat> others) {
        return new ServingChoices(engine, others, offload, everyReplicaCount);
    }

    /// The same with layers and experts on the host where they fit nowhere else.
    public ServingChoices withOffload(boolean allowed) {
        return new ServingChoices(engine, formats, allowed, everyReplicaCount);
    }

    /// The same with every number of replicas listed, or with as many as find room.
    public ServingChoices withEveryReplicaCount(boolean other) {
        return new ServingChoices(engine, formats, offload, other);
    }
}
