// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The relation of two nodes in a topology.
///
/// @param proximity their proximity
/// @param fabric kind of the fabric between them; null if no fabric joins them
/// @param lanes number of links of that fabric that work side by side; 0 if no fabric joins them
/// @since 0.1
public record Relation(Proximity proximity, @Nullable LinkKind fabric, int lanes) {
    /// Creates a relation without a fabric.
    static Relation of(Proximity proximity) {
        return new Relation(proximity, null, 0);
    }

    static Relation of(FabricBundle bundle) {
        return new Relation(Proximity.FABRIC, bundle.kind(), bundle.lanes());
    }

    static Relation between(TopologyGraph graph, NodeId from, NodeId to) {
        if (from.equals(to)) {
            return of(Proximity.SELF);
        }
        Optional<FabricBundle> bundle = FabricBundle.find(graph, from, to);
        if (bundle.isPresent()) {
            return of(bundle.get());
        }
        List<Link> path = pathInHost(graph, from, to);
        return of(path.isEmpty() ? throughNetwork(graph, from, to) : throughHost(graph, from, path));
    }

    static List<Link> pathInHost(TopologyGraph graph, NodeId from, NodeId to) {
        return new TopologyGraph.ShortestPath(graph, Relation::isPartOfHost).find(from, to);
    }

    static Proximity throughNetwork(TopologyGraph graph, NodeId from, NodeId to) {
        return new TopologyGraph.ShortestPath(graph, Relation::isNoDevice)
                        .find(from, to).stream().anyMatch(link -> link.kind().isNetwork())
                ? Proximity.NETWORK
                : Proximity.UNKNOWN;
    }

    static boolean isNoDevice(TopologyNode node) {
        return !(node instanceof TopologyNode.DeviceNode);
    }

    /// Devices and network cards forward nothing, and neither does a fabric on the way through the host.
    static boolean isPartOfHost(TopologyNode node) {

        return node instanceof TopologyNode.HostNode
                || node instanceof TopologyNode.NumaNode
                || node instanceof TopologyNode.PcieBridge;
    }

    /// The furthest thing the way passes decides, both ends included.
    static Proximity throughHost(TopologyGraph graph, NodeId from, List<Link> path) {
        Proximity furthest = Proximity.SINGLE_SWITCH;
        int switches = 0;
        NodeId here = from;
        for (int i = 0; i <= path.size(); i++) {
            TopologyNode node = graph.findNode(here).orElseThrow();
            Proximity passed = Proximity.SINGLE_SWITCH;
            if (node instanceof TopologyNode.HostNode) {
                passed = Proximity.SYSTEM;
            } else if (node instanceof TopologyNode.NumaNode) {
                passed = Proximity.NUMA_NODE;
            } else if (node instanceof TopologyNode.PcieBridge bridge) {
                switches += bridge.root() ? 0 : 1;
                passed = bridge.root() ? Proximity.HOST_BRIDGE : switches > 1 ? Proximity.SWITCHES : passed;
            }
            furthest = passed.compareTo(furthest) > 0 ? passed : furthest;
            if (i < path.size()) {
                Link link = path.get(i);
                furthest = link.kind() == LinkKind.SOCKET ? Proximity.SYSTEM : furthest;
                here = link.otherEnd(here);
            }
        }
        boolean known = !isSomewhere(graph, path.getFirst(), from) && !isSomewhere(graph, path.getLast(), here);
        return known ? furthest : Proximity.UNKNOWN;
    }

    /// Reports whether a device or card hangs on the host itself: it is somewhere in it, and no source said where.
    private static boolean isSomewhere(TopologyGraph graph, Link link, NodeId end) {
        return link.kind() == LinkKind.INTERNAL
                && !isPartOfHost(graph.findNode(end).orElseThrow())
                && graph.findNode(link.otherEnd(end)).orElseThrow() instanceof TopologyNode.HostNode;
    }

    /// Returns the word in a matrix: `X`, `NV18`, `XGMI1`, `PIX`, `PXB`, `PHB`, `NODE`, `SYS`, `NET`.
    public String word() {
        return fabric == null ? proximity.word() : fabric.word() + lanes;
    }

    /// The proximity of two nodes, in the words of `nvidia-smi topo`. Nearer comes first.
    ///
    /// @since 0.1
    public enum Proximity {
        /// The same node.
        SELF("X"),
        /// A device fabric such as NVLink or XGMI, directly or through its switches.
        FABRIC("fabric"),
        /// At most one PCI Express switch between them.
        SINGLE_SWITCH("PIX"),
        /// Several PCI Express switches, but not the host's root.
        SWITCHES("PXB"),
        /// The host's root of PCI Express.
        HOST_BRIDGE("PHB"),
        /// The same NUMA node.
        NUMA_NODE("NODE"),
        /// The link between NUMA nodes.
        SYSTEM("SYS"),
        /// A network between hosts.
        NETWORK("NET"),
        /// Not joined as far as the topology knows.
        UNKNOWN("?");

        private final String word;

        Proximity(String word) {
            this.word = word;
        }

        /// Returns the word in a matrix; fabrics have that of their kind, see [Relation#word()].
        public String word() {
            return word;
        }
    }
}
