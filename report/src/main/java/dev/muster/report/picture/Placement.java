// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.picture;

import dev.muster.report.picture.Frames.Host;
import java.util.List;

/// Which device holds what, as far as it is drawn.
///
/// @param hosts machines with what they hold
/// @param isAlike whether all devices that hold something hold the same, so that figures stand in the
///     legend once
/// @param notes what is not drawn, and how to read what is
record Placement(List<Host<Device>> hosts, boolean isAlike, List<String> notes) {
    Placement {
        hosts = List.copyOf(hosts);
        notes = List.copyOf(notes);
    }

    /// One device.
    ///
    /// @param lines figures below its bar
    record Device(String name, List<String> lines, DeviceMemory memory) {
        Device {
            lines = List.copyOf(lines);
        }
    }

    /// All devices that are drawn.
    List<Device> devices() {
        return hosts.stream()
                .flatMap(host -> host.groups().stream())
                .flatMap(group -> group.members().stream())
                .toList();
    }
}
