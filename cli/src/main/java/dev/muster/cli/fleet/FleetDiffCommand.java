// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.fleet;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandException;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.CommonOptions;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.option.UsageException;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.ReportPrinter;
import dev.muster.cli.session.Session;
import dev.muster.core.json.DocumentException;
import dev.muster.fleet.Fleet;
import dev.muster.fleet.FleetDifference;
import dev.muster.fleet.FleetDocument;
import dev.muster.report.host.FleetDifferenceText;
import dev.muster.report.text.Printable;
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
        ReportPrinter.print(arguments, session, new FleetDifferenceText(difference));
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
}
