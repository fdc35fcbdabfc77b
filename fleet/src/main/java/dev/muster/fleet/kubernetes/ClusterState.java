// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.kubernetes;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceId;
import dev.muster.core.Gap;
import dev.muster.core.Provenance;
import dev.muster.fleet.Claim;
import dev.muster.fleet.HostReport;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// The known objects of a cluster, and the hosts that follow from them. Not safe for use by several
/// threads at once; its owner locks it.
final class ClusterState {
    private final String source;
    private final Provenance provenance;
    private final Map<String, NodeRecord> nodes = new TreeMap<>();
    private final Map<String, PodClaim> pods = new HashMap<>();
    private final Map<String, DraSlice> slices = new HashMap<>();
    private final Map<String, DraGrant> grants = new HashMap<>();
    /// The devices that follow from the slices, until one of them changes.
    private Map<String, DraNode.Devices> offered = Map.of();

    private List<Gap> poolGaps = List.of();
    private boolean slicesChanged;

    ClusterState(String source, Provenance provenance) {
        this.source = source;
        this.provenance = provenance;
    }

    Map<String, NodeRecord> nodes() {
        return nodes;
    }

    Map<String, PodClaim> pods() {
        return pods;
    }

    Map<String, DraGrant> grants() {
        return grants;
    }

    /// The slices, for changes.
    Map<String, DraSlice> changingSlices() {
        slicesChanged = true;
        return slices;
    }

    /// The hosts, by name.
    List<HostReport> hosts() {
        refreshOffered();
        Map<String, List<Claim>> claims = claims();
        List<HostReport> hosts = new ArrayList<>(nodes.size());
        nodes.forEach((name, node) -> hosts.add(host(node, claims.getOrDefault(name, List.of()))));
        return hosts;
    }

    /// The contradictions in these objects.
    List<Gap> gaps() {
        refreshOffered();
        return poolGaps;
    }

    private HostReport host(NodeRecord node, List<Claim> claims) {
        return new HostReport(
                node.name(),
                AcceleratorRegistry.of(devices(node)),
                node.state(),
                claims,
                node.domains(),
                node.restrictions(),
                node.labels());
    }

    /// Devices of ResourceSlices are listed in full; resources and labels describe the same devices, and count
    /// for other kinds alone.
    private List<AcceleratorProfile> devices(NodeRecord node) {
        DraNode.Devices dynamic = offered.get(node.name());
        if (dynamic == null) {
            return node.devices();
        }
        Set<AcceleratorKind> kinds = EnumSet.noneOf(AcceleratorKind.class);
        dynamic.profiles().forEach(profile -> kinds.add(profile.accelerator().kind()));
        List<AcceleratorProfile> all = new ArrayList<>(dynamic.profiles());
        for (AcceleratorProfile device : node.devices()) {
            if (!kinds.contains(device.accelerator().kind())) {
                all.add(device);
            }
        }
        return all;
    }

    private Map<String, List<Claim>> claims() {
        Map<String, List<Claim>> claims = new HashMap<>();
        new TreeMap<>(pods).values().forEach(pod -> {
            NodeRecord node = nodes.get(pod.node());
            if (node != null) {
                claims.computeIfAbsent(pod.node(), _ -> new ArrayList<>())
                        .add(new Claim("pod " + pod.pod(), "", pod.devices(node.coresOfDevice()), List.of()));
            }
        });
        if (!grants.isEmpty()) {
            addGranted(claims);
        }
        return claims;
    }

    private void addGranted(Map<String, List<Claim>> claims) {
        Map<DraNode.Place, String> nodeOf = new HashMap<>();
        offered.forEach((node, devices) -> devices.places().keySet().forEach(place -> nodeOf.put(place, node)));
        for (DraGrant grant : new TreeMap<>(grants).values()) {
            Map<String, List<DeviceId>> held = new LinkedHashMap<>();
            for (DraNode.Place place : grant.places()) {
                String node = nodeOf.get(place);
                DraNode.Devices devices = node == null ? null : offered.get(node);
                DeviceId id = devices == null ? null : devices.places().get(place);
                if (node != null && id != null) {
                    held.computeIfAbsent(node, _ -> new ArrayList<>()).add(id);
                }
            }
            held.forEach((node, ids) -> claims.computeIfAbsent(node, _ -> new ArrayList<>())
                    .add(new Claim(grant.holder(), "", ids.size(), ids)));
        }
    }

    private void refreshOffered() {
        if (!slicesChanged) {
            return;
        }
        slicesChanged = false;
        Map<DraSlice.Pool, List<DraSlice>> pools = new HashMap<>();
        List<Gap> gaps = new ArrayList<>();
        for (DraSlice slice : new TreeMap<>(slices).values()) {
            if (DraNode.isAccelerators(slice.pool().driver())) {
                pools.computeIfAbsent(slice.pool(), _ -> new ArrayList<>()).add(slice);
            }
        }
        Map<String, List<DraNode.Offered>> byNode = new TreeMap<>();
        pools.forEach((pool, all) -> {
            List<DraSlice> newest = newest(all);
            long wanted = newest.getFirst().slicesOfPool();
            if (newest.size() < wanted) {
                gaps.add(new Gap.ProbeFailed(
                        source,
                        "pool " + pool + " has " + newest.size() + " of its " + wanted
                                + " ResourceSlices; devices may be missing until its driver has written all"));
            }
            newest.forEach(slice -> place(slice, byNode, gaps));
        });
        Map<String, DraNode.Devices> found = new HashMap<>();
        byNode.forEach((node, devices) -> found.put(node, DraNode.read(devices, provenance)));
        offered = found;
        poolGaps = List.copyOf(gaps);
    }

    private static List<DraSlice> newest(Collection<DraSlice> pool) {
        long generation = pool.stream().mapToLong(DraSlice::generation).max().orElse(0);
        return pool.stream().filter(slice -> slice.generation() == generation).toList();
    }

    private void place(DraSlice slice, Map<String, List<DraNode.Offered>> byNode, List<Gap> gaps) {
        int lost = 0;
        for (DraSlice.Device device : slice.devices()) {
            String node = device.node().isBlank() ? slice.node() : device.node();
            if (node.isBlank()) {
                lost++;
            } else {
                byNode.computeIfAbsent(node, _ -> new ArrayList<>()).add(new DraNode.Offered(slice.pool(), device));
            }
        }
        if (lost > 0) {
            gaps.add(new Gap.ProbeFailed(
                    source,
                    "ResourceSlice " + slice.name() + " has " + lost
                            + " devices that belong to no single node; they are counted nowhere"));
        }
    }
}
