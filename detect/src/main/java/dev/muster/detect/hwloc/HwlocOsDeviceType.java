package dev.muster.detect.hwloc;

/// What an OS device is for, as far as it matters here. Version 2 of the format numbers the types; version 3 has a bit
/// for each.
enum HwlocOsDeviceType {
    STORAGE(0, 1),
    NETWORK(2, 1 << 4),
    /// Network cards that can access memory remotely.
    OPEN_FABRICS(3, 1 << 5);

    private final long number;
    private final long bit;

    HwlocOsDeviceType(long number, long bit) {
        this.number = number;
        this.bit = bit;
    }

    /// Whether an OS device is of this type.
    ///
    /// @param version the first number of the format's version
    boolean isTypeOf(HwlocObject osDevice, int version) {
        return osDevice.findCount("osdev_type")
                .filter(type -> version == 2 ? type == number : (type & bit) != 0)
                .isPresent();
    }
}
