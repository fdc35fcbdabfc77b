package dev.muster.detect.probe;

import dev.muster.core.PciAddress;
import java.util.Optional;

/// Reads the `uevent` file of a PCI device: lines such as `PCI_ID=10DE:2330`.
final class PciUevent {
    private static final int HEXADECIMAL = 16;
    private static final int UNKNOWN = -1;

    private PciUevent() {}

    static Optional<PciDevice> parse(PciAddress address, String text) {
        String id = value(text, "PCI_ID=");
        int colon = id.indexOf(':');
        if (colon < 0) {
            return Optional.empty();
        }
        int vendor = hex(id.substring(0, colon));
        int device = hex(id.substring(colon + 1));
        return vendor == UNKNOWN || device == UNKNOWN
                ? Optional.empty()
                : Optional.of(
                        new PciDevice(address, vendor, device, hex(value(text, "PCI_CLASS=")), value(text, "DRIVER=")));
    }

    private static String value(String text, String key) {
        int start = text.startsWith(key) ? 0 : text.indexOf("\n" + key) + 1;
        if (start == 0 && !text.startsWith(key)) {
            return "";
        }
        int end = text.indexOf('\n', start);
        return text.substring(start + key.length(), end < 0 ? text.length() : end)
                .strip();
    }

    private static int hex(String digits) {
        try {
            return Integer.parseInt(digits, HEXADECIMAL);
        } catch (NumberFormatException _) {
            return UNKNOWN;
        }
    }
}
