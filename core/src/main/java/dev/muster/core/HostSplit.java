// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Cuts the registry of many hosts into those of each. A part belongs to the host that has a live way to it
/// which leaves neither the machine nor passes a device; switches of fabrics and networks belong to no host.
/// Confined to one thread.
final class HostSplit {
    private final AcceleratorRegistry registry;
    private final TopologyGraph graph;
    private final Map<NodeId, Part> owners = new HashMap<>();
    private final List<Part> hosts = new ArrayList<>();
    /// Parts that no host is linked to.
    private final Part rest = new Part("");

    /// A host and what belongs to it.
    private static final class Part {
        final String name;
        final List<TopologyNode> nodes = new ArrayList<>();
        final List<Link> links = new ArrayList<>();
        final List<AcceleratorProfile> profiles = new ArrayList<>();
        final List<Interconnect> interconnects = new ArrayList<>();

        Part(String name) {
            this.name = name;
        }

        boolean isEmpty() {
            return nodes.isEmpty() && profiles.isEmpty();
        }
    }

    HostSplit(AcceleratorRegistry registry) {
        this.registry = registry;
        this.graph = registry.topology();
        for (TopologyNode node : graph.nodes()) {
            if (node instanceof TopologyNode.HostNode host) {
                Part part = new Part(host.name().isEmpty() ? host.id().text() : host.name());
                hosts.add(part);
                spread(host.id(), part);
            }
        }
        distribute();
    }

    private void spread(NodeId start, Part part) {
        owners.put(start, part);
        ArrayDeque<NodeId> open = new ArrayDeque<>(List.of(start));
        while (!open.isEmpty()) {
            NodeId here = open.remove();
            for (Link link : graph.linksOf(here)) {
                NodeId next = link.otherEnd(here);
                TopologyNode node = graph.findNode(next).orElseThrow();
                boolean ownable = !(node instanceof TopologyNode.HostNode || node instanceof TopologyNode.FabricSwitch);
                if (ownable && !link.isDown() && !link.kind().isNetwork() && owners.putIfAbsent(next, part) == null) {
                    if (Relation.isPartOfHost(node)) {
                        open.add(next);
                    }
                }
            }
        }
    }

    private void distribute() {
        for (TopologyNode node : graph.nodes()) {
            if (!(node instanceof TopologyNode.FabricSwitch)) {
                owners.computeIfAbsent(node.id(), _ -> rest).nodes.add(node);
            }
        }
        for (Link link : graph.links()) {
            Part from = owners.get(link.from());
            Part to = owners.get(link.to());
            if (from != null && (to == null || from == to)) {
                from.links.add(link);
            } else if (from == null && to != null) {
                to.links.add(link);
            }
        }
        Map<String, Part> named = new HashMap<>();
        for (TopologyNode node : graph.nodes()) {
            if (node instanceof TopologyNode.DeviceNode device) {
                named.put(device.device().text(), ownerOf(node.id()));
            } else if (node instanceof TopologyNode.Nic nic) {
                named.put(nic.name(), ownerOf(node.id()));
            }
        }
        for (AcceleratorProfile profile : registry.profiles()) {
            Part parent = profile.partition()
                    .map(partition -> named.get(partition.parent().text()))
                    .orElse(rest);
            named.getOrDefault(profile.id().text(), parent).profiles.add(profile);
        }
        for (Interconnect item : registry.systemIo().interconnects()) {
            named.getOrDefault(item.name(), rest).interconnects.add(item);
        }
    }

    private Part ownerOf(NodeId node) {
        return owners.getOrDefault(node, rest);
    }

    Optional<AcceleratorRegistry> find(String name) {
        for (Part part : hosts) {
            boolean meant = part.name.equals(name)
                    || part.profiles.stream()
                            .anyMatch(profile -> profile.id().text().equals(name));
            if (meant) {
                return Optional.of(registryOf(part));
            }
        }
        return Optional.empty();
    }

