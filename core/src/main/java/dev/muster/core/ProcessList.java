package dev.muster.core;

import java.util.List;
import java.util.stream.Collectors;

/// Programs that use a device, in the order of the source.
///
/// @param processes the programs
/// @since 0.1
public record ProcessList(List<DeviceProcess> processes) {
    /// Copies the list.
    public ProcessList {
        processes = List.copyOf(processes);
    }

    @Override
    public String toString() {
        return processes.stream().map(DeviceProcess::toString).collect(Collectors.joining(", "));
    }
}
