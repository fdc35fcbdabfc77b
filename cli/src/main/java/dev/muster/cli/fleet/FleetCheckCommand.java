// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.fleet;

import dev.muster.cli.device.CheckCommand;
import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.ReportPrinter;
import dev.muster.cli.session.Session;
import dev.muster.core.Preflight;
import dev.muster.fleet.Fleet;
import dev.muster.report.host.FleetCheckText;
import dev.muster.report.host.FleetCheckText.HostCheck;
import dev.muster.report.text.Count;

/// `muster fleet check`: does every host have what a job needs?
final class FleetCheckCommand implements Command {
    @Override
    public CommandTitle title() {
        return CommandTitle.of("fleet check", "check that every host meets a requirement");
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(title())
                .with(FleetOptions.ALL)
                .with(CheckCommand.CONDITIONS)
                .exiting("0  all hosts pass", "1  a host does not pass; the reasons are printed")
                .example(
                        "muster fleet check --count 8 --partition gpu",
                        "at least eight devices on each host of a partition?");
    }

    @Override
    public int run(Arguments arguments, Session session) {
        Preflight preflight = CheckCommand.preflight(arguments);
        Fleet fleet = FleetOptions.read(arguments, session);
        FleetCheckText report = new FleetCheckText(FleetOptions.filter(arguments, fleet).stream()
                .map(host -> new HostCheck(host, preflight.examine(host.registry())))
                .toList());
        ReportPrinter.print(arguments, session, report);
        if (report.hosts().isEmpty()) {
            session.note("muster: none of " + Count.of(fleet.hosts().size(), "host") + " matches");
        }
        return report.passed() ? FleetOptions.exitCode(arguments, fleet) : ExitCode.NO;
    }
}
