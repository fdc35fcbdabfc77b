package dev.muster.plan.search;

import dev.muster.plan.time.DeviceFigures;

/// Devices of one kind on one machine.
///
/// @param device what one of them is
/// @param name its name for people
/// @param count how many there are
/// @param isMeasured whether copies and products were measured on them, rather than read in a data sheet
/// @since 0.1
public record DevicePool(DeviceFigures device, String name, int count, boolean isMeasured) {
    /// Checks the count.
    ///
    /// @throws IllegalArgumentException if it is below 1
    public DevicePool {
        if (count < 1) {
            throw new IllegalArgumentException("a pool has at least one device");
        }
    }

    /// The same with another number of devices.
    DevicePool withCount(int other) {
        return new DevicePool(device, name, other, isMeasured);
    }
}
