// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.catalogue;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Interconnect;
import dev.muster.core.Link;
import dev.muster.core.LinkKind;
import dev.muster.core.NodeId;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.SystemIo;
import dev.muster.core.TopologyGraph;
import dev.muster.core.TopologyNode;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.plan.catalogue.HostDescription.Cards;
import dev.muster.plan.catalogue.HostDescription.Network;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Builds a registry of synthetic hosts, as detection would show them. Confined to one thread.
final class HostAssembly {
    /// The largest number of nodes joined in pairs; larger machines join them in ways that pairs do not show.
    private static final int MOST_JOINED_NODES = 8;

    private final int hosts;
    private final DeviceCount.Numbers numbers = new DeviceCount.Numbers(List.of());
    private final List<AcceleratorProfile> profiles = new ArrayList<>();
    private final List<TopologyNode> nodes = new ArrayList<>();
    private final List<Link> links = new ArrayList<>();
    private final List<Interconnect> cards = new ArrayList<>();
    private final Set<Network> networks = new LinkedHashSet<>();
    private final FabricAssembly fabrics = new FabricAssembly(nodes, links);
    private int host;

    /// @param hosts number of hosts
    HostAssembly(int hosts) {
        this.hosts = hosts;
    }

    void add(HostDescription description) {
        String prefix = hosts == 1 ? "" : "host:" + host + "/";
        NodeId id = new NodeId(hosts == 1 ? "host" : "host:" + host);
        nodes.add(new TopologyNode.HostNode(id, hosts == 1 ? "" : "host" + host));
        List<NodeId> numa = addNuma(description, id, prefix);
        addProcessor(description, id);
        addDevices(description, numa);
        description.cards().forEach(some -> addCards(some, numa));
        host++;
    }

    /// Adds the NUMA nodes of a host: one, unless more were given.
    private List<NodeId> addNuma(HostDescription description, NodeId above, String prefix) {
        int count = Math.max(1, description.numaNodes());
        Reading<Bytes> share = description.memory().map(all -> new Bytes(Long.divideUnsigned(all.unsigned(), count)));
        List<NodeId> numa = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            NodeId id = new NodeId(prefix + "numa:" + number);
            nodes.add(new TopologyNode.NumaNode(id, number, share));
            links.add(Link.of(above, id, LinkKind.INTERNAL));
            if (count <= MOST_JOINED_NODES) {
                numa.forEach(other -> links.add(Link.of(other, id, LinkKind.SOCKET)));
            }
            numa.add(id);
        }
        return numa;
    }

    private void addProcessor(HostDescription description, NodeId above) {
        AcceleratorProfile processor = AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.CPU, host))
                .with(DeviceFact.MEMORY, description.memory())
                .build();
        profiles.add(processor);
        TopologyNode node = TopologyNode.DeviceNode.of(processor.id());
        nodes.add(node);
        links.add(Link.of(above, node.id(), LinkKind.INTERNAL));
    }

    private void addDevices(HostDescription description, List<NodeId> numa) {
        int placed = 0;
        for (DeviceCount item : description.devices()) {
            List<AcceleratorProfile> alike = new ArrayList<>();
            for (int i = 0; i < item.count(); i++) {
                int place = deal(placed++, description.deviceCount(), numa.size());
                alike.add(addDevice(item, numa.get(place), place, description.numaNodes() > 0));
            }
            profiles.addAll(fabrics.join(item, alike, description.findAsked(item.entry())));
        }
    }

    /// Returns the place of an item; neighbours stay together: the first of eight go to the first of two.
    private static int deal(int position, int count, int places) {
        return (int) ((long) position * places / count);
    }

    private AcceleratorProfile addDevice(DeviceCount item, NodeId above, long place, boolean told) {
        AcceleratorProfile.ProfileBuilder device = numbers.number(item).toBuilder();
        DeviceEntry entry = item.entry();
        if (told) {
            device.with(DeviceFact.NUMA_NODE, Reading.known(place, Provenance.GIVEN));
        }
        Reading<Bandwidth> rate =
                entry.link().isBus() ? entry.perDeviceShown().link().oneWay() : Reading.notProbed();
        AcceleratorProfile profile =
                device.with(DeviceFact.PCIE_BANDWIDTH, rate).build();
        TopologyNode node = TopologyNode.DeviceNode.of(profile.id());
        nodes.add(node);
        links.add(new Link(above, node.id(), LinkKind.PCIE, 1, rate, Reading.notProbed()));
        return profile;
    }

    private void addCards(Cards some, List<NodeId> numa) {
        networks.add(some.network());
        Reading<Bandwidth> rate = Reading.known(some.rate(), Provenance.GIVEN);
        for (int i = 0; i < some.count(); i++) {
            String name = some.network().word + countCards(some.network());
            NodeId id = new NodeId("nic:" + name);
            nodes.add(new TopologyNode.Nic(id, name));
            links.add(Link.of(numa.get(deal(i, some.count(), numa.size())), id, LinkKind.PCIE));
            if (hosts > 1) {
                links.add(new Link(id, node(some.network()), some.network().link, 1, rate, Reading.notProbed()));
            }
            cards.add(new Interconnect(some.network().kind, name, rate, Reading.notProbed()));
        }
    }

    private long countCards(Network network) {
        return cards.stream().filter(card -> card.kind() == network.kind).count();
    }

    private static NodeId node(Network network) {
        return new NodeId("network:" + network.word);
    }

    AcceleratorRegistry build() {
        if (hosts > 1) {
            networks.forEach(network -> nodes.add(new TopologyNode.FabricSwitch(node(network), network.display)));
        }
        List<Interconnect> interconnects = new ArrayList<>(fabrics.interconnects());
        interconnects.addAll(cards);
        return new AcceleratorRegistry(
                AcceleratorRegistry.REFERENCE_SCHEMA,
                profiles,
                List.of(),
                SystemIo.of(interconnects, List.of(), Reading.notProbed()),
                TopologyGraph.of(nodes, links),
                Reading.notProbed());
    }
}
