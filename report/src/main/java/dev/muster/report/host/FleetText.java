// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.host;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.text.HostList;
import dev.muster.fleet.Domain;
import dev.muster.fleet.FleetHost;
import dev.muster.fleet.HostState;
import dev.muster.report.text.Printable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Hosts as text.
public final class FleetText {
    private FleetText() {}

    /// Returns the name of a device's kind.
    public static String kind(AcceleratorProfile device) {
        return device.deviceName().find().orElse(device.accelerator().kind().display());
    }

    /// Returns the devices, such as `8 x h100`, the most frequent first.
    public static String devices(FleetHost host) {
        Map<String, Integer> kinds = new TreeMap<>();
        host.accelerators().forEach(device -> kinds.merge(kind(device), 1, Integer::sum));
        return kinds.isEmpty()
                ? "none"
                : kinds.entrySet().stream()
                        .map(kind -> kind.getValue() + " x " + Printable.of(kind.getKey()))
                        .collect(Collectors.joining(", "));
    }

    /// Returns the state in the scheduler's own word, or its kind.
    public static String state(FleetHost host) {
        HostState state = host.state();
        return state.text().isBlank() ? state.kind().text() : Printable.of(state.text());
    }

    /// Returns the nearest domain; blank if none is known.
    public static String domain(FleetHost host) {
        List<Domain> domains = host.domains();
        return domains.isEmpty()
                ? ""
                : domains.getFirst().kind().text() + " "
                        + Printable.of(domains.getFirst().name());
    }

    /// Returns the names of hosts as a short list, cut if it is long.
    public static String names(Collection<FleetHost> hosts, int most) {
        String folded =
                Printable.of(HostList.fold(hosts.stream().map(FleetHost::name).toList()));
        return folded.length() <= most ? folded : folded.substring(0, most - 1) + "…";
    }

    /// Hosts with a common property.
    ///
    /// @param name the property
    public record Group(String name, List<FleetHost> hosts) {
        public int deviceCount() {
            return hosts.stream().mapToInt(host -> host.accelerators().size()).sum();
        }

        public int freeCount() {
            return hosts.stream().mapToInt(host -> host.free().size()).sum();
        }

        public long conflictCount() {
            return hosts.stream().mapToLong(host -> host.conflicts().size()).sum();
        }

        public long countOf(HostState.HostStateKind kind) {
            return hosts.stream().filter(host -> host.state().kind() == kind).count();
        }
    }

    /// Returns hosts grouped by `kind`, `state` or `domain`.
    public static List<Group> groups(List<FleetHost> hosts, String by) {
        Map<String, List<FleetHost>> groups = new LinkedHashMap<>();
        for (FleetHost host : hosts) {
            String name = switch (by) {
                case "state" -> state(host);
                case "domain" -> domain(host).isEmpty() ? "none" : domain(host);
                default -> devices(host);
            };
            groups.computeIfAbsent(name, _ -> new ArrayList<>()).add(host);
        }
        List<Group> all = new ArrayList<>();
        groups.forEach((name, of) -> all.add(new Group(name, of)));
        return all;
    }
}
