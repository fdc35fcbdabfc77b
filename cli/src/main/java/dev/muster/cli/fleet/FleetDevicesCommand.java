// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.fleet;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.option.OutputFormat;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.Session;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.fleet.Claim;
import dev.muster.fleet.Fleet;
import dev.muster.fleet.FleetHost;
import dev.muster.report.host.FleetText;
import dev.muster.report.text.Count;
import dev.muster.report.text.Printable;
import dev.muster.report.text.SeparatedValues;
import dev.muster.report.text.Table;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// `muster fleet devices`: one line for each device of a fleet.
final class FleetDevicesCommand implements Command {
    @Override
    public CommandTitle title() {
        return CommandTitle.of("fleet devices", "list devices, one per line");
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(title())
                .with(FleetOptions.ALL)
                .printing(FleetListCommand.FORMATS)
                .exiting("1  no device matches")
                .example("muster fleet devices --kind h100 --free -o csv", "devices of hosts with free H100s, as CSV");
    }

    /// A device of a host.
    private record Row(FleetHost host, AcceleratorProfile device, boolean free) {
        String holder() {
            return host.claims().stream()
                    .filter(claim -> claim.devices().contains(device.id()))
                    .map(Claim::holder)
                    .findFirst()
                    .orElse("");
        }

        String id() {
            return Printable.of(device.id().text());
        }
    }

    @Override
    public int run(Arguments arguments, Session session) {
        Fleet fleet = FleetOptions.read(arguments, session);
        List<FleetHost> hosts = FleetOptions.filter(arguments, fleet);
        List<Row> rows = new ArrayList<>();
        for (FleetHost host : hosts) {
            Set<String> free = new HashSet<>();
            host.free().forEach(device -> free.add(device.id().text()));
            host.accelerators()
                    .forEach(device -> rows.add(
                            new Row(host, device, free.contains(device.id().text()))));
        }
        switch (OutputFormat.of(arguments)) {
            case JSON -> session.print(FleetListCommand.document(new Fleet(hosts, fleet.sources())));
            case NAME -> rows.forEach(row -> session.print(Printable.of(row.host.name()) + "/" + row.id() + "\n"));
            case CSV -> session.print(csv(rows));
            default ->
                session.print(
                        rows.isEmpty()
                                ? ""
                                : new Table<Row>(session.terminal())
                                        .left("HOST", row -> Printable.of(row.host.name()))
                                        .left("DEVICE", Row::id)
                                        .flexible("NAME", 1, row -> Printable.of(FleetText.kind(row.device)))
                                        .right(
                                                "MEMORY",
                                                3,
                                                row -> row.device.memory().find())
                                        .left("FREE", row -> row.free ? "yes" : "no")
                                        .left("HELD BY", 4, row -> Printable.of(row.holder()))
                                        .left(
                                                "UUID",
                                                5,
                                                row -> row.device
                                                        .reading(DeviceFact.UUID)
                                                        .find()
                                                        .map(Printable::of)
                                                        .orElse(""))
                                        .render(rows));
        }
        if (rows.isEmpty()) {
            session.note("muster: no device of " + Count.of(fleet.hosts().size(), "host") + " matches");
            return ExitCode.NO;
        }
        return FleetOptions.exitCode(arguments, fleet);
    }

    private static String csv(List<Row> rows) {
        StringBuilder out = new StringBuilder(SeparatedValues.csv(
                List.of("host", "device", "name", "memoryTotalBytes", "available", "free", "holder", "uuid")));
        for (Row row : rows) {
            out.append(SeparatedValues.csv(List.of(
                    row.host.name(),
                    row.id(),
                    FleetText.kind(row.device),
                    row.device
                            .memory()
                            .find()
                            .map(bytes -> Long.toUnsignedString(bytes.unsigned()))
                            .orElse(""),
                    Boolean.toString(row.device.available()),
                    Boolean.toString(row.free),
                    row.holder(),
                    row.device.reading(DeviceFact.UUID).find().orElse(""))));
        }
        return out.toString();
    }
}
