// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.top;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.fleet.Claim;
import dev.muster.fleet.FleetHost;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/// A host of a fleet as a row: what its devices use together. Immutable.
///
/// @param host the host
/// @param devices its accelerators
/// @param held number of devices that jobs or pods hold
/// @param load mean load of its devices
/// @param memoryUsed memory in use, in bytes
/// @param memory memory of its devices, in bytes
/// @param power power in watts
/// @param temperature temperature of the hottest device
/// @param owners users of its devices, with commas between
record HostRow(
        FleetHost host,
        List<AcceleratorProfile> devices,
        int held,
        OptionalDouble load,
        OptionalDouble memoryUsed,
        OptionalDouble memory,
        OptionalDouble power,
        OptionalDouble temperature,
        String owners) {
    /// The order of hosts. Those of which nothing is known come last.
    enum Sort {
        LOAD("load"),
        POWER("power"),
        TEMPERATURE("temperature"),
        OWNER("owner"),
        NAME("name");

        private final String word;

        Sort(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }

        Sort next() {
            return switch (this) {
                case LOAD -> POWER;
                case POWER -> TEMPERATURE;
                case TEMPERATURE -> OWNER;
                case OWNER -> NAME;
                case NAME -> LOAD;
            };
        }

        private Comparator<HostRow> order() {
            return switch (this) {
                case LOAD -> byNumber(row -> row.load);
                case POWER -> byNumber(row -> row.power);
                case TEMPERATURE -> byNumber(row -> row.temperature);
                case OWNER ->
                    Comparator.comparing((HostRow row) -> row.owners.isEmpty()).thenComparing(HostRow::owners);
                case NAME -> (_, _) -> 0;
            };
        }

        private static Comparator<HostRow> byNumber(Function<HostRow, OptionalDouble> figure) {
            return Comparator.comparingDouble(row -> -figure.apply(row).orElse(Double.NEGATIVE_INFINITY));
        }
    }

    static HostRow of(FleetHost host) {
        List<AcceleratorProfile> devices = host.accelerators();
        Sum load = new Sum();
        Sum used = new Sum();
        Sum memory = new Sum();
        Sum power = new Sum();
        Sum heat = new Sum();
        for (AcceleratorProfile device : devices) {
            load.add(device.number(DeviceFact.UTILIZATION));
            used.add(device.number(DeviceFact.MEMORY_USED));
            memory.add(device.number(DeviceFact.MEMORY));
            power.add(device.number(DeviceFact.POWER));
            heat.add(device.number(DeviceFact.TEMPERATURE));
        }
        Set<String> owners = new TreeSet<>();
        int held = 0;
        for (Claim claim : host.claims()) {
            held += claim.count();
            owners.add(claim.user().isEmpty() ? claim.holder() : claim.user());
        }
        return new HostRow(
                host,
                devices,
                held,
                load.mean(),
                used.total(),
                memory.total(),
                power.total(),
                heat.most(),
                String.join(", ", owners));
    }

    /// Returns the rows that a text selects, in an order.
    static List<HostRow> arrange(List<HostRow> rows, String filter, Sort sort) {
        List<HostRow> chosen = new ArrayList<>(rows);
        if (!filter.isEmpty()) {
            String wanted = filter.toLowerCase(Locale.ROOT);
            chosen.removeIf(row -> !row.words().contains(wanted));
        }
        chosen.sort(sort.order());
        return chosen;
    }

    private String words() {
        return (host.name() + " " + host.state().kind().text() + " " + kind() + " " + owners).toLowerCase(Locale.ROOT);
    }

    /// Returns the name of its devices; blank without any.
    String kind() {
        return devices.isEmpty() ? "" : devices.getFirst().deviceName().find().orElse("");
    }

    /// Figures of devices, of which some may be unknown.
    static final class Sum {
        private double total;
        private double most = Double.NEGATIVE_INFINITY;
        private int count;

        void add(OptionalDouble figure) {
            if (figure.isPresent()) {
                total += figure.getAsDouble();
                most = Math.max(most, figure.getAsDouble());
                count++;
            }
        }

        int count() {
            return count;
        }

        OptionalDouble total() {
            return count == 0 ? OptionalDouble.empty() : OptionalDouble.of(total);
        }

        OptionalDouble mean() {
            return count == 0 ? OptionalDouble.empty() : OptionalDouble.of(total / count);
        }

        OptionalDouble most() {
            return count == 0 ? OptionalDouble.empty() : OptionalDouble.of(most);
        }
    }
}
