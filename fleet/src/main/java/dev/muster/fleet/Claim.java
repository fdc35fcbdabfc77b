// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet;

import dev.muster.core.DeviceId;
import java.util.List;

/// Devices of a host that somebody holds; none where a job runs there without any. Immutable.
///
/// @param holder who: `job 4711`, `pod team-a/train-0`
/// @param user whose; blank where the source does not tell
/// @param count how many devices; 0 for a job on the host that holds none
/// @param devices which, where the source tells; empty where it only counts
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
