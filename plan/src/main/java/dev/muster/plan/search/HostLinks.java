// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.Interconnect;
import dev.muster.core.TopologyNode;
import dev.muster.plan.answer.PlanNote;
import dev.muster.plan.answer.PlanNote.Topic;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.cost.Fabric;
import dev.muster.plan.training.OffloadStore;
import dev.muster.plan.training.TrainingCluster;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The links between devices of one kind on one host or several identical ones: within a domain from the topology,
/// beyond over the hosts' network ports.
///
/// @param hosts number of times the machines of the registry are there
/// @param machines machines that the registry itself holds
/// @param domain devices that fast links join
/// @param network bytes per second and device beyond
/// @param isKnown true if ports give the network; else it is the least that hosts have
public record HostLinks(int hosts, int machines, int domain, double network, boolean isKnown) {
    private static final List<Interconnect.InterconnectKind> NETWORKS = List.of(
            Interconnect.InterconnectKind.INFINIBAND,
            Interconnect.InterconnectKind.ROCE,
            Interconnect.InterconnectKind.ROCE_V2);
    /// Fabrics that join more devices than this go through racks.
    private static final int MOST_IN_MACHINE = 16;
    /// The share of a network's rate that collectives reach.
    private static final double SHARE = 0.85;

    /// The network bandwidth assumed for a host whose network is unknown: a port of 25 Gb/s, the least that servers
    /// with accelerators are sold with. A guess on the careful side, so that no stated network is beaten by an
    /// unknown one.
    private static final double LEAST = 25e9 / Byte.SIZE;

    private static final double GIGA = 1e9;

    /// Returns the links between the devices of a registry.
    ///
    /// @param pool devices of one kind that its machines have together
    /// @param hosts number of times that those hosts are counted
    public static HostLinks of(AcceleratorRegistry registry, DevicePool pool, int hosts) {
        int machines = machines(registry);
        int joined = registry.topology().domains().stream()
                .mapToInt(Set::size)
                .max()
                .orElse(Math.max(1, pool.count() / machines));
        int domain = hosts > 1 || machines > 1 ? across(pool.device(), joined) : Math.max(joined, pool.count());
        double rate = registry.systemIo().interconnects().stream()
                .filter(one -> NETWORKS.contains(one.kind()))
                .map(Interconnect::bandwidth)
                .flatMap(bandwidth -> bandwidth.find().stream())
                .mapToDouble(bandwidth -> bandwidth.gigabytesPerSecond() * GIGA)
                .sum();
        double network = SHARE * (rate > 0 ? rate : machines * LEAST) / pool.count();
        double own = pool.device().link();
        // A device's own link limits its traffic.
        return new HostLinks(hosts, machines, domain, own > 0 ? Math.min(network, own) : network, rate > 0);
    }

    /// Returns a note that the network between hosts was assumed, if a plan on these devices needs one.
    public Optional<PlanNote> findNote(DevicePool one) {
        return isKnown || hosts * one.count() <= domain
                ? Optional.empty()
                : Optional.of(PlanNote.of(Topic.NETWORK, network));
    }

    /// Returns the number of hosts of a registry; synthetic ones may have several.
    public static int machines(AcceleratorRegistry registry) {
        long hosts = registry.topology().nodes().stream()
                .filter(TopologyNode.HostNode.class::isInstance)
                .count();
        return Math.max(1, Math.toIntExact(hosts));
    }

    /// Returns the devices that one fabric joins if there are several hosts: those of a host, or of a rack if the
    /// fabric joins all of its hosts.
    private static int across(DeviceFigures device, int inMachine) {
        return device.domain() > MOST_IN_MACHINE ? (int) Math.max(inMachine, device.domain()) : inMachine;
    }

    /// Returns the devices of all machines.
    ///
    /// @param one those of the registry
    public DevicePool pool(DevicePool one) {
        DevicePool all = one.withCount(hosts * one.count()).withHosts(hosts * machines);
        return all.count() <= domain ? all : all.joinedBy(domain, network);
    }

    /// Returns the devices of each host.
    ///
    /// @param one those of the registry
    public int perMachine(DevicePool one) {
        return Math.max(1, one.count() / machines);
    }

    /// Returns the devices of all machines, for training.
    ///
    /// @param one those of the registry
    /// @param store place of offloaded states
    public TrainingCluster cluster(DevicePool one, OffloadStore store) {
        return new TrainingCluster(pool(one), perMachine(one), Fabric.of(one.device(), domain, network), store);
    }
}
