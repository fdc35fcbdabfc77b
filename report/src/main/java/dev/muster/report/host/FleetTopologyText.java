// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.host;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.fleet.Domain;
import dev.muster.fleet.FleetHost;
import dev.muster.report.host.FleetText.Group;
import dev.muster.report.terminal.Report;
import dev.muster.report.terminal.Terminal;
import dev.muster.report.text.Printable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The domains of a fleet, such as switches and blocks, with their hosts.
///
/// @param domains hosts of each domain
/// @param alone hosts without a known domain
public record FleetTopologyText(Map<Domain, List<FleetHost>> domains, List<FleetHost> alone) implements Report {
    private static final int MOST_NAMES = 100;

    /// Returns the domains of some hosts.
    public static FleetTopologyText of(List<FleetHost> hosts) {
        Map<Domain, List<FleetHost>> domains = new LinkedHashMap<>();
        List<FleetHost> alone = new ArrayList<>();
        for (FleetHost host : hosts) {
            host.domains()
                    .forEach(domain -> domains.computeIfAbsent(domain, _ -> new ArrayList<>())
                            .add(host));
            if (host.domains().isEmpty()) {
                alone.add(host);
            }
        }
        return new FleetTopologyText(domains, alone);
    }

    @Override
    public String text(Terminal terminal) {
        StringBuilder out = new StringBuilder();
        for (Domain.DomainKind kind : Domain.DomainKind.values()) {
            domains.forEach((domain, hosts) -> {
                if (domain.kind() == kind) {
                    line(out, terminal.bold(kind.text()) + " " + Printable.of(domain.name()), hosts);
                }
            });
        }
        if (!alone.isEmpty()) {
            line(out, "no topology known", alone);
        }
        return out.toString();
    }

    private static void line(StringBuilder out, String start, List<FleetHost> hosts) {
        Group group = new Group("", hosts);
        out.append(start + ": " + FleetText.names(hosts, MOST_NAMES) + " (" + hosts.size() + " hosts, "
                + group.deviceCount() + " devices, " + group.freeCount() + " free)\n");
    }

    @Override
    public JsonValue json() {
        return JsonObject.document("fleet-topology")
                .put(
                        "domains",
                        domains.entrySet(),
                        entry -> JsonObject.builder()
                                .put("kind", entry.getKey().kind().text())
                                .put("name", entry.getKey().name())
                                .put("hosts", entry.getValue(), host -> new JsonString(host.name()))
                                .build())
                .build();
    }
}