    TopologySummary summarise() {
        if (hosts.size() <= 1) {
            List<String> names = List.of(hosts.isEmpty() ? "host" : hosts.getFirst().name);
            return new TopologySummary(List.of(new TopologySummary.Group(names, registry)), 1, 1);
        }
        Map<List<Object>, List<Part>> alike = new LinkedHashMap<>();
        Map<String, Interconnect> cards = new HashMap<>();
        registry.systemIo().interconnects().forEach(card -> cards.putIfAbsent(card.name(), card));
        for (Part part : hosts) {
            alike.computeIfAbsent(makeOf(part, cards), _ -> new ArrayList<>()).add(part);
        }
        List<TopologySummary.Group> groups = new ArrayList<>();
        for (List<Part> same : alike.values()) {
            groups.add(new TopologySummary.Group(
                    same.stream().map(part -> part.name).toList(), registryOf(same.getFirst())));
        }
        if (!rest.isEmpty()) {
            groups.add(new TopologySummary.Group(List.of(), registryOf(rest)));
        }
        List<Link> live = graph.links().stream().filter(link -> !link.isDown()).toList();
        List<Link> fabric =
                live.stream().filter(link -> link.kind().isDeviceFabric()).toList();
        return new TopologySummary(groups, countSets(live), countSets(fabric));
    }

    /// The parts of a host without their names.
    private List<Object> makeOf(Part part, Map<String, Interconnect> cards) {
        List<Object> make = new ArrayList<>();
        Map<NodeId, Integer> places = new HashMap<>();
        for (TopologyNode node : part.nodes) {
            places.put(node.id(), places.size());
            make.add(
                    switch (node) {
                        case TopologyNode.HostNode _ -> "host";
                        case TopologyNode.NumaNode numa ->
                            List.of("numa", numa.memory().find());
                        case TopologyNode.PcieBridge bridge -> bridge.root() ? "root" : "bridge";
                        case TopologyNode.FabricSwitch _ -> "switch";
                        case TopologyNode.DeviceNode _ -> "device";
                        case TopologyNode.Nic nic ->
                            Optional.ofNullable(cards.get(nic.name()))
                                    .<Object>map(card -> List.of(
                                            card.kind(), card.bandwidth().find()))
                                    .orElse("nic");
                    });
        }
        for (AcceleratorProfile profile : part.profiles) {
            make.add(List.of(
                    profile.accelerator().kind(),
                    profile.deviceName().find(),
                    profile.memory().find(),
                    profile.available()));
        }
        for (Link link : part.links) {
            make.add(List.of(
                    place(link.from(), places),
                    place(link.to(), places),
                    link.kind(),
                    link.lanes(),
                    link.bandwidth().find(),
                    link.isDown()));
        }
        return make;
    }

    private static int place(NodeId node, Map<NodeId, Integer> places) {
        Integer known = places.get(node);
        int place = known == null ? places.size() : known;
        places.putIfAbsent(node, place);
        return place;
    }

    private AcceleratorRegistry registryOf(Part part) {
        Map<NodeId, TopologyNode> nodes = new LinkedHashMap<>();
        part.nodes.forEach(node -> nodes.put(node.id(), node));
        List<Link> links = new ArrayList<>(part.links);
        ArrayDeque<NodeId> open = new ArrayDeque<>();
        part.links.forEach(link -> open.addAll(List.of(link.from(), link.to())));
        while (!open.isEmpty()) {
            NodeId here = open.remove();
            if (nodes.containsKey(here)) {
                continue;
            }
            nodes.put(here, graph.findNode(here).orElseThrow());
            for (Link link : graph.linksOf(here)) {
                NodeId next = link.otherEnd(here);
                if (!owners.containsKey(next)) {
                    if (nodes.containsKey(next)) {
                        links.add(link);
                    }
                    open.add(next);
                }
            }
        }
        SystemIo io = registry.systemIo();
        return new AcceleratorRegistry(
                registry.referenceSchema(),
                part.profiles,
                registry.gaps(),
                new SystemIo(part.interconnects, io.storage(), io.memoryDevices(), io.environment()),
                TopologyGraph.of(nodes.values(), links),
                registry.observedAt());
    }

    /// The number of sets of hosts that remain when some links, and the switches between them, join hosts.
    private int countSets(List<Link> links) {
        Map<Object, Object> leaders = new HashMap<>();
        for (Link link : links) {
            leaders.put(leader(endOf(link.from()), leaders), leader(endOf(link.to()), leaders));
        }
        Set<Object> found = new HashSet<>();
        hosts.forEach(host -> found.add(leader(host, leaders)));
        return found.size();
    }

    /// The host of a node; a node of no host stands for itself.
    private Object endOf(NodeId node) {
        Part owner = ownerOf(node);
        return owner == rest ? node : owner;
    }

    private static Object leader(Object end, Map<Object, Object> leaders) {
        Object here = end;
        for (Object next = leaders.get(here); next != null && next != here; next = leaders.get(here)) {
            leaders.put(here, leaders.getOrDefault(next, next));
            here = next;
        }
        return here;
    }
}
