package dev.muster.detect.pci;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.detect.host.AttributeFolder;
import dev.muster.detect.probe.PciDevice;

/// Says of a device what its place on the PCI bus tells: address, ids, driver and NUMA node.
public final class PciIdentity {
    private PciIdentity() {}

    /// Adds the facts.
    ///
    /// @param folder the device's folder in sysfs
    public static AcceleratorProfile.Builder add(
            AcceleratorProfile.Builder profile, PciDevice device, AttributeFolder folder) {
        Provenance source = folder.source("uevent");
        profile.with(DeviceFact.PCI_ADDRESS, Reading.known(device.address(), source))
                .with(DeviceFact.PCI_ID, Reading.known(device.id(), source))
                .with(DeviceFact.NUMA_NODE, numaNode(folder));
        if (!device.driver().isEmpty()) {
            profile.with(DeviceFact.KERNEL_DRIVER, Reading.known(device.driver(), source));
        }
        return profile;
    }

    /// The kernel writes -1 where the firmware does not tell.
    private static Reading<Long> numaNode(AttributeFolder folder) {
        Reading<Long> node = folder.number("numa_node");
        return node.find().filter(number -> number < 0).isPresent()
                ? Reading.notSupported(folder.path() + "/numa_node says -1")
                : node;
    }
}
