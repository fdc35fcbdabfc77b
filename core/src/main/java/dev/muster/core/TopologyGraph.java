// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// The nodes of a host, or of several, and the links between them. Immutable and safe to share between threads.
///
/// Links that are known to be down are kept, for people to see, and are never travelled.
///
/// @since 0.1
public final class TopologyGraph {
    /// No nodes at all.
    public static final TopologyGraph EMPTY = of(List.of(), List.of());

    private final Map<NodeId, TopologyNode> nodes;
    private final List<Link> links;
    private final Map<NodeId, List<Link>> linksByNode;

    private TopologyGraph(Map<NodeId, TopologyNode> nodes, List<Link> links) {
        this.nodes = Collections.unmodifiableMap(nodes);
        this.links = List.copyOf(links);
        Map<NodeId, List<Link>> byNode = new HashMap<>();
        for (Link link : this.links) {
            byNode.computeIfAbsent(link.from(), _ -> new ArrayList<>()).add(link);
            byNode.computeIfAbsent(link.to(), _ -> new ArrayList<>()).add(link);
        }
        byNode.replaceAll((_, some) -> List.copyOf(some));
        this.linksByNode = byNode;
    }

    /// A topology of those nodes and links.
    ///
    /// @throws IllegalArgumentException if two nodes have one id or a link ends at no node
    public static TopologyGraph of(Collection<? extends TopologyNode> nodes, Collection<Link> links) {
        Map<NodeId, TopologyNode> byId = new LinkedHashMap<>();
        for (TopologyNode node : nodes) {
            if (byId.put(node.id(), node) != null) {
                throw new IllegalArgumentException("two nodes have the id " + node.id());
            }
        }
        for (Link link : links) {
            requireNode(byId, link.from());
            requireNode(byId, link.to());
        }
        return new TopologyGraph(byId, List.copyOf(links));
    }

    private static void requireNode(Map<NodeId, TopologyNode> nodes, NodeId id) {
        if (!nodes.containsKey(id)) {
            throw new IllegalArgumentException("a link ends at " + id + ", which is not a node of the topology");
        }
    }

    /// All nodes, in the order given.
    public List<TopologyNode> nodes() {
        return List.copyOf(nodes.values());
    }

    /// All links, in the order given.
    public List<Link> links() {
        return links;
    }

    /// Reports whether there is nothing in it.
    public boolean isEmpty() {
        return nodes.isEmpty();
    }

    /// The node with that id.
    public Optional<TopologyNode> findNode(NodeId id) {
        return Optional.ofNullable(nodes.get(id));
    }

    /// The links that end at a node.
    public List<Link> linksOf(NodeId id) {
        return linksByNode.getOrDefault(id, List.of());
    }

    /// The nodes one live link away.
    public Set<NodeId> neighbours(NodeId id) {
        Set<NodeId> found = new LinkedHashSet<>();
        for (Link link : linksByNode.getOrDefault(id, List.of())) {
            if (!link.isDown()) {
                found.add(link.otherEnd(id));
            }
        }
        return found;
    }

    /// The topology without the nodes of some devices, and without the links that ended there.
    public TopologyGraph withoutDevices(Predicate<DeviceId> gone) {
        List<TopologyNode> kept = nodes.values().stream()
                .filter(node -> !(node instanceof TopologyNode.DeviceNode device && gone.test(device.device())))
                .toList();
        Set<NodeId> ids = new LinkedHashSet<>();
        kept.forEach(node -> ids.add(node.id()));
        return of(
                kept,
                links.stream()
                        .filter(link -> ids.contains(link.from()) && ids.contains(link.to()))
                        .toList());
    }

    /// Groups of devices that a fabric joins, directly or through switches; devices on their own are left out.
    public List<Set<DeviceId>> domains() {
        Set<NodeId> seen = new LinkedHashSet<>();
        List<Set<DeviceId>> domains = new ArrayList<>();
        for (TopologyNode node : nodes.values()) {
            if (node instanceof TopologyNode.DeviceNode && seen.add(node.id())) {
                Set<DeviceId> domain = reachByFabric(node.id(), seen);
                if (domain.size() > 1) {
                    domains.add(domain);
                }
            }
        }
        return domains;
    }

    private Set<DeviceId> reachByFabric(NodeId start, Set<NodeId> seen) {
        Set<DeviceId> devices = new LinkedHashSet<>();
        ArrayDeque<NodeId> open = new ArrayDeque<>(List.of(start));
        while (!open.isEmpty()) {
            NodeId here = open.remove();
            if (nodes.get(here) instanceof TopologyNode.DeviceNode device) {
                devices.add(device.device());
            }
            for (Link link : linksByNode.getOrDefault(here, List.of())) {
                if (link.kind().isDeviceFabric() && !link.isDown() && seen.add(link.otherEnd(here))) {
                    open.add(link.otherEnd(here));
                }
            }
        }
        return devices;
    }

    /// A shortest way over live links, from one node to another, ends included; nothing if they are not joined.
    public List<Link> findPath(NodeId from, NodeId to) {
        return new ShortestPath(this, _ -> true).find(from, to);
    }

    /// The proximity of two nodes, in the words of a topology matrix.
    public Relation relation(NodeId from, NodeId to) {
        return Relation.between(this, from, to);
    }

    /// The proximity of each of some nodes to each of them: a row for each. The same as asking [#relation] for every
    /// pair,
    /// but a search is made only where there is something to find, so that thousands of nodes can be asked about.
    public List<List<Relation>> relations(List<NodeId> some) {
        return new RelationMatrix(this).of(some);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TopologyGraph that && nodes().equals(that.nodes()) && links.equals(that.links);
    }

    @Override
    public int hashCode() {
        return nodes.hashCode() * 31 + links.hashCode();
    }

    @Override
    public String toString() {
        return nodes.size() + " nodes, " + links.size() + " links";
    }

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
            ordered.sort((a, b) ->
                    Boolean.compare(b.kind().isDeviceFabric(), a.kind().isDeviceFabric()));
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
}
