// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.top;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.NodeId;
import dev.muster.core.Relation;
import dev.muster.core.TopologyNode;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/// The links between devices, in the words of `nvidia-smi topo`.
///
/// @param names the devices
/// @param words for each device, the word for each
/// @param places for each device, its NUMA node, PCI address and PCIe link; blank if unknown
/// @param left number of devices that are left out, since there are too many
public record TopologyRows(List<String> names, List<List<String>> words, List<String> places, int left) {
    /// More fit on no screen.
    private static final int MOST = 64;

    static TopologyRows of(AcceleratorRegistry registry) {
        List<String> names = new ArrayList<>();
        List<NodeId> nodes = new ArrayList<>();
        List<String> places = new ArrayList<>();
        int left = 0;
        for (AcceleratorProfile device : DeviceRow.shown(registry)) {
            NodeId node = TopologyNode.DeviceNode.idOf(device.id());
            if (registry.topology().findNode(node).isEmpty()) {
                continue;
            }
            if (nodes.size() == MOST) {
                left++;
                continue;
            }
            names.add(device.id().text());
            nodes.add(node);
            places.add(place(device));
        }
        List<List<String>> words = new ArrayList<>();
        for (List<Relation> row : nodes.size() < 2
                ? List.<List<Relation>>of()
                : registry.topology().relations(nodes)) {
            words.add(row.stream().map(Relation::word).toList());
        }
        return new TopologyRows(List.copyOf(names), List.copyOf(words), List.copyOf(places), left);
    }

    private static String place(AcceleratorProfile device) {
        List<String> parts = new ArrayList<>();
        device.reading(DeviceFact.NUMA_NODE).find().ifPresent(node -> parts.add("NUMA " + node));
        device.reading(DeviceFact.PCI_ADDRESS).find().ifPresent(address -> parts.add(address.toString()));
        OptionalDouble generation = device.number(DeviceFact.PCIE_GENERATION);
        OptionalDouble lanes = device.number(DeviceFact.PCIE_WIDTH);
        if (generation.isPresent() && lanes.isPresent()) {
            parts.add("PCIe " + (long) generation.getAsDouble() + " x" + (long) lanes.getAsDouble());
        }
        return String.join("  ", parts);
    }

    boolean isEmpty() {
        return words.isEmpty();
    }
}
