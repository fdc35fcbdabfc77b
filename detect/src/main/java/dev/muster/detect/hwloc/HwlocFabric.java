// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.hwloc;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.DeviceId;
import dev.muster.core.Interconnect;
import dev.muster.core.Link;
import dev.muster.core.LinkKind;
import dev.muster.core.NodeId;
import dev.muster.core.Reading;
import dev.muster.core.TopologyNode;
import dev.muster.core.unit.Bandwidth;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// One fabric between accelerators, as a matrix of bandwidths shows it.
///
/// hwloc sees the links from a GPU to the switches, not those between switches. All NVSwitches of a host are taken for
/// one, as hwloc itself takes them when it is asked which GPUs can talk: a GPU reaches every other one through them.
///
/// @param kind kind of fabric
/// @param links one link for all wires between two ends
record HwlocFabric(Kind kind, List<Link> links) {
    static final TopologyNode.FabricSwitch SWITCH = new TopologyNode.FabricSwitch(new NodeId("nvswitch"), "NVSwitch");

    private static final double MEGABYTES = 1000;
    /// hwloc's figure for one NVLink each way, in MB/s: version 1; versions 2 to 4; newer.
    private static final long SLOW_NVLINK = 20_000;

    private static final long NVLINK = 25_000;
    private static final long FAST_NVLINK = 50_000;
    /// The most NVLinks that a GPU has: `NVML_NVLINK_MAX_LINKS` of nvml.h, driver 580, 2025.
    private static final long MOST_LINKS = 18;

    /// The fabrics of which hwloc writes a matrix, in MB/s each way.
    enum Kind {
        NVLINK("NVLinkBandwidth", LinkKind.NVLINK),
        XGMI("XGMIBandwidth", LinkKind.XGMI),
        XE_LINK("XeLinkBandwidth", LinkKind.XE_LINK);

        private final String matrix;
        private final LinkKind link;

        Kind(String matrix, LinkKind link) {
            this.matrix = matrix;
            this.link = link;
        }

        /// The fabric of a matrix.
        static Optional<Kind> find(String matrix) {
            for (Kind kind : values()) {
                if (kind.matrix.equals(matrix)) {
                    return Optional.of(kind);
                }
            }
            return Optional.empty();
        }

        String matrix() {
            return matrix;
        }
    }

    HwlocFabric {
        links = List.copyOf(links);
    }

    static HwlocFabric of(HwlocMatrix matrix, HwlocAccelerators accelerators, HwlocInventory inventory) {
        Kind kind = matrix.kind();
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
        long wire = kind == Kind.NVLINK ? nvlinkRate(rates.values()) : Long.MAX_VALUE;
        List<Link> links = new ArrayList<>();
        rates.forEach((pair, rate) -> links.add(new Link(
                pair.from(),
                pair.to(),
                kind.link,
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

    /// Returns the rate of one NVLink, in MB/s. Figures are sums over the links of a pair.
    private static long nvlinkRate(Collection<Long> rates) {
        if (rates.stream().allMatch(rate -> rate % FAST_NVLINK == 0)
                && rates.stream().anyMatch(rate -> rate > MOST_LINKS * NVLINK)) {
            return FAST_NVLINK;
        }
        return rates.stream().allMatch(rate -> rate % NVLINK == 0) ? NVLINK : SLOW_NVLINK;
    }

    /// Returns the node of the topology that an object of the file belongs to.
    private static Map<Long, NodeId> nodes(HwlocAccelerators accelerators, HwlocInventory inventory) {
        Map<Long, NodeId> nodes = new HashMap<>();
        for (HwlocFunction function : inventory.functions) {
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
        return TopologyNode.DeviceNode.idOf(
                AcceleratorProfile.builder(type).build().id());
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

    private List<Link> linksOf(DeviceId device) {
        NodeId node = TopologyNode.DeviceNode.idOf(device);
        return links.stream().filter(link -> link.touches(node)).toList();
    }

    /// The fabric in the words that a detection has for it.
    ///
    /// @param profiles the devices, completed by what their links say
    List<Interconnect> interconnects(List<AcceleratorProfile> profiles) {
        List<AcceleratorProfile> joined = profiles.stream()
                .filter(profile -> !linksOf(profile.id()).isEmpty())
                .toList();
        if (joined.isEmpty()) {
            return List.of();
        }
        return switch (kind) {
            case NVLINK -> nvlinks(joined);
            case XGMI -> List.of(whole(Interconnect.InterconnectKind.XGMI, "XGMI", joined, joined.size() + " GPUs"));
            // Documents have no word for it; the topology shows it.
            case XE_LINK -> List.of();
        };
    }

    private List<Interconnect> nvlinks(List<AcceleratorProfile> joined) {
        List<Interconnect> found = new ArrayList<>();
        for (AcceleratorProfile gpu : joined) {
            found.add(new Interconnect(
                    Interconnect.InterconnectKind.NVLINK,
                    gpu.id().text(),
                    gpu.reading(DeviceFact.FABRIC_BANDWIDTH),
                    gpu.reading(DeviceFact.FABRIC_LINKS).map(count -> count + " links")));
        }
        if (hasSwitch()) {
            long lanes =
                    joined.getFirst().reading(DeviceFact.FABRIC_LINKS).find().orElse(0L);
            found.add(whole(Interconnect.InterconnectKind.NVSWITCH, SWITCH.name(), joined, "NV" + lanes));
        }
        return found;
    }

    /// A fabric as a whole carries what its slowest member can send.
    private static Interconnect whole(
            Interconnect.InterconnectKind kind, String name, List<AcceleratorProfile> joined, String state) {
        Reading<Bandwidth> slowest = joined.stream()
                .map(gpu -> gpu.reading(DeviceFact.FABRIC_BANDWIDTH))
                .min(Comparator.comparing(rate -> rate.find().orElse(new Bandwidth(0))))
                .orElseThrow();
        return new Interconnect(
                kind, name + " (" + joined.size() + " GPUs)", slowest, Reading.known(state, HwlocFacts.SOURCE));
    }
}
