// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.pci;

import dev.muster.core.PciAddress;
import dev.muster.detect.probe.PciDevice;
import dev.muster.detect.probe.PciInventory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The way from the host to a PCI device, as the real path of the device's folder tells it.
///
/// @param hostBridge the host's own root, such as `0000:3a`; blank where the path does not say
/// @param bridges every port on the way, the host's first: a root port, then an upstream and a downstream port for
/// each switch
/// @param address the device
public record PciPath(String hostBridge, List<PciAddress> bridges, PciAddress address) {
    private static final String HOST_BRIDGE = "pci";
    /// A root port, and both ports of the switch on the card.
    private static final int CARD_SWITCH = 3;

    /// Copies the list.
    public PciPath {
        bridges = List.copyOf(bridges);
    }

    /// Reads a real path such as `/sys/devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0`; what stands behind the device,
    /// as in `…/nvme/nvme0`, is left out.
    public static Optional<PciPath> parse(String realPath) {
        String hostBridge = "";
        List<PciAddress> ports = new ArrayList<>();
        for (String part : realPath.split("/")) {
            Optional<PciAddress> port = PciAddress.find(part);
            if (port.isPresent()) {
                ports.add(port.get());
            } else if (hostBridge.isEmpty() && part.startsWith(HOST_BRIDGE) && part.indexOf(':') > 0) {
                hostBridge = part.substring(HOST_BRIDGE.length());
            }
        }
        if (ports.isEmpty()) {
            return Optional.empty();
        }
        PciAddress device = ports.removeLast();
        return Optional.of(new PciPath(hostBridge, ports, device));
    }

    /// The bridges that count as hops on the way, the host's first: the root port, and one for each switch, whose
    /// upstream and downstream port are one thing.
    public List<PciAddress> hops() {
        List<PciAddress> hops = new ArrayList<>();
        for (int i = 0; i < bridges.size(); i++) {
            if (i == 0 || i % 2 == 1) {
                hops.add(bridges.get(i));
            }
        }
        return hops;
    }

    /// The way to the port on the far side of the slot: cards that carry a switch of their own end there, and the
    /// device behind it says nothing true about the slot. An Intel Arc claims 2.5 GT/s on one lane.
    PciPath toSlot(PciInventory pci) {
        int vendor = pci.find(address).map(PciDevice::vendor).orElse(-1);
        int last = bridges.size() - 1;
        boolean ownSwitch = bridges.size() >= CARD_SWITCH
                && isOf(pci, bridges.get(last), vendor)
                && isOf(pci, bridges.get(last - 1), vendor);
        return ownSwitch ? new PciPath(hostBridge, bridges.subList(0, last - 1), bridges.get(last - 1)) : this;
    }

    private static boolean isOf(PciInventory pci, PciAddress address, int vendor) {
        return pci.find(address).filter(port -> port.vendor() == vendor).isPresent();
    }
}
