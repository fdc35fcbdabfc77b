// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.picture;

import dev.muster.report.picture.Frames.Host;
import java.util.List;

/// The devices of a plan and their content, as far as they are drawn.
///
/// @param hosts hosts with their devices
/// @param isAlike true if all devices in use have the same content, so that figures stand in the legend once
/// @param notes omissions, and explanations for readers
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

    List<Device> devices() {
        return hosts.stream()
                .flatMap(host -> host.groups().stream())
                .flatMap(group -> group.members().stream())
                .toList();
    }
}
