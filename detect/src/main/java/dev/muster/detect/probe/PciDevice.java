// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.probe;

import dev.muster.core.PciAddress;

/// One function on the PCI bus, as the kernel lists it.
///
/// @param address PCI address
/// @param vendor its vendor's id, such as 0x10de
/// @param device its own id
/// @param classCode device class, in 24 bits, such as 0x030200; -1 if the kernel does not report it
/// @param driver the kernel's driver; blank when there is none
/// @since 0.1
public record PciDevice(PciAddress address, int vendor, int device, int classCode, String driver) {
    private static final int CLASS_SHIFT = 16;
    private static final int SUBCLASS_SHIFT = 8;
    private static final int DISPLAY = 0x03;
    private static final int ACCELERATOR = 0x12;

    /// The device's folder in sysfs.
    public String folder() {
        return PciInventory.FOLDER + "/" + address;
    }

    /// Vendor and device as people write them, such as `10de:2330`.
    public String id() {
        return id(vendor, device);
    }

    /// Any vendor and device as people write them.
    public static String id(int vendor, int device) {
        return hex4(vendor) + ":" + hex4(device);
    }

    /// Reports whether it drives displays or renders.
    public boolean isDisplay() {
        return classCode >> CLASS_SHIFT == DISPLAY;
    }

    /// Reports whether it is a processing accelerator.
    public boolean isAccelerator() {
        return classCode >> CLASS_SHIFT == ACCELERATOR;
    }

    /// Reports whether class and subclass are the given ones, such as 0x1180.
    public boolean hasClass(int classAndSubclass) {
        return classCode >> SUBCLASS_SHIFT == classAndSubclass;
    }

    private static String hex4(int value) {
        String digits = Integer.toHexString(value);
        return "0".repeat(Math.max(0, 4 - digits.length())) + digits;
    }
}
