// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.fleet;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.Report;
import dev.muster.cli.session.Session;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.fleet.Domain;
import dev.muster.fleet.Fleet;
import dev.muster.fleet.FleetHost;
import dev.muster.report.host.FleetText;
import dev.muster.report.host.FleetText.Group;
import dev.muster.report.text.Printable;
import dev.muster.report.text.Terminal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// `muster fleet topology`: which hosts share switches, blocks, racks.
final class FleetTopologyCommand implements Command {
    private static final int MOST_NAMES = 100;

    @Override
    public CommandTitle title() {
        return CommandTitle.of("fleet topology", "show hosts by block and switch");
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(title())
                .with(FleetOptions.ALL)
                .exiting("1  no host matches")
                .example("muster fleet topology", "switches and blocks of the Slurm cluster");
    }

    @Override
    public int run(Arguments arguments, Session session) {
        Fleet fleet = FleetOptions.read(arguments, session);
        List<FleetHost> hosts = FleetOptions.filter(arguments, fleet);
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
        Report.print(arguments, session, () -> json(domains), terminal -> text(domains, alone, terminal));
        return hosts.isEmpty() ? ExitCode.NO : FleetOptions.exitCode(arguments, fleet);
    }

    private static String text(Map<Domain, List<FleetHost>> domains, List<FleetHost> alone, Terminal terminal) {
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

    private static JsonValue json(Map<Domain, List<FleetHost>> domains) {
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
