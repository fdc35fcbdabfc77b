package dev.muster.core;

import dev.muster.core.unit.Bandwidth;

/// A drive of the host.
///
/// @param name its name, such as `nvme0n1`
/// @param kind its kind
/// @param bandwidth its rate when read in sequence
/// @since 0.1
public record StorageDevice(String name, StorageKind kind, Bandwidth bandwidth) {}
