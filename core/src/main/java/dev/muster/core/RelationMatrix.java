// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import dev.muster.core.Relation.Proximity;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/// Relates many nodes with each other. Which of them have a way to each other at all is known before any search: they
/// stand at the same joined parts. Confined to one thread.
final class RelationMatrix {
    private final TopologyGraph graph;
    private final Joints fabric;
    private final Joints host;
    private final Joints near;
    private final Joints all;

    RelationMatrix(TopologyGraph graph) {
        this.graph = graph;
        this.fabric = new Joints(
                graph,
                TopologyNode.FabricSwitch.class::isInstance,
                link -> link.kind().isDeviceFabric());
        this.host = new Joints(graph, Relation::isPartOfHost, _ -> true);
        this.near = new Joints(graph, Relation::isNoDevice, link -> !link.kind().isNetwork());
        this.all = new Joints(graph, Relation::isNoDevice, _ -> true);
    }

    List<List<Relation>> of(List<NodeId> nodes) {
        Relation[][] rows = new Relation[nodes.size()][nodes.size()];
        for (int i = 0; i < rows.length; i++) {
            for (int j = 0; j <= i; j++) {
                rows[i][j] = between(nodes.get(j), nodes.get(i));
                rows[j][i] = rows[i][j];
            }
        }
        return Arrays.stream(rows).map(List::of).toList();
    }

    private Relation between(NodeId from, NodeId to) {
        if (from.equals(to)) {
            return Relation.of(Proximity.SELF);
        }
        Optional<FabricBundle> bundle = fabric.join(from, to) ? FabricBundle.find(graph, from, to) : Optional.empty();
        if (bundle.isPresent()) {
            return Relation.of(bundle.get());
        }
        if (host.join(from, to)) {
            return Relation.of(Relation.throughHost(graph, from, Relation.pathInHost(graph, from, to)));
        }
        if (!all.join(from, to)) {
            return Relation.of(Proximity.UNKNOWN);
        }
        // Without a way past the network, every way is one through it.
        return Relation.of(near.join(from, to) ? Relation.throughNetwork(graph, from, to) : Proximity.NETWORK);
    }

    /// Parts that forward, and which of them are joined. Confined to one thread.
    private static final class Joints {
        private static final int[] NONE = {};

        private final TopologyGraph graph;
        private final Predicate<Link> travelled;
        private final Map<NodeId, Integer> parts = new HashMap<>();
        private final Map<NodeId, int[]> reached = new HashMap<>();

        Joints(TopologyGraph graph, Predicate<TopologyNode> forwards, Predicate<Link> kinds) {
            this.graph = graph;
            this.travelled = link -> !link.isDown() && kinds.test(link);
            int found = 0;
            for (TopologyNode node : graph.nodes()) {
                if (forwards.test(node) && !parts.containsKey(node.id())) {
                    spread(node.id(), found++, forwards);
                }
            }
        }

        private void spread(NodeId start, int part, Predicate<TopologyNode> forwards) {
            parts.put(start, part);
            ArrayDeque<NodeId> open = new ArrayDeque<>(List.of(start));
            while (!open.isEmpty()) {
                NodeId here = open.remove();
                for (Link link : graph.linksOf(here)) {
                    NodeId next = link.otherEnd(here);
                    if (travelled.test(link)
                            && graph.findNode(next).filter(forwards).isPresent()
                            && parts.putIfAbsent(next, part) == null) {
                        open.add(next);
                    }
                }
            }
        }

        /// Reports whether there is a way from one node to another: one link, or joined parts next to both.
        boolean join(NodeId from, NodeId to) {
            int[] ours = reached.computeIfAbsent(from, this::partsNextTo);
            int[] theirs = reached.computeIfAbsent(to, this::partsNextTo);
            for (int our : ours) {
                if (Arrays.binarySearch(theirs, our) >= 0) {
                    return true;
                }
            }
            return areLinked(from, to);
        }

        private int[] partsNextTo(NodeId node) {
            List<Integer> found = new ArrayList<>();
            for (Link link : graph.linksOf(node)) {
                Integer part = travelled.test(link) ? parts.get(link.otherEnd(node)) : null;
                if (part != null) {
                    found.add(part);
                }
            }
            return found.isEmpty()
                    ? NONE
                    : found.stream()
                            .mapToInt(Integer::intValue)
                            .sorted()
                            .distinct()
                            .toArray();
        }

        private boolean areLinked(NodeId from, NodeId to) {
            for (Link link : graph.linksOf(from)) {
                if (link.touches(to) && travelled.test(link)) {
                    return true;
                }
            }
            return false;
        }
    }
}
