// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet;

import dev.muster.core.DeviceId;
import java.util.List;

/// Devices of a host that a job or pod holds; none for a job that runs there without devices. Immutable.
///
/// @param holder the holder: `job 4711`, `pod team-a/train-0`
/// @param user the user; blank if the source does not report it
/// @param count the number of devices; 0 for a job on the host that holds none
/// @param devices the held devices; empty if the source only counts them
/// @since 0.2
public record Claim(String holder, String user, int count, List<DeviceId> devices) {
    /// Checks the numbers and copies the list.
    public Claim {
        devices = List.copyOf(devices);
        if (count < devices.size()) {
            throw new IllegalArgumentException(
                    holder + " holds " + devices.size() + " devices by name and " + count + " in all");
        }
    }
}
