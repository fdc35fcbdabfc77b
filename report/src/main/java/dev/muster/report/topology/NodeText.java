// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.topology;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.DeviceId;
import dev.muster.core.Interconnect;
import dev.muster.core.MemoryDevice;
import dev.muster.core.PciAddress;
import dev.muster.core.TopologyNode;
import dev.muster.report.text.DeviceField;
import dev.muster.report.text.Printable;
import dev.muster.report.text.Quantity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// The text about a part of a machine.
final class NodeText {
    private final AcceleratorRegistry registry;
    private final Map<DeviceId, AcceleratorProfile> profiles = new HashMap<>();
    private final Map<String, Interconnect> cards = new HashMap<>();

    /// @param registry registry of the devices
    NodeText(AcceleratorRegistry registry) {
        this.registry = registry;
        registry.profiles().forEach(profile -> profiles.putIfAbsent(profile.id(), profile));
        registry.systemIo().interconnects().forEach(card -> cards.putIfAbsent(card.name(), card));
    }

    String title(TopologyNode node) {
        return Printable.of(
                switch (node) {
                    case TopologyNode.HostNode host -> host.name().isEmpty() ? "Host" : host.name();
                    case TopologyNode.NumaNode numa -> "NUMA node " + numa.number();
                    case TopologyNode.PcieBridge bridge -> bridge.root() ? "PCIe root" : "PCIe switch";
                    case TopologyNode.FabricSwitch joint ->
                        joint.name().isEmpty() ? joint.id().text() : joint.name();
                    case TopologyNode.DeviceNode device ->
                        find(device)
                                .map(DeviceField::nameOf)
                                .orElse(device.device().text());
                    case TopologyNode.Nic nic -> nic.name().isEmpty() ? nic.id().text() : nic.name();
                });
    }

    /// Returns the short name of a part in a matrix.
    static String label(TopologyNode node) {
        return Printable.of(
                switch (node) {
                    case TopologyNode.DeviceNode device -> device.device().text();
                    case TopologyNode.Nic nic -> nic.name().isEmpty() ? nic.id().text() : nic.name();
                    case TopologyNode.HostNode _,
                            TopologyNode.NumaNode _,
                            TopologyNode.PcieBridge _,
                            TopologyNode.FabricSwitch _ -> node.id().text();
                });
    }

    /// Returns further facts about a part, a line each.
    List<String> details(TopologyNode node) {
        List<String> lines = new ArrayList<>();
        switch (node) {
            case TopologyNode.NumaNode numa -> {
                numa.memory().find().ifPresent(memory -> lines.add(Quantity.of(memory)));
                memoryDevices()
                        .filter(device -> nodeOf(device).filter(numa::equals).isPresent())
                        .map(NodeText::describe)
                        .forEach(lines::add);
            }
            case TopologyNode.PcieBridge bridge ->
                bridge.address().find().ifPresent(address -> lines.add(address.toString()));
            case TopologyNode.DeviceNode device -> {
                lines.add(Printable.of(device.device().text()));
                find(device).ifPresent(profile -> addDetails(profile, lines));
            }
            case TopologyNode.HostNode _ ->
                memoryDevices()
                        .filter(device -> nodeOf(device).isEmpty())
                        .map(device -> describe(device)
                                + device.numaNode()
                                        .find()
                                        .map(number -> " (NUMA node " + number + ")")
                                        .orElse(""))
                        .forEach(lines::add);
            case TopologyNode.FabricSwitch _ -> {}
            case TopologyNode.Nic nic -> nicRate(nic).ifPresent(lines::add);
        }
        return lines;
    }

    /// Returns memory beyond that of the sockets: it belongs to its NUMA node, or to the host if the topology has
    /// none.
    private Stream<MemoryDevice> memoryDevices() {
        return registry.systemIo().memoryDevices().stream();
    }

    private Optional<TopologyNode.NumaNode> nodeOf(MemoryDevice device) {
        return device.numaNode()
                .find()
                .flatMap(number -> registry.topology().nodes().stream()
                        .filter(TopologyNode.NumaNode.class::isInstance)
                        .map(TopologyNode.NumaNode.class::cast)
                        .filter(numa -> numa.number() == number)
                        .findFirst());
    }

    private static String describe(MemoryDevice device) {
        return Printable.of(device.name()) + ": " + device.kind().display()
                + device.size().find().map(size -> " " + Quantity.of(size)).orElse(" of unknown size");
    }

    private static void addDetails(AcceleratorProfile profile, List<String> lines) {
        profile.reading(DeviceFact.PCI_ADDRESS).find().ifPresent(address -> lines.add(address.toString()));
        String type = profile.reading(DeviceFact.MEMORY_TYPE)
                .find()
                .map(text -> " " + Printable.of(text))
                .orElse("");
        profile.memory().find().ifPresent(memory -> lines.add(Quantity.of(memory) + type));
        DeviceField.find("link")
                .orElseThrow()
                .value()
                .apply(profile)
                .ifPresent(link -> lines.add(link instanceof String text ? text : "PCIe " + Quantity.of(link)));
        if (!profile.available()) {
            lines.add("unavailable");
        }
    }

    /// Returns kind and rate of a network card, such as `InfiniBand 50 GB/s`.
    Optional<String> nicRate(TopologyNode.Nic nic) {
        return Optional.ofNullable(cards.get(nic.name()))
                .map(item -> item.kind().display()
                        + item.bandwidth()
                                .find()
                                .map(rate -> " " + Quantity.of(rate))
                                .orElse(""));
    }

    /// The device of a node, if the registry has it.
    Optional<AcceleratorProfile> find(TopologyNode.DeviceNode node) {
        return Optional.ofNullable(profiles.get(node.device()));
    }

    /// Returns the address of a device on the PCI bus.
    Optional<PciAddress> address(TopologyNode node) {
        return node instanceof TopologyNode.DeviceNode device
                ? find(device)
                        .flatMap(profile ->
                                profile.reading(DeviceFact.PCI_ADDRESS).find())
                : Optional.empty();
    }
}
