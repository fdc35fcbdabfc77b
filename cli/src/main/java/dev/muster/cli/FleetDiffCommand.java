// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.fleet.Claim;
import dev.muster.fleet.Fleet;
import dev.muster.fleet.FleetDifference;
import dev.muster.fleet.FleetDifference.Change;
import dev.muster.fleet.FleetDocument;
import dev.muster.report.host.FleetText;
import dev.muster.report.text.Printable;
import dev.muster.report.text.Terminal;
import java.io.BufferedInputStream;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/// `muster fleet diff A B`: what changed between two saved fleets.
final class FleetDiffCommand implements Command {
    @Override
    public CommandTitle title() {
        return CommandTitle.of("fleet diff", "what changed between two fleets");
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(title())
                .taking(2, "A B")
                .exiting("0  nothing changed", "1  something changed")
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
            return "No difference.\n";
        }
        StringBuilder out = new StringBuilder();
        difference.changes().forEach(change -> lines(change, terminal, out));
        return out.toString();
    }

    private static void lines(Change change, Terminal terminal, StringBuilder out) {
        String name = Printable.of(change.hostName());
        String arrow = " " + terminal.arrow() + " ";
        switch (change) {
            case FleetDifference.HostAdded c ->
                out.append(terminal.green("+ host " + name + " (" + FleetText.devices(c.host()) + ")") + "\n");
            case FleetDifference.HostRemoved c ->
                out.append(terminal.red("- host " + name + " (" + FleetText.devices(c.host()) + ")") + "\n");
            case FleetDifference.StateChanged c ->
                out.append("~ " + name + " state: " + Printable.of(c.before().text()) + arrow
                        + Printable.of(c.after().text())
                        + (c.after().reason().isBlank()
                                ? ""
                                : " (" + Printable.of(c.after().reason()) + ")") + "\n");
            case FleetDifference.ClaimsChanged c ->
                out.append("~ " + name + " held by: " + holders(c.before()) + arrow + holders(c.after()) + "\n");
            case FleetDifference.DomainsChanged _ -> out.append("~ " + name + " lies under other switches\n");
            case FleetDifference.RestrictionsChanged _ -> out.append("~ " + name + " is in other partitions\n");
            case FleetDifference.DevicesChanged c ->
                DiffCommand.text(c.devices(), terminal)
                        .lines()
                        .forEach(line -> out.append("~ " + name + " " + line + "\n"));
        }
    }

    private static String holders(List<Claim> claims) {
        return claims.isEmpty()
                ? "nobody"
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
        return JsonObject.document("fleet-difference")
                .put("changes", difference.changes(), FleetDiffCommand::json)
                .build();
    }

    private static JsonValue json(Change change) {
        JsonObject.Builder json = JsonObject.builder();
        String host = change.hostName();
        return switch (change) {
            case FleetDifference.HostAdded _ ->
                json.put("change", "host-added").put("host", host).build();
            case FleetDifference.HostRemoved _ ->
                json.put("change", "host-removed").put("host", host).build();
            case FleetDifference.StateChanged c ->
                json.put("change", "state-changed")
                        .put("host", host)
                        .put("before", c.before().text())
                        .put("after", c.after().text())
                        .build();
            case FleetDifference.ClaimsChanged c ->
                json.put("change", "claims-changed")
                        .put("host", host)
                        .put("before", held(c.before()))
                        .put("after", held(c.after()))
                        .build();
            case FleetDifference.DomainsChanged _ ->
                json.put("change", "domains-changed").put("host", host).build();
            case FleetDifference.RestrictionsChanged _ ->
                json.put("change", "restrictions-changed").put("host", host).build();
            case FleetDifference.DevicesChanged c ->
                json.put("change", "devices-changed")
                        .put("host", host)
                        .put("changes", c.devices().changes(), DiffCommand::json)
                        .build();
        };
    }
}
