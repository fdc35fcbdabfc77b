// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.probe;

import dev.muster.core.Gap;
import dev.muster.core.PciAddress;
import dev.muster.detect.host.HostAnswer;
import dev.muster.detect.host.HostFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// The PCI devices of a host, read once per detection: one small file for each. Immutable. Every start comes here, so
/// there are loops where streams would do (docs/decisions/0004).
///
/// @since 0.1
public final class PciInventory {
    /// The folder in which the kernel lists them.
    public static final String FOLDER = "/sys/bus/pci/devices";

    private static final String CARDS = "/sys/class/drm";
    private static final int MAX_UEVENT = 4096;
    private static final int MAX_ID = 64;
    private static final int HEXADECIMAL = 16;
    private static final int UNKNOWN = -1;

    private final List<PciDevice> devices;
    private final List<Gap> gaps;

    private PciInventory(List<PciDevice> devices, List<Gap> gaps) {
        this.devices = List.copyOf(devices);
        this.gaps = List.copyOf(gaps);
    }

    /// Reads what the kernel lists.
    public static PciInventory scan(HostFiles files) {
        List<PciDevice> devices = new ArrayList<>();
        List<Gap> gaps = new ArrayList<>();
        for (String name : files.names(FOLDER)) {
            PciAddress.find(name).flatMap(address -> read(files, address, gaps)).ifPresent(devices::add);
        }
        if (devices.isEmpty()) {
            addGraphicsCards(files, devices);
        }
        // Names sort by decimal numbers, which puts bus 4d before bus 33.
        // Not Comparator.comparing: its lambda makes classes at start-up (docs/decisions/0004).
        devices.sort((one, other) -> one.address().compareTo(other.address()));
        return new PciInventory(devices, gaps);
    }

    /// Containers and recordings may show the graphics cards without the bus.
    private static void addGraphicsCards(HostFiles files, List<PciDevice> devices) {
        for (String card : files.numbered(CARDS, "card")) {
            String uevent = files.findText(CARDS + "/" + card + "/device/uevent", MAX_UEVENT)
                    .orElse("");
            PciAddress.find(value(uevent, "PCI_SLOT_NAME="))
                    .flatMap(address -> parse(address, uevent))
                    .ifPresent(devices::add);
        }
    }

    /// The kernel says all of it in `uevent`; trees that were recorded by others may have only the single files.
    private static Optional<PciDevice> read(HostFiles files, PciAddress address, List<Gap> gaps) {
        String folder = FOLDER + "/" + address;
        HostAnswer<String> uevent = files.read(folder + "/uevent", MAX_UEVENT);
        if (uevent instanceof HostAnswer.Found(String text) && text.contains("PCI_ID=")) {
            return parse(address, text);
        }
        int vendor = id(files, folder + "/vendor");
        int device = id(files, folder + "/device");
        if (vendor == UNKNOWN || device == UNKNOWN) {
            // A device that was pulled has no files any more; one that has them and no id is lost to every probe.
            if (uevent instanceof HostAnswer.Found<String>) {
                gaps.add(new Gap.Unparsable("pci", folder + "/uevent names no device"));
            }
            return Optional.empty();
        }
        String driver = files.findLinkName(folder + "/driver").orElse("");
        return Optional.of(new PciDevice(address, vendor, device, id(files, folder + "/class"), driver));
    }

    /// Reads a `uevent` file: lines such as `PCI_ID=10DE:2330`.
    static Optional<PciDevice> parse(PciAddress address, String text) {
        String id = value(text, "PCI_ID=");
        int colon = id.indexOf(':');
        int vendor = colon < 0 ? UNKNOWN : hex(id.substring(0, colon));
        int device = hex(id.substring(colon + 1));
        return vendor == UNKNOWN || device == UNKNOWN
                ? Optional.empty()
                : Optional.of(
                        new PciDevice(address, vendor, device, hex(value(text, "PCI_CLASS=")), value(text, "DRIVER=")));
    }

    /// Returns the value of a key, which ends with `=`, in a `uevent` file; blank if it is missing.
    public static String value(String text, String key) {
        int start = text.startsWith(key) ? 0 : text.indexOf("\n" + key) + 1;
        if (start == 0 && !text.startsWith(key)) {
            return "";
        }
        int end = text.indexOf('\n', start);
        return text.substring(start + key.length(), end < 0 ? text.length() : end)
                .strip();
    }

    private static int id(HostFiles files, String path) {
        return files.read(path, MAX_ID) instanceof HostAnswer.Found(String text) ? hex(text.strip()) : UNKNOWN;
    }

    private static int hex(String digits) {
        try {
            return Integer.parseInt(digits.startsWith("0x") ? digits.substring(2) : digits, HEXADECIMAL);
        } catch (NumberFormatException _) {
            return UNKNOWN;
        }
    }

    /// Every device, by address.
    public List<PciDevice> devices() {
        return devices;
    }

    /// The devices of which the kernel does not say what they are.
    public List<Gap> gaps() {
        return gaps;
    }

    /// Reports whether there is such a device.
    public boolean has(Predicate<PciDevice> wanted) {
        for (PciDevice device : devices) {
            if (wanted.test(device)) {
                return true;
            }
        }
        return false;
    }

    /// Reports whether there is a device of a vendor.
    public boolean hasVendor(int vendor) {
        return has(device -> device.vendor() == vendor);
    }

    /// The devices of a vendor, by address.
    public List<PciDevice> ofVendor(int vendor) {
        List<PciDevice> found = new ArrayList<>();
        for (PciDevice device : devices) {
            if (device.vendor() == vendor) {
                found.add(device);
            }
        }
        return found;
    }

    /// The device at an address.
    public Optional<PciDevice> find(PciAddress address) {
        for (PciDevice device : devices) {
            if (device.address().equals(address)) {
                return Optional.of(device);
            }
        }
        return Optional.empty();
    }
}
