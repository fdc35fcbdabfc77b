// SPDX-License-Identifier: Apache-2.0
package dev.muster.monitor;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceUsability;
import dev.muster.monitor.AlertRule.Alert;
import java.util.ArrayList;
import java.util.List;

/// The faults of devices as alerts, independent of rules: see [DeviceUsability]. Without state.
///
/// @since 0.2
public final class DeviceTrouble {
    private DeviceTrouble() {}

    /// The alerts of all devices of a host, in their order.
    public static List<Alert> examine(AcceleratorRegistry registry) {
        List<Alert> troubles = new ArrayList<>();
        for (AcceleratorProfile device : registry.profiles()) {
            for (DeviceUsability.Reason fault : DeviceUsability.of(device).faults()) {
                troubles.add(new Alert(device.id(), fault.words()));
            }
        }
        return troubles;
    }
}
