// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.fleet;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.ReportPrinter;
import dev.muster.cli.session.Session;
import dev.muster.fleet.Fleet;
import dev.muster.fleet.FleetHost;
import dev.muster.report.host.FleetTopologyText;
import java.util.List;

/// `muster fleet topology`: which hosts share switches, blocks, racks.
final class FleetTopologyCommand implements Command {
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
        ReportPrinter.print(arguments, session, FleetTopologyText.of(hosts));
        return hosts.isEmpty() ? ExitCode.NO : FleetOptions.exitCode(arguments, fleet);
    }
}
