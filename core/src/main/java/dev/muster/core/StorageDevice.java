package dev.muster.core;

import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;

/// A drive of the host.
///
/// @param name its name, such as `nvme0n1`
/// @param kind its kind
/// @param bandwidth its rate when read in sequence, or the most that its link carries; the source says which
/// @param model what its maker calls it; the level, such as `raid1`, of drives that are joined
/// @param size what it holds
/// @param state how joined drives are: `active`, or what is wrong or going on, such as `degraded 1 of 2, recovering
/// 8.5 %`
/// @since 0.1
public record StorageDevice(
        String name,
        StorageKind kind,
        Reading<Bandwidth> bandwidth,
        Reading<String> model,
        Reading<Bytes> size,
        Reading<String> state) {
    /// A drive of which only name, kind and rate are known.
    public static StorageDevice of(String name, StorageKind kind, Reading<Bandwidth> bandwidth) {
        return new StorageDevice(name, kind, bandwidth, Reading.notProbed(), Reading.notProbed(), Reading.notProbed());
    }
}
