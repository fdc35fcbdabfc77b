// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// Breadth-first search over live links. Device fabrics are tried first, so that of two ways with as many links the
/// one past the host wins.
record ShortestPath(TopologyGraph graph, Predicate<TopologyNode> passable) {
    List<Link> find(NodeId from, NodeId to) {
        Map<NodeId, Link> reachedBy = new HashMap<>();
        ArrayDeque<NodeId> open = new ArrayDeque<>(List.of(from));
        while (!open.isEmpty() && !reachedBy.containsKey(to)) {
            NodeId here = open.remove();
            if (!here.equals(from) && graph.findNode(here).filter(passable).isEmpty()) {
                continue;
            }
            for (Link link : fabricFirst(graph.linksOf(here))) {
                NodeId there = link.otherEnd(here);
                if (!link.isDown() && !there.equals(from) && reachedBy.putIfAbsent(there, link) == null) {
                    open.add(there);
                }
            }
        }
        return walkBack(reachedBy, from, to);
    }

    private static List<Link> fabricFirst(List<Link> links) {
        List<Link> ordered = new ArrayList<>(links);
        ordered.sort(
                (a, b) -> Boolean.compare(b.kind().isDeviceFabric(), a.kind().isDeviceFabric()));
        return ordered;
    }

    private static List<Link> walkBack(Map<NodeId, Link> reachedBy, NodeId from, NodeId to) {
        List<Link> path = new ArrayList<>();
        NodeId here = to;
        while (!here.equals(from)) {
            Link link = reachedBy.get(here);
            if (link == null) {
                return List.of();
            }
            path.add(link);
            here = link.otherEnd(here);
        }
        Collections.reverse(path);
        return path;
    }
}
