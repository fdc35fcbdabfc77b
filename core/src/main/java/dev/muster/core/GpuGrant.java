package dev.muster.core;

import java.util.List;

/// The devices that an environment variable grants to a container.
///
/// @param deviceIds the ids as the variable lists them
/// @param gpuCount how many devices; 0 when the variable says "all"
/// @param source the variable's name
/// @since 0.1
public record GpuGrant(List<String> deviceIds, long gpuCount, String source) {
    /// Copies the list.
    public GpuGrant {
        deviceIds = List.copyOf(deviceIds);
    }
}
