// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.amd;

import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.detect.host.HostFiles;
import dev.muster.detect.pci.DrmCard;
import dev.muster.detect.probe.PciDevice;
import dev.muster.detect.probe.ProbeContext;
import java.util.ArrayList;
import java.util.List;

/// A GPU as the graphics driver or the PCI bus shows it.
///
/// Cards of the driver `radeon` are older than ROCm. They are left to the backends that see any GPU, such as Vulkan's.
///
/// @param folder the device's folder in sysfs; blank for [#NONE]
/// @param address PCI address
/// @param pciId vendor and device
/// @param driver the kernel's driver
record AmdCard(String folder, Reading<PciAddress> address, Reading<String> pciId, Reading<String> driver) {
    static final int VENDOR = 0x1002;
    static final String DRIVER = "amdgpu";

    /// No such view of a device.
    static final AmdCard NONE = new AmdCard("", Reading.notProbed(), Reading.notProbed(), Reading.notProbed());

    private static final String OLD_DRIVER = "radeon";
    private static final int MAX_CARDS = 1024;

    /// Reports whether the graphics driver shows such a card.
    static boolean isShown(HostFiles files) {
        for (DrmCard card : DrmCard.list(files)) {
            if (card.driver().equals(DRIVER)) {
                return true;
            }
        }
        return false;
    }

    /// All cards by number, then what only the PCI bus shows.
    static List<AmdCard> list(ProbeContext context) {
        List<AmdCard> cards = new ArrayList<>();
        for (DrmCard card : DrmCard.list(context.files())) {
            if (card.driver().equals(DRIVER)) {
                Provenance source = context.fromFile(card.deviceFolder() + "/uevent");
                cards.add(new AmdCard(
                        card.deviceFolder(),
                        Reading.of(card.findAddress(), source, source.source() + " has no PCI address"),
                        Reading.known(card.id(), source),
                        Reading.known(DRIVER, context.fromFile(card.deviceFolder() + "/driver"))));
            }
        }
        for (PciDevice device : context.pci().ofVendor(VENDOR)) {
            if (cards.size() < MAX_CARDS && isForRocm(device) && cards.stream().noneMatch(card -> card.isAt(device))) {
                Provenance source = context.fromFile(device.folder());
                cards.add(new AmdCard(
                        device.folder(),
                        Reading.known(device.address(), source),
                        Reading.known(device.id(), source),
                        device.driver().isEmpty()
                                ? Reading.notSupported("no driver is bound")
                                : Reading.known(device.driver(), source)));
            }
        }
        return cards;
    }

    /// A device that no driver serves counts if it can only be meant for computing, or is known to be able to.
    private static boolean isForRocm(PciDevice device) {
        if (device.driver().equals(DRIVER) || device.driver().equals(OLD_DRIVER)) {
            return device.driver().equals(DRIVER);
        }
        boolean known = AmdModel.find(device.device(), AmdModel.ANY).isPresent();
        return device.isAccelerator() || (device.isDisplay() && known);
    }

    private boolean isAt(PciDevice device) {
        return address.matches(device.address()::equals);
    }

    boolean isPresent() {
        return !folder.isEmpty();
    }

    /// Reports whether AMD's current driver serves it.
    boolean isDriven() {
        return driver.matches(DRIVER::equals);
    }
}
