// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.catalogue;

import dev.muster.core.LinkKind;
import java.util.ArrayList;
import java.util.List;

/// The fabric between the devices of a synthetic host.
enum HostFabric {
    /// NVLink through a switch.
    NVSWITCH("nvswitch", "NVSwitch", LinkKind.NVLINK, "nvlink"),
    /// NVLink, each device with each, or over a bridge.
    NVLINK("nvlink", "NVLink", LinkKind.NVLINK, "nvlink"),
    /// AMD Infinity Fabric.
    XGMI("xgmi", "XGMI", LinkKind.XGMI, "infinity-fabric"),
    /// Intel Xe Link.
    XE_LINK("xe-link", "Xe Link", LinkKind.XE_LINK, "xe-link"),
    /// Google's inter-chip interconnect.
    ICI("ici", "ICI", LinkKind.ICI, "ici"),
    /// AWS NeuronLink.
    NEURON_LINK("neuron-link", "NeuronLink", LinkKind.NEURON_LINK, "neuronlink"),
    /// Ethernet ports of Gaudi.
    ROCE_PORTS("accelerator-ethernet", "accelerator Ethernet", LinkKind.ACCELERATOR_ETHERNET, "roce"),
    /// Ethernet ports of other accelerators.
    ETHERNET_PORTS("accelerator-ethernet", "accelerator Ethernet", LinkKind.ACCELERATOR_ETHERNET, "ethernet"),
    /// No fabric at all.
    PCIE("pcie", "PCIe", LinkKind.PCIE, "");

    private static final String BRIDGE = "nvlink-bridge";
    /// NVLink generations of which machines with more than [#MOST_WITHOUT_SWITCH] GPUs have switches.
    private static final List<String> SWITCHED = List.of("nvlink3", "nvlink4", "nvlink5");

    private static final int MOST_WITHOUT_SWITCH = 4;

    final String word;
    final String display;
    final LinkKind link;
    /// The prefix of such links in the catalogue.
    private final String beginning;

    HostFabric(String word, String display, LinkKind link, String beginning) {
        this.word = word;
        this.display = display;
        this.link = link;
        this.beginning = beginning;
    }

    /// Returns the fabrics of a word; empty for other words.
    static List<HostFabric> listByWord(String word) {
        List<HostFabric> found = new ArrayList<>();
        for (HostFabric fabric : values()) {
            if (fabric.word.equals(word)) {
                found.add(fabric);
            }
        }
        return found;
    }

    /// Reports whether devices of a kind can have this fabric.
    boolean joins(DeviceEntry entry) {
        String kind = entry.link().kind();
        return kind.startsWith(beginning) && !(this == NVSWITCH && kind.equals(BRIDGE));
    }

    /// Returns the usual fabric of a number of devices of a kind in commercial machines; PCI Express if no other link
    /// is known.
    static HostFabric usual(DeviceCount devices) {
        String kind = devices.entry().link().kind();
        boolean switched =
                devices.count() > MOST_WITHOUT_SWITCH && SWITCHED.stream().anyMatch(kind::startsWith);
        for (HostFabric fabric : values()) {
            if ((fabric != NVSWITCH || switched) && fabric.joins(devices.entry())) {
                return fabric;
            }
        }
        throw new AssertionError("PCI Express joins everything");
    }

    /// Returns the number of devices in one fabric.
    ///
    /// @param asked true if the description names this fabric
    int groupSize(DeviceCount devices, boolean asked) {
        if (this == PCIE) {
            return 1;
        }
        long domain = devices.entry().link().domain().find().orElse((long) devices.count());
        return asked && (this == NVSWITCH || domain < 2) ? devices.count() : (int) Math.min(domain, devices.count());
    }
}
