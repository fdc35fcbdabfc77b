// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.fleet;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.option.OptionSpec;
import dev.muster.cli.option.OutputFormat;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.Session;
import dev.muster.fleet.Fleet;
import dev.muster.fleet.FleetDocument;
import dev.muster.fleet.FleetHost;
import dev.muster.fleet.HostState;
import dev.muster.report.host.FleetText;
import dev.muster.report.host.FleetText.Group;
import dev.muster.report.terminal.Terminal;
import dev.muster.report.text.Count;
import dev.muster.report.text.Printable;
import dev.muster.report.text.SeparatedValues;
import dev.muster.report.text.Table;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Collectors;

/// `muster fleet list`: the hosts, or what groups of them have.
final class FleetListCommand implements Command {
    static final OptionSpec GROUP_BY = OptionSpec.choice(
            "group-by", "PROPERTY", List.of("kind", "state", "domain"), "group hosts by this property");
    static final List<OutputFormat> FORMATS =
            List.of(OutputFormat.TABLE, OutputFormat.WIDE, OutputFormat.JSON, OutputFormat.CSV, OutputFormat.NAME);
    /// A table with more lines is no longer read by people; groups are shown in its place.
    private static final int MOST_LINES = 200;

    private static final int MOST_NAMES = 60;

    @Override
    public CommandTitle title() {
        return CommandTitle.of("fleet list", "list hosts with devices and state");
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(title())
                .with(FleetOptions.ALL)
                .with(GROUP_BY)
                .printing(FORMATS)
                .exiting(
                        "1  no source could be read, or no host matches",
                        "4  something could not be read, with --strict")
                .example("muster fleet list", "the nodes of the Slurm cluster")
                .example("muster fleet list --free --kind h100", "hosts with free H100s")
                .example(
                        "muster fleet list --source slurm --source file:hosts/ -o json > fleet.json",
                        "two sources, saved to a file")
                .example("muster fleet list --source synthetic:500xh100-sxm:8 --group-by state", "a synthetic fleet");
    }

    @Override
    public int run(Arguments arguments, Session session) {
        Fleet fleet = FleetOptions.read(arguments, session);
        List<FleetHost> hosts = FleetOptions.filter(arguments, fleet);
        OutputFormat format = OutputFormat.of(arguments);
        switch (format) {
            case JSON -> session.print(document(new Fleet(hosts, fleet.sources())));
            case NAME -> hosts.forEach(host -> session.print(Printable.of(host.name()) + "\n"));
            case CSV -> session.print(csv(hosts));
            default -> session.print(text(arguments, hosts, format == OutputFormat.WIDE, session.terminal()));
        }
        if (hosts.isEmpty()) {
            session.note("muster: none of " + Count.of(fleet.hosts().size(), "host") + " matches");
            return ExitCode.NO;
        }
        return FleetOptions.exitCode(arguments, fleet);
    }

    static String document(Fleet fleet) {
        StringBuilder text = new StringBuilder();
        try {
            FleetDocument.write(fleet, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static String text(Arguments arguments, List<FleetHost> hosts, boolean wide, Terminal terminal) {
        Group all = new Group("", hosts);
        long unknown = all.countOf(HostState.HostStateKind.UNKNOWN);
        String summary = Count.of(hosts.size(), "host") + ", " + Count.of(all.deviceCount(), "device") + ", "
                + all.freeCount() + " free; " + all.countOf(HostState.HostStateKind.READY) + " ready, "
                + all.countOf(HostState.HostStateKind.DRAINING) + " draining, "
                + all.countOf(HostState.HostStateKind.DOWN) + " down"
                + (unknown == 0 ? "" : ", " + unknown + " unknown") + "\n";
        if (hosts.isEmpty()) {
            return "";
        }
        boolean grouped = arguments.has(GROUP_BY) || (hosts.size() > MOST_LINES && !wide);
        return (grouped
                        ? groups(
                                FleetText.groups(hosts, arguments.find(GROUP_BY).orElse("kind")), terminal)
                        : table(hosts, wide, terminal))
                + summary;
    }

    private static String groups(List<Group> groups, Terminal terminal) {
        return new Table<Group>(terminal)
                .left("GROUP", Group::name)
                .right("HOSTS", group -> Integer.toString(group.hosts().size()))
                .right("DEVICES", group -> Integer.toString(group.deviceCount()))
                .right("FREE", group -> Integer.toString(group.freeCount()))
                .right("READY", 3, group -> Long.toString(group.countOf(HostState.HostStateKind.READY)))
                .right("DRAINING", 4, group -> Long.toString(group.countOf(HostState.HostStateKind.DRAINING)))
                .right("DOWN", 3, group -> Long.toString(group.countOf(HostState.HostStateKind.DOWN)))
                .right("CONFLICTS", 5, group -> Long.toString(group.conflictCount()))
                .flexible("NAMES", 6, group -> FleetText.names(group.hosts(), MOST_NAMES))
                .render(groups);
    }

    private static String table(List<FleetHost> hosts, boolean wide, Terminal terminal) {
        Table<FleetHost> table = new Table<FleetHost>(terminal)
                .left("HOST", host -> Printable.of(host.name()))
                .flexible("DEVICES", 2, FleetText::devices)
                .right("FREE", host -> Integer.toString(host.free().size()))
                .left("STATE", FleetText::state)
                .left("DOMAIN", 4, FleetText::domain)
                .left("SOURCES", 6, host -> Printable.of(String.join(", ", host.sources())))
                .right("CONFLICTS", 5, host -> Integer.toString(host.conflicts().size()));
        if (wide) {
            table.left("PARTITIONS", 7, FleetListCommand::restrictions)
                    .left("HELD BY", 8, FleetListCommand::holders)
                    .left("REASON", 9, host -> Printable.of(host.state().reason()));
        }
        return table.render(hosts);
    }

    private static String restrictions(FleetHost host) {
        return Printable.of(host.restrictions().stream().map(one -> one.name()).collect(Collectors.joining(",")));
    }

    private static String holders(FleetHost host) {
        return Printable.of(host.claims().stream()
                .map(claim -> claim.holder() + (claim.user().isBlank() ? "" : " (" + claim.user() + ")"))
                .collect(Collectors.joining(", ")));
    }

    private static String csv(List<FleetHost> hosts) {
        StringBuilder out = new StringBuilder();
        out.append(SeparatedValues.csv(List.of(
                "host",
                "devices",
                "deviceCount",
                "freeCount",
                "state",
                "reason",
                "domain",
                "partitions",
                "sources",
                "conflictCount")));
        for (FleetHost host : hosts) {
            out.append(SeparatedValues.csv(List.of(
                    host.name(),
                    FleetText.devices(host),
                    Integer.toString(host.accelerators().size()),
                    Integer.toString(host.free().size()),
                    FleetText.state(host),
                    host.state().reason(),
                    FleetText.domain(host),
                    restrictions(host),
                    String.join(" ", host.sources()),
                    Integer.toString(host.conflicts().size()))));
        }
        return out.toString();
    }
}
