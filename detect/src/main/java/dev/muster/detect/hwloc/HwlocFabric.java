package dev.muster.detect.hwloc;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.DeviceId;
import dev.muster.core.Link;
import dev.muster.core.NodeId;
import dev.muster.core.Reading;
import dev.muster.core.TopologyNode;
import dev.muster.core.unit.Bandwidth;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// One fabric between accelerators, as a matrix of bandwidths shows it.
///
/// hwloc sees the links from a GPU to the switches, not those between switches. All NVSwitches of a host are taken for
/// one, as hwloc itself takes them when it is asked which GPUs can talk: a GPU reaches every other one through them.
///
/// @param kind what the fabric is made of
/// @param links one link for all wires between two ends
record HwlocFabric(HwlocFabricKind kind, List<Link> links) {
    static final TopologyNode.FabricSwitch SWITCH = new TopologyNode.FabricSwitch(new NodeId("nvswitch"), "NVSwitch");

    private static final double MEGABYTES = 1000;
    /// What hwloc writes for one NVLink each way, in MB/s: version 1; versions 2 to 4; newer.
    private static final long SLOW_NVLINK = 20_000;

    private static final long NVLINK = 25_000;
    private static final long FAST_NVLINK = 50_000;
    /// The most NVLinks that a GPU has: `NVML_NVLINK_MAX_LINKS` of nvml.h, driver 580, 2025.
    private static final long MOST_LINKS = 18;

    HwlocFabric {
        links = List.copyOf(links);
    }

    static HwlocFabric of(
            HwlocFabricKind kind, HwlocMatrix matrix, HwlocAccelerators accelerators, HwlocInventory inventory) {
        Map<Long, NodeId> nodes = nodes(accelerators, inventory);
        Map<Ends, Long> rates = new LinkedHashMap<>();
        List<Long> ends = matrix.ends();
        for (int row = 0; row < ends.size(); row++) {
            NodeId one = nodes.get(ends.get(row));
            for (int column = row + 1; column < ends.size(); column++) {
                NodeId other = nodes.get(ends.get(column));
                long rate = Math.max(matrix.value(row, column), matrix.value(column, row));
                // The diagonal holds made-up figures, and so do parts of one device among each other.
                if (one != null && other != null && !one.equals(other) && rate > 0) {
                    rates.merge(Ends.of(one, other), rate, Long::sum);
                }
            }
        }
        long wire = kind == HwlocFabricKind.NVLINK ? nvlinkRate(rates.values()) : Long.MAX_VALUE;
        List<Link> links = new ArrayList<>();
        rates.forEach((pair, rate) -> links.add(new Link(
                pair.from(),
                pair.to(),
                kind.link(),
                (int) Math.clamp(rate / wire, 1, MOST_LINKS),
                Reading.known(new Bandwidth(rate / MEGABYTES), HwlocFacts.SOURCE),
                Reading.notProbed())));
        return new HwlocFabric(kind, links);
    }

    /// Two ends, in the order of their names, so that a pair is one pair from either side.
    private record Ends(NodeId from, NodeId to) {
        static Ends of(NodeId one, NodeId other) {
            return one.compareTo(other) < 0 ? new Ends(one, other) : new Ends(other, one);
        }
    }

    /// What one NVLink carries, in MB/s. Figures are sums over the links of a pair.
    private static long nvlinkRate(Collection<Long> rates) {
        if (rates.stream().allMatch(rate -> rate % FAST_NVLINK == 0)
                && rates.stream().anyMatch(rate -> rate > MOST_LINKS * NVLINK)) {
            return FAST_NVLINK;
        }
        return rates.stream().allMatch(rate -> rate % NVLINK == 0) ? NVLINK : SLOW_NVLINK;
    }

    /// Which node of the topology an object of the file belongs to.
    private static Map<Long, NodeId> nodes(HwlocAccelerators accelerators, HwlocInventory inventory) {
        Map<Long, NodeId> nodes = new HashMap<>();
        for (HwlocFunction function : inventory.functions()) {
            if (function.isNvSwitch()) {
                function.object().findGlobalIndex().ifPresent(index -> nodes.put(index, SWITCH.id()));
            }
        }
        accelerators.byType().forEach((type, accelerator) -> {
            NodeId node = node(type);
            for (HwlocObject osDevice : accelerator.osDevices()) {
                osDevice.findGlobalIndex().ifPresent(index -> nodes.put(index, node));
            }
        });
        return nodes;
    }

    private static NodeId node(AcceleratorType type) {
        return TopologyNode.Device.idOf(AcceleratorProfile.builder(type).build().id());
    }

    boolean hasSwitch() {
        return links.stream().anyMatch(link -> link.touches(SWITCH.id()));
    }

    /// The device with what its links say.
    AcceleratorProfile complete(AcceleratorProfile profile) {
        List<Link> own = linksOf(profile.id());
        if (own.isEmpty()) {
            return profile;
        }
        long count = own.stream().mapToLong(Link::lanes).sum();
        double sum = own.stream()
                .flatMap(link -> link.bandwidth().find().stream())
                .mapToDouble(Bandwidth::gigabytesPerSecond)
                .sum();
        return profile.toBuilder()
                .with(DeviceFact.FABRIC_LINKS, Reading.known(count, HwlocFacts.SOURCE))
                .with(DeviceFact.FABRIC_BANDWIDTH, Reading.known(new Bandwidth(sum), HwlocFacts.SOURCE))
                .build();
    }

    /// The links of a device.
    List<Link> linksOf(DeviceId device) {
        NodeId node = TopologyNode.Device.idOf(device);
        return links.stream().filter(link -> link.touches(node)).toList();
    }
}
