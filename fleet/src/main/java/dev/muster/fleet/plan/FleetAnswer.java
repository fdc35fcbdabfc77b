// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.plan;

import dev.muster.core.DeviceId;
import dev.muster.fleet.Domain;
import dev.muster.fleet.FleetHost;
import dev.muster.fleet.Restriction;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.launch.Launcher.Site;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The answer for a fleet: the plan, its hosts, and the considered alternatives. Immutable.
///
/// @param <P> the type of plan
/// @param answer the plan on the kind of hosts that is best, or why there is none
/// @param hosts the chosen hosts, those of each replica together; empty without a plan
/// @param domains the domains that these hosts share, the nearest first
/// @param considered every kind of hosts that is free, the chosen one first
/// @param refused the number of hosts were not looked at, by the reason
/// @since 0.2
public record FleetAnswer<P>(
        PlanAnswer<P> answer,
        List<HostShare> hosts,
        List<Domain> domains,
        List<Considered<P>> considered,
        Map<String, Integer> refused) {
    /// Copies the lists.
    public FleetAnswer {
        hosts = List.copyOf(hosts);
        domains = List.copyOf(domains);
        considered = List.copyOf(considered);
        refused = Map.copyOf(refused);
    }

    /// Reports whether there is a plan that does.
    public boolean isFeasible() {
        return answer.isFeasible();
    }

    /// The hosts as launch targets are told of them.
    ///
    /// @param admission the rule that admitted the hosts
    /// @throws IllegalStateException if no plan was found
    public Site site(Admission admission) {
        if (hosts.isEmpty()) {
            throw new IllegalStateException("no plan was found, so it has no hosts");
        }
        Set<String> taints = new LinkedHashSet<>();
        boolean shared = false;
        List<String> names = new ArrayList<>();
        for (HostShare share : hosts) {
            names.add(share.host().name());
            // Who has a claim is on the host, even without devices: a job that wants the host to itself would wait.
            shared |= share.devices().size() < share.host().accelerators().size()
                    || !share.host().claims().isEmpty();
            share.host().restrictions().stream()
                    .filter(one -> one.kind() == Restriction.RestrictionKind.TAINT)
                    .forEach(taint -> taints.add(taint.name()));
        }
        return new Site(names, admission.partition(), admission.reservation(), List.copyOf(taints), shared);
    }

    /// Devices of a host that a plan uses.
    ///
    /// @param host the host
    /// @param devices its devices, by id
    /// @since 0.2
    public record HostShare(FleetHost host, List<DeviceId> devices) {
        /// Copies the list.
        public HostShare {
            devices = List.copyOf(devices);
        }
    }

    /// A kind of hosts that was looked at.
    ///
    /// @param <P> the type of plan
    /// @param kind its devices, for people
    /// @param devices free devices of each host
    /// @param free hosts that have so many
    /// @param needed hosts that the plan takes; 0 where there is none
    /// @param answer the answer for them
    /// @since 0.2
    public record Considered<P>(String kind, int devices, int free, int needed, PlanAnswer<P> answer) {}
}
