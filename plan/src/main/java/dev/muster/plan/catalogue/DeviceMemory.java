package dev.muster.plan.catalogue;

import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;

/// The memory of a device, by its data sheet. Where processor and device share one memory, the largest size sold.
///
/// @param gigabytes the size in the vendor's gigabytes
/// @param count what those gigabytes are
/// @param type what the memory is made of, such as `HBM3`
/// @param bandwidth the peak rate between the device and its memory
/// @since 0.1
public record DeviceMemory(double gigabytes, MemoryCount count, String type, Bandwidth bandwidth) {
    /// The whole memory.
    public Bytes total() {
        return count.total(gigabytes);
    }

    /// The memory that programs get.
    public Bytes usable() {
        return count.usable(gigabytes);
    }

    DeviceMemory times(double factor) {
        return new DeviceMemory(
                gigabytes * factor, count, type, new Bandwidth(bandwidth.gigabytesPerSecond() * factor));
    }
}
