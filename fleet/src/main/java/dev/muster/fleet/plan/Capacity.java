// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.plan;

import dev.muster.plan.answer.Shortfall;
import dev.muster.plan.serving.ServingRequest;
import java.util.List;
import java.util.Optional;

/// The number of replicas of some models that fit on the free devices of a fleet beside each other. Immutable.
///
/// @param sets sets of one replica of each model that fit together: a placement of so many was found
/// @param bound more sets than this cannot fit in any placement
/// @param models the share of each model
/// @param freeDevices devices that are free
/// @since 0.2
public record Capacity(long sets, long bound, List<ModelShare> models, long freeDevices) {
    /// Copies the list.
    public Capacity {
        models = List.copyOf(models);
    }

    /// The largest distance of the found sets from the most that fit: 0 if they are proven to be the most.
    public long gap() {
        return bound - sets;
    }

    /// The share of one model.
    ///
    /// @param request the model, and what is asked of each replica
    /// @param replicas replicas of it that were placed
    /// @param places the hosts of its replicas
    /// @param problem the reason why not even one replica fits; empty if one does
    /// @since 0.2
    public record ModelShare(
            ServingRequest request, long replicas, List<ReplicaGroup> places, Optional<Shortfall> problem) {
        /// Copies the list.
        public ModelShare {
            places = List.copyOf(places);
        }
    }

    /// Replicas on hosts of a kind.
    ///
    /// @param kind the devices, for people
    /// @param devices devices of each replica
    /// @param hosts hosts of each replica; 1 where it shares a host or has it to itself
    /// @param replicas the number of replicas
    /// @since 0.2
    public record ReplicaGroup(String kind, int devices, int hosts, long replicas) {}
}
