// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.hwloc;

import dev.muster.core.PciAddress;
import dev.muster.detect.pci.PciPath;
import dev.muster.detect.text.CpuSet;
import java.util.List;
import java.util.Optional;

/// A function on the PCI bus, and what the system calls it.
///
/// @param object the function
/// @param path the way to it
/// @param cpus the processors next to it; none where the file does not say
/// @param osDevices names by which drivers and libraries offer it, such as `nvml0` and `cuda0`
record HwlocFunction(HwlocObject object, PciPath path, CpuSet cpus, List<HwlocObject> osDevices) {
    private static final int HEXADECIMAL = 16;
    /// Class, vendor and device stand at fixed places: `0302 [10de:1eb8] [10de:12a2] a1`.
    private static final int CLASS_END = 4;

    private static final int VENDOR = 6;
    private static final int DEVICE = 11;
    private static final int ID_END = 15;

    HwlocFunction {
        osDevices = List.copyOf(osDevices);
    }

    PciAddress address() {
        return path.address();
    }

    /// Vendor and device, such as `10de:1eb8`; hwloc writes zeros where it may not look.
    Optional<String> findPciId() {
        String type = object.attribute("pci_type");
        boolean told = type.length() >= ID_END && number(VENDOR, VENDOR + CLASS_END) > 0 && number(DEVICE, ID_END) >= 0;
        return told ? Optional.of(type.substring(VENDOR, ID_END)) : Optional.empty();
    }

    /// The vendor, such as 0x10de; -1 where the file does not say.
    int vendor() {
        return number(VENDOR, VENDOR + CLASS_END);
    }

    /// Returns its PCI class, such as 0x0302; -1 if the file does not state it.
    int classCode() {
        return number(0, CLASS_END);
    }

    private int number(int from, int to) {
        String type = object.attribute("pci_type");
        try {
            return type.length() < to ? -1 : Integer.parseUnsignedInt(type, from, to, HEXADECIMAL);
        } catch (NumberFormatException _) {
            return -1;
        }
    }

    /// Reports whether GPUs communicate through it.
    boolean isNvSwitch() {
        return object.attribute("subtype").equals("NVSwitch");
    }
}
