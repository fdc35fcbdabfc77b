// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.fleet;

import dev.muster.cli.device.DiffCommand;
import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandException;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.CommonOptions;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.option.UsageException;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.Report;
import dev.muster.cli.session.Session;
import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.fleet.Claim;
import dev.muster.fleet.Fleet;
import dev.muster.fleet.FleetDifference;
import dev.muster.fleet.FleetDifference.HostChange;
import dev.muster.fleet.FleetDocument;
import dev.muster.fleet.FleetHost;
import dev.muster.report.host.FleetText;
import dev.muster.report.text.Printable;
import dev.muster.report.text.Terminal;
import java.io.BufferedInputStream;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/// `muster fleet diff A B`: what changed between two saved fleets.
final class FleetDiffCommand implements Command {
    @Override
    public CommandTitle title() {
        return CommandTitle.of("fleet diff", "compare two saved fleets");
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(title())
                .taking(2, "A B")
                .exiting("0  no differences", "1  differences were found")
                .example("muster fleet diff monday.json tuesday.json", "hosts, states, claims, devices");
    }

    @Override
    public int run(Arguments arguments, Session session) {
        arguments.refuse(CommonOptions.SOURCE, "fleet diff compares saved fleets");
        List<String> files = arguments.operands();
        if (files.size() != 2) {
            throw new UsageException("fleet diff needs two files that 'muster fleet list -o json' wrote");
        }
        FleetDocument.Reader reader = new FleetDocument.Reader();
        FleetDifference difference =
                FleetDifference.between(read(files.getFirst(), reader), read(files.getLast(), reader));
        Report.print(arguments, session, () -> json(difference), terminal -> text(difference, terminal));
        return difference.isEmpty() ? ExitCode.OK : ExitCode.NO;
    }

    private static Fleet read(String file, FleetDocument.Reader reader) {
        String name = "'" + Printable.of(file) + "'";
        try (InputStream stream = new BufferedInputStream(new FileInputStream(file))) {
            return reader.read(stream);
        } catch (FileNotFoundException e) {
            throw new CommandException("cannot open " + name, e);
        } catch (IOException e) {
            throw new CommandException("cannot read " + name, e);
        } catch (DocumentException e) {
            throw new CommandException("cannot read a fleet from " + name, e);
        }
    }

    private static String text(FleetDifference difference, Terminal terminal) {
        if (difference.isEmpty()) {
            return "No differences.\n";
        }
        StringBuilder out = new StringBuilder();
        difference.hosts().forEach(change -> lines(change, terminal, out));
        return out.toString();
    }

    private static void lines(HostChange change, Terminal terminal, StringBuilder out) {
        FleetHost host = change.host();
        String name = Printable.of(host.name());
        if (change.isAdded()) {
            out.append(terminal.green("+ host " + name + " (" + FleetText.devices(host) + ")") + "\n");
            return;
        }
        if (change.isRemoved()) {
            out.append(terminal.red("- host " + name + " (" + FleetText.devices(host) + ")") + "\n");
            return;
        }
        String arrow = " " + terminal.arrow() + " ";
        FleetHost before = change.previous();
        if (change.hasNewState()) {
            String reason = Printable.of(host.state().reason());
            out.append("~ " + name + " state: " + Printable.of(before.state().text()) + arrow
                    + Printable.of(host.state().text()) + (reason.isBlank() ? "" : " (" + reason + ")") + "\n");
        }
        if (change.hasNewClaims()) {
            out.append("~ " + name + " held by: " + holders(before.claims()) + arrow + holders(host.claims()) + "\n");
        }
        if (change.hasNewDomains()) {
            out.append("~ " + name + " is connected to other switches\n");
        }
        if (change.hasNewRestrictions()) {
            out.append("~ " + name + " is in other partitions\n");
        }
        if (!change.devices().isEmpty()) {
            DiffCommand.text(change.devices(), terminal)
                    .lines()
                    .forEach(line -> out.append("~ " + name + " " + line + "\n"));
        }
    }

    private static String holders(List<Claim> claims) {
        return claims.isEmpty()
                ? "none"
                : String.join(
                        ", ",
                        claims.stream()
                                .map(claim -> Printable.of(claim.holder()) + " (" + claim.count() + ")")
                                .toList());
    }

    private static int held(List<Claim> claims) {
        return claims.stream().mapToInt(Claim::count).sum();
    }

    private static JsonValue json(FleetDifference difference) {
        List<JsonValue> changes = new ArrayList<>();
        difference.hosts().forEach(change -> addChanges(change, changes));
        return JsonObject.document("fleet-difference").put("changes", changes).build();
    }

    private static void addChanges(HostChange change, List<JsonValue> all) {
        FleetHost host = change.host();
        if (change.isAdded() || change.isRemoved()) {
            all.add(of(change.isAdded() ? "host-added" : "host-removed", host).build());
            return;
        }
        FleetHost before = change.previous();
        if (change.hasNewState()) {
            all.add(of("state-changed", host)
                    .put("before", before.state().text())
                    .put("after", host.state().text())
                    .build());
        }
        if (change.hasNewClaims()) {
            all.add(of("claims-changed", host)
                    .put("before", held(before.claims()))
                    .put("after", held(host.claims()))
                    .build());
        }
        if (change.hasNewDomains()) {
            all.add(of("domains-changed", host).build());
        }
        if (change.hasNewRestrictions()) {
            all.add(of("restrictions-changed", host).build());
        }
        if (!change.devices().isEmpty()) {
            all.add(of("devices-changed", host)
                    .put("changes", DiffCommand.changes(change.devices()))
                    .build());
        }
    }

    private static JsonObject.ObjectBuilder of(String change, FleetHost host) {
        return JsonObject.builder().put("change", change).put("host", host.name());
    }
}
