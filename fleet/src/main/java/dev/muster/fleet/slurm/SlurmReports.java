// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.slurm;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.DeviceId;
import dev.muster.core.Provenance;
import dev.muster.fleet.Claim;
import dev.muster.fleet.HostReport;
import dev.muster.fleet.Restriction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Makes hosts of Slurm's nodes, jobs, reservations and switches.
///
/// @param source the source of facts
record SlurmReports(Provenance source) {
    private static final String GPU = "gpu";
    /// The states of a node whose CPUs are all given out, as they are to a job that has the node to itself. No job is
    /// started there, so devices that were not requested are not free.
    private static final Set<String> ALLOCATED = Set.of("ALLOCATED", "ALLOC");

    private static final String NO_CPU = "no CPU is free";

    List<HostReport> of(
            List<SlurmNode> nodes, List<SlurmJob> jobs, List<SlurmReservation> reservations, SlurmTopology topology) {
        Map<String, List<SlurmJob>> byNode = new HashMap<>();
        for (SlurmJob job : jobs) {
            if (job.running()) {
                job.gres()
                        .keySet()
                        .forEach(node -> byNode.computeIfAbsent(node, _ -> new ArrayList<>())
                                .add(job));
            }
        }
        Map<String, List<Restriction>> reserved = reserved(reservations);
        // A node that is shown once for each of its partitions is still one.
        Map<String, SlurmNode> distinct = new LinkedHashMap<>();
        nodes.forEach(node -> distinct.putIfAbsent(node.name(), node));
        List<HostReport> hosts = new ArrayList<>();
        for (SlurmNode node : distinct.values()) {
            List<AcceleratorProfile> devices = GresDevices.of(configured(node), source);
            Map<String, String> labels = new LinkedHashMap<>();
            node.features().forEach(feature -> labels.put("slurm.feature/" + feature, "true"));
            hosts.add(new HostReport(
                    node.name(),
                    registry(node, devices),
                    NodeStates.of(node.states(), node.reason()),
                    claims(node, devices, byNode.getOrDefault(node.name(), List.of())),
                    topology.domains(node.name()),
                    restrictions(node, reserved.getOrDefault(node.name(), List.of())),
                    labels));
        }
        return hosts;
    }

    /// The configured resources. If none has a name, the list of TRES may still count GPUs.
    private static List<Gres> configured(SlurmNode node) {
        return node.gres().stream().noneMatch(GresDevices::isDevice) && node.configuredGpus() > 0
                ? List.of(new Gres(GPU, "", Math.min(node.configuredGpus(), Gres.MAX_COUNT), List.of()))
                : node.gres();
    }

    private AcceleratorRegistry registry(SlurmNode node, List<AcceleratorProfile> devices) {
        List<AcceleratorProfile> all = new ArrayList<>();
        all.add(AcceleratorProfile.builder(AcceleratorType.cpu())
                .with(DeviceFact.MEMORY, node.memory())
                .with(DeviceFact.THREADS, node.cpus())
                .build());
        all.addAll(devices);
        return AcceleratorRegistry.of(all);
    }

    private static Map<String, List<Restriction>> reserved(List<SlurmReservation> reservations) {
        Map<String, List<Restriction>> reserved = new HashMap<>();
        for (SlurmReservation one : reservations) {
            if (one.active()) {
                Restriction restriction =
                        new Restriction(Restriction.RestrictionKind.RESERVATION, one.name(), one.detail());
                one.nodes()
                        .forEach(node -> reserved.computeIfAbsent(node, _ -> new ArrayList<>())
                                .add(restriction));
            }
        }
        return reserved;
    }

    private static List<Restriction> restrictions(SlurmNode node, List<Restriction> reserved) {
        List<Restriction> all = new ArrayList<>();
        node.partitions().forEach(name -> all.add(new Restriction(Restriction.RestrictionKind.PARTITION, name, "")));
        all.addAll(reserved);
        boolean listed = reserved.stream().anyMatch(one -> one.name().equals(node.reservation()));
        if (!node.reservation().isBlank() && !listed) {
            all.add(new Restriction(Restriction.RestrictionKind.RESERVATION, node.reservation(), ""));
        }
        return all;
    }

    /// Those of jobs, and what the node says to be in use beyond them.
    private List<Claim> claims(SlurmNode node, List<AcceleratorProfile> devices, List<SlurmJob> jobs) {
        Set<DeviceId> known = new HashSet<>();
        devices.forEach(device -> known.add(device.id()));
        List<Claim> claims = new ArrayList<>();
        Set<DeviceId> held = new HashSet<>();
        int counted = 0;
        for (SlurmJob job : jobs) {
            Holding holding = holding(node, job.gres().getOrDefault(node.name(), List.of()), known);
            // A job without devices is reported too: it shares the host with the jobs that hold them.
            if (holding.count > 0 || !devices.isEmpty()) {
                claims.add(new Claim("job " + job.id(), job.user(), holding.count, holding.devices));
                held.addAll(holding.devices);
                counted += holding.count;
            }
        }
        Holding used = holding(node, node.used(), known);
        int inUse = Math.max(used.count, node.used().isEmpty() ? node.allocatedGpus() : 0);
        if (inUse > counted) {
            List<DeviceId> rest =
                    used.devices.stream().filter(id -> !held.contains(id)).toList();
            int count = inUse - counted;
            claims.add(new Claim("slurm", "", count, rest.size() > count ? List.of() : rest));
        }
        int stranded = devices.size() - Math.max(counted, inUse);
        if (stranded > 0 && node.states().stream().anyMatch(ALLOCATED::contains)) {
            claims.add(new Claim(NO_CPU, "", stranded, List.of()));
        }
        return claims;
    }

    private record Holding(int count, List<DeviceId> devices) {}

    private Holding holding(SlurmNode node, List<Gres> gres, Set<DeviceId> known) {
        int count = 0;
        List<DeviceId> devices = new ArrayList<>();
        for (Gres one : gres) {
            if (GresDevices.isDevice(one) && one.count() <= Gres.MAX_COUNT) {
                count += one.count();
                // Slurm numbers what is held among all of the resource's name, of any type.
                List<Gres> same = configured(node).stream()
                        .filter(other -> other.name().equals(one.name()))
                        .toList();
                for (int index : one.indices()) {
                    DeviceId id = GresDevices.id(typed(same, one, index), index, source);
                    if (known.contains(id) && !devices.contains(id) && devices.size() < count) {
                        devices.add(id);
                    }
                }
            }
        }
        return new Holding(count, devices);
    }

    /// The configured resource that a number belongs to.
    private static Gres typed(List<Gres> same, Gres otherwise, int index) {
        int end = 0;
        for (Gres one : same) {
            end += one.count();
            if (index < end) {
                return one;
            }
        }
        return otherwise;
    }
}
