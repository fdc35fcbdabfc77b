package dev.muster.cli;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.Interconnect;
import dev.muster.core.InterconnectKind;
import dev.muster.core.topology.TopologyNode;
import dev.muster.plan.search.DevicePool;
import dev.muster.plan.time.CoefficientTable;
import dev.muster.plan.time.DeviceFigures;
import dev.muster.plan.time.Fabric;
import dev.muster.plan.training.TrainingCluster;
import java.util.List;
import java.util.Set;

/// `--hosts`, and how devices of one kind reach each other: within a domain as the topology says, beyond over the
/// network
/// ports that the machines have.
///
/// @param hosts machines like the one that is asked
/// @param inOne machines that the registry itself holds
/// @param domain devices that fast links join
/// @param network bytes per second and device beyond
/// @param isKnown whether ports tell the network; else it is what published runs have
record HostNetwork(int hosts, int inOne, int domain, double network, boolean isKnown) {
    static final OptionSpec HOSTS = OptionSpec.value(
            "hosts", "COUNT", "so many machines like this one, joined by their network; 1 unless said");

    private static final List<InterconnectKind> NETWORKS =
            List.of(InterconnectKind.INFINIBAND, InterconnectKind.ROCE, InterconnectKind.ROCE_V2);
    /// More devices than anybody has in one place.
    private static final int MOST_DEVICES = 1 << 20;
    /// Fabrics that join more devices than this go through racks.
    private static final int MOST_IN_MACHINE = 16;
    /// Of a network's rate, what collectives reach.
    private static final double SHARE = 0.85;

    private static final double GIGA = 1e9;

    /// How many machines like the one that is asked there are.
    ///
    /// @throws UsageException if it is no number
    static int hosts(Arguments arguments) {
        return ServingPlanning.number(arguments, HOSTS, 1, 1);
    }

    /// The machines that a registry itself holds: made-up ones may be several.
    static int machines(AcceleratorRegistry registry) {
        long hosts = registry.topology().nodes().stream()
                .filter(TopologyNode.Host.class::isInstance)
                .count();
        return Math.max(1, Math.toIntExact(hosts));
    }

    /// The network of a registry's machines.
    ///
    /// @param pool devices of one kind that they have together
    /// @param hosts how many times those machines are there
    ///
    /// @throws UsageException if there are more devices than can be planned for
    static HostNetwork of(AcceleratorRegistry registry, DevicePool pool, int hosts) {
        if ((long) hosts * pool.count() > MOST_DEVICES) {
            throw new UsageException("--hosts " + hosts + " with " + pool.count() + " devices each are more than the "
                    + MOST_DEVICES + " that can be planned for");
        }
        int machines = machines(registry);
        int each = Math.max(1, pool.count() / machines);
        int joined =
                registry.topology().domains().stream().mapToInt(Set::size).max().orElse(each);
        int domain = hosts > 1 || machines > 1 ? across(pool.device(), joined) : Math.max(joined, pool.count());
        double rate = registry.systemIo().interconnects().stream()
                .filter(one -> NETWORKS.contains(one.kind()))
                .map(Interconnect::bandwidth)
                .flatMap(bandwidth -> bandwidth.find().stream())
                .mapToDouble(bandwidth -> bandwidth.gigabytesPerSecond() * GIGA)
                .sum();
        double usual = CoefficientTable.builtIn().get("training/network");
        double network = rate > 0 ? SHARE * rate / pool.count() : usual;
        double own = pool.device().link();
        // Nothing leaves a device faster than its own link takes it.
        return new HostNetwork(hosts, machines, domain, own > 0 ? Math.min(network, own) : network, rate > 0);
    }

    /// Devices that one fabric joins where there are several machines: those of a machine, or of a rack where the
    /// fabric
    /// goes through all of its machines.
    private static int across(DeviceFigures device, int inMachine) {
        return device.domain() > MOST_IN_MACHINE ? (int) Math.max(inMachine, device.domain()) : inMachine;
    }

    /// The devices of all machines, to serve a model.
    DevicePool pool(DevicePool one, Session session) {
        DevicePool all = one.withCount(hosts * one.count());
        if (all.count() <= domain) {
            return all;
        }
        sayGuess(session);
        return all.joinedBy(domain, network);
    }

    /// The devices of all machines, to train a model.
    TrainingCluster cluster(DevicePool one, Session session) {
        DevicePool all = pool(one, session);
        return new TrainingCluster(all, Math.max(1, one.count() / inOne), Fabric.of(one.device(), domain, network));
    }

    private void sayGuess(Session session) {
        if (!isKnown) {
            session.note("muster: nobody knows the network between hosts; taken is " + Math.round(network / GIGA)
                    + " GB/s for each device, as published runs have it");
        }
    }
}
