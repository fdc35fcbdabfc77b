// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.plan;

import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.training.TrainingPlan;

/// The number of hosts of a plan, and their grouping. Immutable.
///
/// @param groups sets of hosts that each hold a replica; where replicas lie within hosts, all hosts are groups of one
/// @param size hosts of each set
/// @param devices devices of each host that do something
record HostNeed(int groups, int size, int devices) {
    /// Reports whether replicas of a plan lie within hosts, or on whole ones.
    static boolean isOnWholeHosts(ServingPlan plan) {
        int replica = plan.layout().devices();
        return replica <= perHost(plan) || replica % perHost(plan) == 0;
    }

    private static int perHost(ServingPlan plan) {
        return Math.max(1, plan.pool().count() / plan.pool().hosts());
    }

    static HostNeed of(ServingPlan plan) {
        int perHost = perHost(plan);
        int replica = plan.layout().devices();
        if (replica > perHost) {
            return new HostNeed(plan.replicas(), Math.ceilDiv(replica, perHost), perHost);
        }
        int perHostReplicas = Math.min(plan.replicas(), perHost / replica);
        return new HostNeed(Math.ceilDiv(plan.replicas(), perHostReplicas), 1, perHostReplicas * replica);
    }

    /// The replicas of a training run talk to each other, so all hosts are one set.
    static HostNeed of(TrainingPlan plan) {
        int perHost = Math.max(1, plan.cluster().perHost());
        int hosts = Math.ceilDiv(plan.devices(), perHost);
        return new HostNeed(1, hosts, Math.ceilDiv(plan.devices(), hosts));
    }
}
