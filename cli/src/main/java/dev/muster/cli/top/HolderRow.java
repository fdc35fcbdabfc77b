// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.top;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.fleet.Claim;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;

/// A user of a fleet as a row, or a job of an unknown user. Immutable.
///
/// @param name the user
/// @param devices number of devices held
/// @param idle number of held devices that do nothing; empty if no load is known
/// @param hosts number of hosts with them
/// @param load mean load of the held devices
/// @param power power of the held devices in watts
record HolderRow(String name, int devices, OptionalDouble idle, int hosts, OptionalDouble load, OptionalDouble power) {
    /// A held device with a lower load does nothing.
    private static final double IDLE = 0.05;

    /// Returns the users that a text selects, those with the most idle devices first.
    static List<HolderRow> arrange(List<HostRow> hosts, String filter) {
        Map<String, Holder> holders = new TreeMap<>();
        for (HostRow row : hosts) {
            for (Claim claim : row.host().claims()) {
                holders.computeIfAbsent(claim.user().isEmpty() ? claim.holder() : claim.user(), _ -> new Holder())
                        .add(row, claim);
            }
        }
        List<HolderRow> rows = new ArrayList<>();
        String wanted = filter.toLowerCase(Locale.ROOT);
        holders.forEach((name, holder) -> {
            if (name.toLowerCase(Locale.ROOT).contains(wanted)) {
                rows.add(holder.row(name));
            }
        });
        rows.sort(Comparator.comparingDouble((HolderRow row) -> -row.idle.orElse(0))
                .thenComparingInt(row -> -row.devices));
        return rows;
    }

    private static final class Holder {
        private final Set<String> hosts = new HashSet<>();
        private final HostRow.Sum load = new HostRow.Sum();
        private final HostRow.Sum power = new HostRow.Sum();
        private int devices;
        private int idle;

        void add(HostRow row, Claim claim) {
            hosts.add(row.host().name());
            devices += claim.count();
            // Where a claim only counts, its devices are known if it holds all.
            boolean all =
                    claim.devices().isEmpty() && claim.count() == row.devices().size();
            for (AcceleratorProfile device : row.devices()) {
                if (all || claim.devices().contains(device.id())) {
                    OptionalDouble now = device.number(DeviceFact.UTILIZATION);
                    load.add(now);
                    power.add(device.number(DeviceFact.POWER));
                    idle += now.isPresent() && now.getAsDouble() < IDLE ? 1 : 0;
                }
            }
        }

        HolderRow row(String name) {
            return new HolderRow(
                    name,
                    devices,
                    load.count() == 0 ? OptionalDouble.empty() : OptionalDouble.of(idle),
                    hosts.size(),
                    load.mean(),
                    power.total());
        }
    }
}
