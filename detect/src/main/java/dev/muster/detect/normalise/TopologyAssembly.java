// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.normalise;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Link;
import dev.muster.core.LinkKind;
import dev.muster.core.NodeId;
import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.TopologyGraph;
import dev.muster.core.TopologyNode;
import dev.muster.core.unit.Bytes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Puts the topology of a host together: the host, its NUMA nodes, the roots and bridges of PCI Express that lead to
/// something, and below them devices and network cards. Confined to one thread.
///
/// The words of a topology matrix come out as `nvidia-smi` has them: a switch is one station although it has two
/// ports, a root port leads to one card, and the host's root above the root ports is what `PHB` means.
public final class TopologyAssembly {
    /// The host itself.
    public static final NodeId HOST = new NodeId("host");
    /// Domain of the bridges that published topologies of virtual machines make up.
    private static final int MADE_UP_DOMAIN = 0xffff;
    /// Pairs of nodes grow with the square; larger machines join them in ways that pairs do not show.
    private static final int MOST_JOINED_NODES = 8;

    private static final Provenance PCI_TREE =
            Provenance.of("PCI tree", Provenance.Method.FILE, Provenance.Confidence.MEASURED);

    private final Provenance pciSource;
    private final Map<NodeId, TopologyNode> nodes = new LinkedHashMap<>();
    private final List<Link> links = new ArrayList<>();

    /// Starts with the host and its NUMA nodes.
    public TopologyAssembly(List<NumaNode> numa) {
        this(numa, PCI_TREE);
    }

    /// Starts with the host and its NUMA nodes.
    ///
    /// @param pciSource source of the places of bridges
    public TopologyAssembly(List<NumaNode> numa, Provenance pciSource) {
        this.pciSource = pciSource;
        nodes.put(HOST, new TopologyNode.HostNode(HOST, ""));
        for (NumaNode node : numa) {
            addNuma(node.number(), node.memory());
        }
        List<NumaNode> withCpus = new ArrayList<>();
        for (NumaNode node : numa) {
            if (!node.cpus().isEmpty()) {
                withCpus.add(node);
            }
        }
        for (int i = 0; i < withCpus.size() && withCpus.size() <= MOST_JOINED_NODES; i++) {
            for (NumaNode other : withCpus.subList(i + 1, withCpus.size())) {
                links.add(Link.of(numaId(withCpus.get(i).number()), numaId(other.number()), LinkKind.SOCKET));
            }
        }
    }

    /// Adds a device that is not on a PCI bus, or at an unknown place. A partition is at the place of its parent.
    public void add(AcceleratorProfile profile) {
        TopologyNode.DeviceNode node = TopologyNode.DeviceNode.of(profile.id());
        Optional<Link> parent = profile.partition()
                .map(partition -> TopologyNode.DeviceNode.idOf(partition.parent()))
                .flatMap(this::findLinkAbove);
        if (parent.isPresent()) {
            add(node, parent.get().from(), parent.get().kind());
            return;
        }
        NodeId above =
                profile.reading(DeviceFact.NUMA_NODE).find().map(this::numa).orElse(HOST);
        add(node, above, LinkKind.INTERNAL);
    }

    private Optional<Link> findLinkAbove(NodeId node) {
        for (Link link : links) {
            if (link.to().equals(node)) {
                return Optional.of(link);
            }
        }
        return Optional.empty();
    }

    /// Adds a device with its place.
    public void add(AcceleratorProfile profile, PciPlace place) {
        add(TopologyNode.DeviceNode.of(profile.id()), above(place), LinkKind.PCIE);
    }

    /// Adds a network card whose place is unknown.
    public void addCard(String name) {
        add(card(name), HOST, LinkKind.INTERNAL);
    }

    /// Adds a network card with its place.
    public void addCard(String name, PciPlace place) {
        add(card(name), above(place), LinkKind.PCIE);
    }

    private static TopologyNode.Nic card(String name) {
        return new TopologyNode.Nic(new NodeId("nic:" + name), name);
    }

    private void add(TopologyNode node, NodeId above, LinkKind kind) {
        if (nodes.putIfAbsent(node.id(), node) == null) {
            links.add(Link.of(above, node.id(), kind));
        }
    }

    /// Adds what probes know beyond this: switches of fabrics, bridges and links. Links that end at nothing are
    /// left out. A device that a probe puts below a bridge is there, and not somewhere in the host.
    public TopologyGraph build(List<TopologyNode> moreNodes, List<Link> moreLinks) {
        for (TopologyNode node : moreNodes) {
            nodes.putIfAbsent(node.id(), node);
        }
        Set<NodeId> placed = new HashSet<>();
        for (Link link : moreLinks) {
            if (link.kind() == LinkKind.PCIE && nodes.get(link.to()) instanceof TopologyNode.DeviceNode) {
                placed.add(link.to());
            }
        }
        List<Link> joined = new ArrayList<>();
        for (Link link : links) {
            if (link.kind() != LinkKind.INTERNAL || !placed.contains(link.to())) {
                joined.add(link);
            }
        }
        for (Link link : moreLinks) {
            if (nodes.containsKey(link.from()) && nodes.containsKey(link.to())) {
                joined.add(link);
            }
        }
        return TopologyGraph.of(nodes.values(), joined);
    }

    /// The node right above a place; bridges on the way to it are added where they are not there yet.
    private NodeId above(PciPlace place) {
        NodeId above = place.numa().find().map(this::numa).orElse(HOST);
        if (!place.hostBridge().isEmpty()) {
            TopologyNode.PcieBridge root = new TopologyNode.PcieBridge(
                    new NodeId("pci:" + place.hostBridge()),
                    Reading.notSupported("a host bridge has no address"),
                    true);
            add(root, above, LinkKind.INTERNAL);
            above = root.id();
        }
        for (PciAddress address : place.bridges()) {
            NodeId id = new NodeId("pci:" + address);
            add(new TopologyNode.PcieBridge(id, address(address), false), above, LinkKind.PCIE);
            above = id;
        }
        return above;
    }

    private Reading<PciAddress> address(PciAddress address) {
        return address.domain() == MADE_UP_DOMAIN
                ? Reading.notSupported("the machine hides this bridge")
                : Reading.known(address, pciSource);
    }

    private NodeId numa(long number) {
        NodeId id = numaId(number);
        if (!nodes.containsKey(id)) {
            addNuma(number, Reading.notSupported("the kernel does not list this node"));
        }
        return id;
    }

    private void addNuma(long number, Reading<Bytes> memory) {
        add(new TopologyNode.NumaNode(numaId(number), number, memory), HOST, LinkKind.INTERNAL);
    }

    /// The topology's name for a NUMA node.
    public static NodeId numaId(long number) {
        return new NodeId("numa:" + number);
    }
}
