// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.windows;

import dev.muster.core.unit.Bytes;
import dev.muster.detect.text.Amount;
import java.util.Locale;
import java.util.Optional;

/// A video controller as Windows lists it.
///
/// @param name its name
/// @param ram `AdapterRAM` as it was printed; blank where it was not
/// @param driverVersion the driver's version; blank where it is not told
/// @param pnpId the id of the device, such as `PCI\VEN_10DE&DEV_2684&…`; blank where it is not told
record WindowsAdapter(String name, String ram, String driverVersion, String pnpId) {
    static final int MAX_ADAPTERS = 256;

    /// `AdapterRAM` has 32 bits; drivers of larger cards write the largest number or that less 1 MiB.
    private static final long FULL = (4L << 30) - (1L << 20);

    private static final int ID_LENGTH = 4;

    /// Memory, where 32 bits can hold it.
    Optional<Bytes> findMemory() {
        return Amount.count(ram, Long.MAX_VALUE)
                .filter(bytes -> bytes > 0 && bytes < FULL)
                .map(Bytes::of);
    }

    /// Vendor and device on the PCI bus, such as `10de:2684`.
    Optional<String> findPciId() {
        Optional<String> vendor = part("VEN_");
        Optional<String> device = part("DEV_");
        return vendor.flatMap(first -> device.map(second -> first + ":" + second));
    }

    private Optional<String> part(String key) {
        String upper = pnpId.toUpperCase(Locale.ROOT);
        int start = upper.startsWith("PCI\\") ? upper.indexOf(key) + key.length() : -1;
        if (start < key.length() || start + ID_LENGTH > upper.length()) {
            return Optional.empty();
        }
        String digits = upper.substring(start, start + ID_LENGTH).toLowerCase(Locale.ROOT);
        boolean hex = digits.chars().allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'));
        return hex ? Optional.of(digits) : Optional.empty();
    }

    /// Reports whether the adapter has no GPU: Windows' own drivers, remote desktops, adapters of virtual machines.
    boolean isVirtual() {
        String lower = name.toLowerCase(Locale.ROOT);
        for (String word : new String[] {
            "basic display",
            "remote desktop",
            "remote display",
            "microsoft",
            "virtual display",
            "vmware",
            "virtualbox",
            "red hat",
            "displaylink",
            "citrix"
        }) {
            if (lower.contains(word)) {
                return true;
            }
        }
        String upper = pnpId.toUpperCase(Locale.ROOT);
        return upper.startsWith("ROOT\\") || upper.startsWith("SWD\\") || upper.startsWith("VMBUS\\");
    }

    /// Returns the registry's entry for the memory of a video controller, in 64 bits.
    ///
    /// @param description the driver's name for the device
    /// @param matchingId the start of the device's id that the driver was chosen for
    /// @param size the size as it was printed
    record Memory(String description, String matchingId, String size) {
        boolean describes(WindowsAdapter adapter) {
            String id = adapter.pnpId().toUpperCase(Locale.ROOT);
            boolean bothHaveIds = !matchingId.isBlank() && !id.isBlank();
            return bothHaveIds
                    ? id.startsWith(matchingId.toUpperCase(Locale.ROOT))
                    : description.equals(adapter.name());
        }

        Optional<Bytes> findSize() {
            return Amount.count(size, Amount.MAX_MEMORY.unsigned())
                    .filter(bytes -> bytes > 0)
                    .map(Bytes::of);
        }
    }
}
