package dev.muster.core.topology;

import java.util.List;

/// How two nodes stand to each other.
///
/// @param proximity how near they are
/// @param lanes bundled links of the fabric between them; 0 where no fabric joins them
/// @since 0.1
public record Relation(Proximity proximity, int lanes) {
    static Relation between(TopologyGraph graph, NodeId from, NodeId to) {
        if (from.equals(to)) {
            return new Relation(Proximity.SELF, 0);
        }
        List<Link> path = graph.findPath(from, to);
        if (path.isEmpty()) {
            return new Relation(Proximity.UNKNOWN, 0);
        }
        if (path.stream().allMatch(link -> link.kind().isDeviceFabric())) {
            int lanes = path.stream().mapToInt(Link::lanes).min().orElseThrow();
            return new Relation(Proximity.FABRIC, lanes);
        }
        return new Relation(throughHost(graph, from, path), 0);
    }

    /// The furthest thing the way passes decides.
    private static Proximity throughHost(TopologyGraph graph, NodeId from, List<Link> path) {
        boolean root = false;
        boolean numa = false;
        int switches = 0;
        NodeId here = from;
        for (Link link : path) {
            if (link.kind() == LinkKind.SOCKET) {
                return Proximity.SYSTEM;
            }
            here = link.otherEnd(here);
            switch (graph.findNode(here).orElseThrow()) {
                case TopologyNode.Host _ -> {
                    return Proximity.SYSTEM;
                }
                case TopologyNode.Numa _ -> numa = true;
                case TopologyNode.PcieBridge bridge when bridge.root() -> root = true;
                case TopologyNode.PcieBridge _ -> switches++;
                case TopologyNode.FabricSwitch _, TopologyNode.Device _, TopologyNode.Nic _ -> {}
            }
        }
        if (numa) {
            return Proximity.NUMA_NODE;
        }
        if (root) {
            return Proximity.HOST_BRIDGE;
        }
        return switches > 1 ? Proximity.SWITCHES : Proximity.SINGLE_SWITCH;
    }

    /// The word in a matrix: `X`, `NV12`, `PIX`, `PXB`, `PHB`, `NODE`, `SYS`.
    public String word() {
        return proximity == Proximity.FABRIC ? proximity.word() + lanes : proximity.word();
    }
}
