// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.topology;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.DeviceId;
import dev.muster.core.Link;
import dev.muster.core.NodeId;
import dev.muster.core.Reading;
import dev.muster.core.TopologyGraph;
import dev.muster.core.TopologyNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Builds a tree of a topology: host, NUMA nodes, bridges, devices. Fabrics are not part of it. If the topology does
/// not place a device, it hangs below its NUMA node, and otherwise below the host. Confined to one thread.
final class TopologyTree {
    private final AcceleratorRegistry registry;
    private final TopologyGraph graph;
    private final NodeText words;
    private final Map<NodeId, TopologyNode> nodes = new LinkedHashMap<>();
    private final Map<DeviceId, TopologyNode.DeviceNode> devices = new HashMap<>();
    private final Map<NodeId, NodeId> parents = new HashMap<>();

    /// A part of a machine and the parts below it.
    record Branch(TopologyNode node, List<Branch> children) {}

    private TopologyTree(AcceleratorRegistry registry, NodeText words) {
        this.registry = registry;
        this.graph = registry.topology();
        this.words = words;
    }

    /// Returns the hosts of a registry, mostly one, with everything below them.
    static List<Branch> of(AcceleratorRegistry registry, NodeText words) {
        return new TopologyTree(registry, words).build();
    }

    private List<Branch> build() {
        graph.nodes().forEach(this::add);
        if (nodes.values().stream().noneMatch(TopologyNode.HostNode.class::isInstance)) {
            NodeId id = new NodeId("host");
            nodes.put(id, new TopologyNode.HostNode(id, ""));
        }
        for (AcceleratorProfile profile : registry.profiles()) {
            if (!devices.containsKey(profile.id())) {
                add(TopologyNode.DeviceNode.of(profile.id()));
            }
        }
        placeFrame();
        placeLeaves();
        Map<NodeId, List<TopologyNode>> children = new HashMap<>();
        for (TopologyNode node : nodes.values()) {
            NodeId parent = parents.get(node.id());
            if (parent != null) {
                children.computeIfAbsent(parent, _ -> new ArrayList<>()).add(node);
            }
        }
        return all(TopologyNode.HostNode.class)
                .map(host -> branch(host, children))
                .toList();
    }

    private void add(TopologyNode node) {
        nodes.put(node.id(), node);
        if (node instanceof TopologyNode.DeviceNode device) {
            devices.putIfAbsent(device.device(), device);
        }
    }

    private <T extends TopologyNode> Stream<T> all(Class<T> kind) {
        return List.copyOf(nodes.values()).stream().filter(kind::isInstance).map(kind::cast);
    }

    /// Places NUMA nodes below their host, and bridges below the nearest NUMA node, else below the host.
    private void placeFrame() {
        ArrayDeque<NodeId> open = new ArrayDeque<>();
        all(TopologyNode.NumaNode.class).forEach(numa -> {
            parents.put(numa.id(), hostOf(numa.id()));
            open.add(numa.id());
        });
        spread(open);
        all(TopologyNode.HostNode.class).forEach(host -> open.add(host.id()));
        spread(open);
        all(TopologyNode.PcieBridge.class).forEach(bridge -> parents.putIfAbsent(bridge.id(), firstHost()));
    }

    private void spread(ArrayDeque<NodeId> open) {
        while (!open.isEmpty()) {
            NodeId here = open.remove();
            for (Link link : graph.linksOf(here)) {
                NodeId there = link.otherEnd(here);
                if (nodes.get(there) instanceof TopologyNode.PcieBridge && parents.putIfAbsent(there, here) == null) {
                    open.add(there);
                }
            }
        }
    }

    private NodeId hostOf(NodeId id) {
        return graph.neighbours(id).stream()
                .filter(neighbour -> nodes.get(neighbour) instanceof TopologyNode.HostNode)
                .findFirst()
                .orElseGet(this::firstHost);
    }

    private NodeId firstHost() {
        for (TopologyNode node : nodes.values()) {
            if (node instanceof TopologyNode.HostNode) {
                return node.id();
            }
        }
        throw new AssertionError("a tree has a host");
    }

    private void placeLeaves() {
        all(TopologyNode.DeviceNode.class).forEach(device -> parents.put(device.id(), deviceParent(device)));
        all(TopologyNode.Nic.class).forEach(nic -> parents.put(nic.id(), nearest(nic.id())));
    }

    private NodeId deviceParent(TopologyNode.DeviceNode device) {
        Optional<AcceleratorProfile> profile = words.find(device);
        Optional<NodeId> whole = profile.flatMap(AcceleratorProfile::partition)
                .flatMap(partition -> Optional.ofNullable(devices.get(partition.parent())))
                .map(TopologyNode.DeviceNode::id)
                .filter(id -> !id.equals(device.id()) && !isBelow(id, device.id()));
        if (whole.isPresent()) {
            return whole.get();
        }
        NodeId linked = nearest(device.id());
        Optional<Long> numa =
                profile.flatMap(known -> known.reading(DeviceFact.NUMA_NODE).find());
        return nodes.get(linked) instanceof TopologyNode.HostNode && numa.isPresent() ? numaNode(numa.get()) : linked;
    }

    /// Reports whether a node is below another; partitions of each other, which no valid document holds, must not
    /// form a cycle.
    private boolean isBelow(NodeId id, NodeId above) {
        for (NodeId here = parents.get(id); here != null; here = parents.get(here)) {
            if (here.equals(above)) {
                return true;
            }
        }
        return false;
    }

    /// Returns the bridge that a leaf is linked to, else its NUMA node, else its host.
    private NodeId nearest(NodeId leaf) {
        NodeId best = null;
        int bestRank = 0;
        for (NodeId neighbour : graph.neighbours(leaf)) {
            int rank = switch (nodes.get(neighbour)) {
                case TopologyNode.PcieBridge _ -> 3;
                case TopologyNode.NumaNode _ -> 2;
                case TopologyNode.HostNode _ -> 1;
                case null, default -> 0;
            };
            if (rank > bestRank) {
                best = neighbour;
                bestRank = rank;
            }
        }
        return best == null ? firstHost() : best;
    }

    private NodeId numaNode(long number) {
        Optional<TopologyNode.NumaNode> known = all(TopologyNode.NumaNode.class)
                .filter(numa -> numa.number() == number)
                .findFirst();
        if (known.isPresent()) {
            return known.get().id();
        }
        NodeId id = new NodeId("numa:" + number);
        nodes.put(id, new TopologyNode.NumaNode(id, number, Reading.notProbed()));
        parents.put(id, firstHost());
        return id;
    }

    private static Branch branch(TopologyNode node, Map<NodeId, List<TopologyNode>> children) {
        return new Branch(
                node,
                children.getOrDefault(node.id(), List.of()).stream()
                        .map(child -> branch(child, children))
                        .toList());
    }
}
