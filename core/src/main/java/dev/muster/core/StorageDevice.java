package dev.muster.core;

import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;

/// A drive of the host.
///
/// @param name its name, such as `nvme0n1`
/// @param kind its kind
/// @param bandwidth its rate when read in sequence, or the most that its link carries; the source says which
/// @param model what its maker calls it
/// @param size what it holds
/// @since 0.1
public record StorageDevice(
        String name, StorageKind kind, Reading<Bandwidth> bandwidth, Reading<String> model, Reading<Bytes> size) {
    /// A drive of which only name, kind and rate are known.
    public static StorageDevice of(String name, StorageKind kind, Reading<Bandwidth> bandwidth) {
        return new StorageDevice(name, kind, bandwidth, Reading.notProbed(), Reading.notProbed());
    }
}
