// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.topology;

import dev.muster.core.Link;
import dev.muster.core.LinkKind;
import dev.muster.core.NodeId;
import dev.muster.core.TopologyGraph;
import dev.muster.core.TopologyNode;
import dev.muster.core.unit.Bandwidth;
import dev.muster.report.text.Count;
import dev.muster.report.text.Quantity;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Devices that one kind of fabric joins, with the switches and links between them.
///
/// @param kind kind of the links
/// @param devices the nodes of the devices
/// @param switches the switches; none if devices are joined directly
/// @param links all links, those that are down included
/// @param ends the links by each of their two ends
record Fabric(
        LinkKind kind,
        List<NodeId> devices,
        List<TopologyNode.FabricSwitch> switches,
        List<Link> links,
        Map<NodeId, List<Link>> ends) {
    /// Returns every fabric of a topology that joins at least two devices, or one device with a switch.
    static List<Fabric> of(TopologyGraph graph) {
        List<Fabric> fabrics = new ArrayList<>();
        for (LinkKind kind : LinkKind.values()) {
            Set<NodeId> seen = new LinkedHashSet<>();
            for (TopologyNode node : graph.nodes()) {
                if (kind.isDeviceFabric() && node instanceof TopologyNode.DeviceNode && seen.add(node.id())) {
                    Fabric fabric = reach(graph, kind, node.id(), seen);
                    if (!fabric.links.isEmpty()) {
                        fabrics.add(fabric);
                    }
                }
            }
        }
        return fabrics;
    }

    private static Fabric reach(TopologyGraph graph, LinkKind kind, NodeId start, Set<NodeId> seen) {
        List<NodeId> devices = new ArrayList<>();
        List<TopologyNode.FabricSwitch> switches = new ArrayList<>();
        List<Link> links = new ArrayList<>();
        Map<NodeId, List<Link>> ends = new HashMap<>();
        ArrayDeque<NodeId> open = new ArrayDeque<>(List.of(start));
        while (!open.isEmpty()) {
            NodeId here = open.remove();
            if (graph.findNode(here).orElseThrow() instanceof TopologyNode.FabricSwitch joint) {
                switches.add(joint);
            } else {
                devices.add(here);
            }
            for (Link link : graph.linksOf(here)) {
                NodeId there = link.otherEnd(here);
                if (link.kind() == kind && isJoined(graph, there)) {
                    if (!ends.containsKey(there)) {
                        links.add(link);
                    }
                    ends.computeIfAbsent(here, _ -> new ArrayList<>()).add(link);
                    if (seen.add(there)) {
                        open.add(there);
                    }
                }
            }
        }
        return new Fabric(kind, devices, switches, links, ends);
    }

    /// Reports whether a node is joined to devices; a processor's own link to a device, such as NVLink-C2C, is not a
    /// fabric.
    private static boolean isJoined(TopologyGraph graph, NodeId id) {
        TopologyNode node = graph.findNode(id).orElseThrow();
        return node instanceof TopologyNode.DeviceNode || node instanceof TopologyNode.FabricSwitch;
    }

    /// Reports whether each device is linked with each other, without switches.
    boolean isFullMesh() {
        if (!switches.isEmpty() || devices.size() < 3) {
            return false;
        }
        for (NodeId device : devices) {
            Set<NodeId> others = new HashSet<>();
            for (Link link : linksOf(device)) {
                if (!link.isDown()) {
                    others.add(link.otherEnd(device));
                }
            }
            if (others.size() < devices.size() - 1) {
                return false;
            }
        }
        return true;
    }

    private List<Link> linksOf(NodeId device) {
        return ends.getOrDefault(device, List.of());
    }

    /// Returns the live links of one device, bundles counted by their lanes.
    int lanesOf(NodeId device) {
        return linksOf(device).stream()
                .filter(link -> !link.isDown())
                .mapToInt(Link::lanes)
                .sum();
    }

    /// Returns the rate of all live links of one device, if it is known for each.
    Optional<Bandwidth> rateOf(NodeId device) {
        double sum = 0;
        for (Link link : linksOf(device)) {
            if (!link.isDown()) {
                Optional<Bandwidth> rate = link.bandwidth().find();
                if (rate.isEmpty()) {
                    return Optional.empty();
                }
                sum += rate.get().gigabytesPerSecond();
            }
        }
        return Optional.of(new Bandwidth(sum));
    }

    /// Returns the number of lanes that are known to be down.
    int lanesDown() {
        return links.stream().filter(Link::isDown).mapToInt(Link::lanes).sum();
    }

    /// Returns a device's part of this fabric, such as `18 links, 478 GB/s`.
    String share(NodeId device) {
        int lanes = lanesOf(device);
        return Count.of(lanes, "link")
                + rateOf(device)
                        .filter(_ -> lanes > 0)
                        .map(rate -> ", " + Quantity.of(rate))
                        .orElse("");
    }

    /// Returns the part that every device has of this fabric; empty if they differ.
    Optional<String> findCommonShare() {
        List<String> shares = devices.stream().map(this::share).distinct().toList();
        return shares.size() == 1 ? Optional.of(shares.getFirst()) : Optional.empty();
    }

    /// Returns the switches by name, such as ` (NVSwitch 0 to NVSwitch 3)`; blank if there are none.
    String switchNames() {
        return switch (switches.size()) {
            case 0 -> "";
            case 1 -> " (" + switches.getFirst().name() + ")";
            default ->
                " (" + switches.getFirst().name() + " to " + switches.getLast().name() + ")";
        };
    }

    /// Returns the fabric in words, such as `NVLink through 4 switches`.
    String describe() {
        String way = switches.isEmpty()
                ? (isFullMesh() ? ", each with each" : "")
                : " through " + (switches.size() == 1 ? "a switch" : switches.size() + " switches");
        int down = lanesDown();
        return name(kind) + way + (down == 0 ? "" : ", " + Count.of(down, "link") + " down");
    }

    /// Returns a link as text, such as `12 links, 300 GB/s`.
    static String describe(Link link) {
        String rate =
                link.bandwidth().find().map(known -> ", " + Quantity.of(known)).orElse("");
        return Count.of(link.lanes(), "link") + rate + (link.isDown() ? ", down" : "");
    }

    static String name(LinkKind kind) {
        return switch (kind) {
            case INTERNAL -> "internal";
            case SOCKET -> "socket link";
            case PCIE -> "PCIe";
            case NVLINK -> "NVLink";
            case NVLINK_C2C -> "NVLink-C2C";
            case XGMI -> "XGMI";
            case XE_LINK -> "Xe Link";
            case ICI -> "ICI";
            case NEURON_LINK -> "NeuronLink";
            case ACCELERATOR_ETHERNET -> "accelerator Ethernet";
            case INFINIBAND -> "InfiniBand";
            case ROCE -> "RoCE";
            case ETHERNET -> "Ethernet";
        };
    }
}
