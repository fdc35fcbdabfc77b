// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Link;
import dev.muster.core.LinkKind;
import dev.muster.core.NodeId;
import dev.muster.core.PciAddress;
import dev.muster.core.Reading;
import dev.muster.core.TopologyNode;
import dev.muster.detect.normalise.TopologyAssembly;
import dev.muster.detect.probe.ProbeReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// The places of GPUs on the PCI bus, derived from the words of the driver's matrix: for hosts that do not show
/// their bus. GPUs that share a host bridge (`PHB` or nearer) get one, those behind the same switches get
/// those. What is further apart is told by their NUMA nodes.
///
/// @param matrix the driver's words
/// @param report gets bridges and links
record NvidiaMatrixPlaces(NvidiaTopology matrix, ProbeReport.ReportBuilder report) {
    private static final Set<String> ONE_SWITCH = Set.of("PIX");
    private static final Set<String> SWITCHES = Set.of("PIX", "PXB");
    private static final Set<String> HOST_BRIDGE = Set.of("PIX", "PXB", "PHB");

    /// Places those GPUs that the bus does not show.
    void add(List<AcceleratorProfile> gpus) {
        List<AcceleratorProfile> hidden = new ArrayList<>();
        for (AcceleratorProfile gpu : gpus) {
            if (gpu.reading(DeviceFact.KERNEL_DRIVER).isNotProbed()) {
                hidden.add(gpu);
            }
        }
        for (List<AcceleratorProfile> together : groups(hidden, HOST_BRIDGE)) {
            if (together.size() > 1) {
                NodeId root = bridge("phb", together, true);
                report.add(Link.of(above(together.getFirst()), root, LinkKind.INTERNAL));
                groups(together, SWITCHES).forEach(behind -> addSwitches(root, behind));
            }
        }
    }

    private void addSwitches(NodeId root, List<AcceleratorProfile> behind) {
        if (behind.size() == 1) {
            addDevice(root, behind.getFirst());
            return;
        }
        List<List<AcceleratorProfile>> switches = groups(behind, ONE_SWITCH);
        NodeId above = root;
        if (switches.size() > 1) {
            above = bridge("pxb", behind, false);
            report.add(Link.of(root, above, LinkKind.PCIE));
        }
        for (List<AcceleratorProfile> group : switches) {
            NodeId own = bridge("pix", group, false);
            report.add(Link.of(above, own, LinkKind.PCIE));
            group.forEach(gpu -> addDevice(own, gpu));
        }
    }

    private void addDevice(NodeId above, AcceleratorProfile gpu) {
        report.add(Link.of(above, TopologyNode.DeviceNode.idOf(gpu.id()), LinkKind.PCIE));
    }

    private NodeId bridge(String kind, List<AcceleratorProfile> group, boolean root) {
        NodeId id = new NodeId("pci:" + kind + "-" + group.getFirst().id().text());
        Reading<PciAddress> address = Reading.notSupported("the host does not show its bus");
        report.add(new TopologyNode.PcieBridge(id, address, root));
        return id;
    }

    private static NodeId above(AcceleratorProfile gpu) {
        return gpu.reading(DeviceFact.NUMA_NODE)
                .find()
                .map(TopologyAssembly::numaId)
                .orElse(TopologyAssembly.HOST);
    }

    /// The GPUs in groups whose members reach each other by one of some words, in the order of the GPUs.
    private List<List<AcceleratorProfile>> groups(List<AcceleratorProfile> gpus, Set<String> words) {
        List<List<AcceleratorProfile>> groups = new ArrayList<>();
        for (AcceleratorProfile gpu : gpus) {
            List<AcceleratorProfile> own = groups.stream()
                    .filter(group -> group.stream().anyMatch(other -> words.contains(word(gpu, other))))
                    .findFirst()
                    .orElseGet(() -> {
                        List<AcceleratorProfile> started = new ArrayList<>();
                        groups.add(started);
                        return started;
                    });
            own.add(gpu);
        }
        return groups;
    }

    private String word(AcceleratorProfile one, AcceleratorProfile other) {
        return matrix.word(one.accelerator().deviceId(), other.accelerator().deviceId());
    }
}
