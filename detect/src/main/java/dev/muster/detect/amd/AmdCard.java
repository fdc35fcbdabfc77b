package dev.muster.detect.amd;

import dev.muster.core.PciAddress;
import dev.muster.core.Reading;

/// A GPU as the graphics driver or the PCI bus shows it.
///
/// @param folder the device's folder in sysfs; blank for [#NONE]
/// @param address where it sits
/// @param pciId vendor and device
/// @param driver the kernel's driver
record AmdCard(String folder, Reading<PciAddress> address, Reading<String> pciId, Reading<String> driver) {
    /// No such view of a device.
    static final AmdCard NONE = new AmdCard("", Reading.notProbed(), Reading.notProbed(), Reading.notProbed());

    boolean isPresent() {
        return !folder.isEmpty();
    }

    /// Whether AMD's current driver serves it.
    boolean isDriven() {
        return driver.find().filter(AmdCards.DRIVER::equals).isPresent();
    }
}
