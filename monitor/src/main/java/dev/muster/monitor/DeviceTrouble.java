// SPDX-License-Identifier: Apache-2.0
package dev.muster.monitor;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.monitor.AlertRule.Alert;
import java.util.ArrayList;
import java.util.List;

/// Problems that a device reports itself, independent of rules: it is unhealthy, something slows it
/// down, its memory loses data. Without state.
///
/// @since 0.2
public final class DeviceTrouble {
    private DeviceTrouble() {}

    /// The alerts of all devices of a host, in their order.
    public static List<Alert> examine(AcceleratorRegistry registry) {
        List<Alert> troubles = new ArrayList<>();
        for (AcceleratorProfile device : registry.profiles()) {
            String health = device.reading(DeviceFact.HEALTH).find().orElse("ok");
            if (!health.equals("ok")) {
                troubles.add(new Alert(device.id(), "health: " + health));
            }
            String throttling = device.reading(DeviceFact.THROTTLING).find().orElse("none");
            if (!throttling.equals("none")) {
                troubles.add(new Alert(device.id(), "throttled: " + throttling));
            }
            long errors = device.reading(DeviceFact.ECC_UNCORRECTED).find().orElse(0L);
            if (errors > 0) {
                troubles.add(new Alert(device.id(), errors + " ECC errors not corrected"));
            }
            String remapping = device.reading(DeviceFact.ROW_REMAPPING).find().orElse("ok");
            if (!remapping.equals("ok")) {
                troubles.add(new Alert(device.id(), "row remapping: " + remapping));
            }
        }
        return troubles;
    }
}
