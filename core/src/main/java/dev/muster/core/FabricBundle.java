// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import java.util.ArrayDeque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Links of a device fabric that work side by side between two nodes.
///
/// @param kind kind of the links
/// @param lanes number of links
record FabricBundle(LinkKind kind, int lanes) {
    /// Returns the widest bundle between two nodes. A bundle has their direct links and those over each switch that
    /// both share; without any, it is the widest path over several switches.
    static Optional<FabricBundle> find(TopologyGraph graph, NodeId from, NodeId to) {
        Set<LinkKind> kinds = EnumSet.noneOf(LinkKind.class);
        for (Link link : graph.linksOf(from)) {
            if (link.kind().isDeviceFabric() && !link.isDown()) {
                kinds.add(link.kind());
            }
        }
        FabricBundle widest = null;
        for (LinkKind kind : kinds) {
            int beside = sideBySide(graph, kind, from, to);
            int lanes = beside > 0 ? beside : overSwitches(graph, kind, from, to);
            if (lanes > (widest == null ? 0 : widest.lanes)) {
                widest = new FabricBundle(kind, lanes);
            }
        }
        return Optional.ofNullable(widest);
    }

    private static int sideBySide(TopologyGraph graph, LinkKind kind, NodeId from, NodeId to) {
        Map<NodeId, Integer> reached = lanesByNeighbour(graph, kind, from);
        int lanes = reached.getOrDefault(to, 0);
        for (Map.Entry<NodeId, Integer> neighbour : reached.entrySet()) {
            if (!neighbour.getKey().equals(to) && isSwitch(graph, neighbour.getKey())) {
                int beyond = 0;
                for (Link link : graph.linksOf(neighbour.getKey())) {
                    beyond += link.kind() == kind && !link.isDown() && link.touches(to) ? link.lanes() : 0;
                }
                lanes += Math.min(neighbour.getValue(), beyond);
            }
        }
        return lanes;
    }

    private static Map<NodeId, Integer> lanesByNeighbour(TopologyGraph graph, LinkKind kind, NodeId node) {
        Map<NodeId, Integer> lanes = new HashMap<>();
        for (Link link : graph.linksOf(node)) {
            if (link.kind() == kind && !link.isDown()) {
                lanes.merge(link.otherEnd(node), link.lanes(), Integer::sum);
            }
        }
        return lanes;
    }

    private static int overSwitches(TopologyGraph graph, LinkKind kind, NodeId from, NodeId to) {
        Map<NodeId, Integer> widest = new HashMap<>(Map.of(from, Integer.MAX_VALUE));
        ArrayDeque<NodeId> open = new ArrayDeque<>(List.of(from));
        while (!open.isEmpty()) {
            NodeId here = open.remove();
            int most = widest.getOrDefault(here, 0);
            lanesByNeighbour(graph, kind, here).forEach((next, joined) -> {
                int lanes = Math.min(most, joined);
                if (lanes > widest.getOrDefault(next, 0)) {
                    widest.put(next, lanes);
                    if (isSwitch(graph, next)) {
                        open.add(next);
                    }
                }
            });
        }
        return widest.getOrDefault(to, 0);
    }

    private static boolean isSwitch(TopologyGraph graph, NodeId node) {
        return graph.findNode(node).orElseThrow() instanceof TopologyNode.FabricSwitch;
    }
}
