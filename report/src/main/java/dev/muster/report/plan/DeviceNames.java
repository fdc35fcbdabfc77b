// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.plan;

import dev.muster.plan.cost.PlannedDevice;
import java.util.ArrayList;
import java.util.List;

/// The devices of a plan as text.
final class DeviceNames {
    private DeviceNames() {}

    /// Returns the names, such as ` (cuda:0-3,5)`; empty for devices without a registry.
    ///
    /// @param used number of devices of the plan; if that is more than these, they stand for those of each host
    static String of(List<PlannedDevice> devices, int used) {
        return devices.isEmpty() ? "" : " (" + ranges(devices) + (used > devices.size() ? " of each host" : "") + ")";
    }

    private static String ranges(List<PlannedDevice> devices) {
        List<String> parts = new ArrayList<>();
        String before = "";
        for (int first = 0; first < devices.size(); ) {
            String id = devices.get(first).id().text();
            String prefix = id.substring(0, id.indexOf(':') + 1);
            int last = first;
            while (last + 1 < devices.size() && follows(devices.get(last), devices.get(last + 1))) {
                last++;
            }
            String end = devices.get(last).id().text();
            String shown = prefix.equals(before) ? id.substring(prefix.length()) : id;
            parts.add(last == first ? shown : shown + "-" + end.substring(prefix.length()));
            before = prefix;
            first = last + 1;
        }
        return String.join(",", parts);
    }

    private static boolean follows(PlannedDevice one, PlannedDevice next) {
        int colon = one.id().text().indexOf(':');
        return colon > 0
                && !one.isSlice()
                && !next.isSlice()
                && next.id().text().startsWith(one.id().text().substring(0, colon + 1))
                && next.ordinal() == one.ordinal() + 1;
    }
}
