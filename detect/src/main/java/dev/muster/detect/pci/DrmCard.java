// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.pci;

import dev.muster.core.PciAddress;
import dev.muster.detect.host.HostFiles;
import dev.muster.detect.probe.PciInventory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// A graphics card as the kernel's graphics core lists it, with the PCI device behind it.
///
/// @param name such as `card0`
/// @param id the PCI device's ids, such as `8086:56a5`
/// @param vendor the vendor's half of the ids
/// @param driver the kernel's driver; blank when there is none or nothing says
/// @param slot the PCI address as the kernel writes it; blank when nothing says
public record DrmCard(String name, String id, int vendor, String driver, String slot) {
    /// The folder in which the kernel lists the cards.
    public static final String FOLDER = "/sys/class/drm";

    private static final int MAX_CARDS = 1024;
    private static final int MAX_UEVENT = 4096;
    private static final int HEXADECIMAL = 16;
    private static final int ID_LENGTH = 4;

    /// The cards that sit on the PCI bus, by number.
    public static List<DrmCard> list(HostFiles files) {
        List<DrmCard> cards = new ArrayList<>();
        for (String name : files.numbered(FOLDER, "card")) {
            if (cards.size() < MAX_CARDS) {
                read(files, name).ifPresent(cards::add);
            }
        }
        return cards;
    }

    private static Optional<DrmCard> read(HostFiles files, String name) {
        String device = FOLDER + "/" + name + "/device";
        String uevent = text(files, device + "/uevent");
        String ids = PciInventory.value(uevent, "PCI_ID=");
        int colon = ids.indexOf(':');
        String vendor = hex(colon < 0 ? text(files, device + "/vendor") : ids.substring(0, colon));
        String id = hex(colon < 0 ? text(files, device + "/device") : ids.substring(colon + 1));
        if (vendor.isEmpty() || id.isEmpty()) {
            return Optional.empty();
        }
        String driver = PciInventory.value(uevent, "DRIVER=");
        String slot = PciInventory.value(uevent, "PCI_SLOT_NAME=");
        return Optional.of(new DrmCard(
                name,
                vendor + ":" + id,
                Integer.parseInt(vendor, HEXADECIMAL),
                driver.isEmpty() ? files.findLinkName(device + "/driver").orElse("") : driver,
                slot.isEmpty() ? files.findLinkName(device).orElse("") : slot));
    }

    private static String text(HostFiles files, String path) {
        return files.findText(path, MAX_UEVENT).orElse("");
    }

    /// The card's own folder.
    public String folder() {
        return FOLDER + "/" + name;
    }

    /// The folder of the PCI device behind it.
    public String deviceFolder() {
        return folder() + "/device";
    }

    /// Returns its place on the bus, if the kernel shows it.
    public Optional<PciAddress> findAddress() {
        return PciAddress.find(slot);
    }

    /// Returns four lower-case digits; blank if the text is not such a number.
    private static String hex(String text) {
        String digits = text.strip();
        digits = digits.startsWith("0x") ? digits.substring(2) : digits;
        if (digits.isEmpty() || digits.length() > ID_LENGTH) {
            return "";
        }
        for (int i = 0; i < digits.length(); i++) {
            if (digits.charAt(i) > 'f' || Character.digit(digits.charAt(i), HEXADECIMAL) < 0) {
                return "";
            }
        }
        String padded = "0".repeat(ID_LENGTH - digits.length()) + digits;
        return padded.toLowerCase(Locale.ROOT);
    }
}
