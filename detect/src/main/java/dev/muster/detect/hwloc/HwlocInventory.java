// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.hwloc;

import dev.muster.core.PciAddress;
import dev.muster.detect.pci.PciPath;
import dev.muster.detect.text.CpuSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The objects of a file by what they are, in the order of the file. Filled by one walk over the tree, and not
/// changed after; confined to one thread.
final class HwlocInventory {
    /// More than any machine has.
    private static final int MAX_FUNCTIONS = 1 << 14;

    /// Processors of a host, as sockets hold them.
    final List<HwlocObject> packages = new ArrayList<>();

    final List<HwlocObject> numaNodes = new ArrayList<>();
    /// Caches of all levels.
    final List<HwlocObject> caches = new ArrayList<>();
    /// Functions on the PCI bus; bridges are only on the way to them.
    final List<HwlocFunction> functions = new ArrayList<>();
    /// OS devices on no PCI bus.
    final List<HwlocObject> looseDevices = new ArrayList<>();

    int cores;
    int threads;

    private HwlocInventory() {}

    /// @throws HwlocFormatException if an object lacks what makes it one
    static HwlocInventory of(HwlocObject machine) {
        HwlocInventory inventory = new HwlocInventory();
        inventory.add(machine, new Place("", "", List.of(), null));
        return inventory;
    }

    /// The position of the walk in the tree.
    ///
    /// @param cpus the set of the nearest object that has one
    /// @param hostBridge the host's own root of PCI Express above, such as `0000:3a`
    /// @param bridges the bridges above
    /// @param osDevices destination of the OS devices of the function above; nothing outside of a function
    private record Place(
            String cpus,
            String hostBridge,
            List<PciAddress> bridges,
            @Nullable List<HwlocObject> osDevices) {}

    private void add(HwlocObject object, Place place) {
        Place below = place;
        switch (object.type()) {
            case "Package" -> packages.add(object);
            case "NUMANode" -> numaNodes.add(object);
            case "Core" -> cores++;
            case "PU" -> threads++;
            case "L1Cache", "L2Cache", "L3Cache", "L4Cache", "L5Cache" -> caches.add(object);
            case "Bridge" -> below = belowBridge(object, place);
            case "PCIDev" -> {
                addFunction(object, place);
                return;
            }
            case "OSDev" -> addOsDevice(object, place);
            default -> {}
        }
        String cpus = object.attribute("cpuset");
        if (!cpus.isEmpty()) {
            below = new Place(cpus, below.hostBridge(), below.bridges(), below.osDevices());
        }
        for (HwlocObject child : object.children()) {
            add(child, below);
        }
    }

    private void addOsDevice(HwlocObject object, Place place) {
        List<HwlocObject> devices = place.osDevices();
        (devices == null ? looseDevices : devices).add(object);
    }

    /// Of the two kinds of bridges, the host's own has no address.
    private static Place belowBridge(HwlocObject bridge, Place place) {
        if (bridge.attribute("bridge_type").startsWith("0-")) {
            return new Place(place.cpus(), hostBridge(bridge.attribute("bridge_pci")), List.of(), place.osDevices());
        }
        List<PciAddress> bridges = new ArrayList<>(place.bridges());
        bridges.add(address(bridge));
        return new Place(place.cpus(), place.hostBridge(), List.copyOf(bridges), place.osDevices());
    }

    /// The name that the kernel has for a root whose buses are `0000:[3a-3b]`: `0000:3a`; blank where there is none.
    private static String hostBridge(String buses) {
        int open = buses.indexOf(":[");
        int dash = buses.indexOf('-');
        if (open < 0 || dash < open) {
            return "";
        }
        String name = buses.substring(0, open) + ":" + buses.substring(open + 2, dash);
        return PciAddress.find(name + ":00.0").isPresent() ? name : "";
    }

    private void addFunction(HwlocObject object, Place place) {
        if (functions.size() == MAX_FUNCTIONS) {
            throw new HwlocFormatException("there are more than " + MAX_FUNCTIONS + " PCI devices");
        }
        PciPath path = new PciPath(place.hostBridge(), place.bridges(), address(object));
        List<HwlocObject> osDevices = new ArrayList<>();
        Place inside = new Place(place.cpus(), place.hostBridge(), place.bridges(), osDevices);
        for (HwlocObject child : object.children()) {
            add(child, inside);
        }
        CpuSet cpus = HwlocObject.parseCpus(place.cpus());
        functions.add(new HwlocFunction(object, path, cpus, osDevices));
    }

    private static PciAddress address(HwlocObject object) {
        Optional<PciAddress> address = PciAddress.find(object.attribute("pci_busid"));
        return address.orElseThrow(() -> new HwlocFormatException("a " + object.type() + " has no PCI address"));
    }
}
