// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.fleet;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.CommandGroup;
import dev.muster.cli.session.Session;
import java.util.List;

/// `muster fleet SUBCOMMAND`: hosts of a cluster, as reported by its scheduler, metrics, hosts and files.
public final class FleetCommand implements Command {
    public static final String NAME = "fleet";

    private static final CommandTitle TITLE = CommandTitle.of(NAME, "list, check and plan hosts of a cluster")
            .recordedBy(
                    "fleet list --source synthetic:20xh100-sxm:8",
                    "fleet list --source synthetic:20xh100-sxm:8 --json",
                    "fleet plan llama-3.1-70b --source synthetic:20xh100-sxm:8",
                    // Port 9 is closed, which is enough to load the HTTP client.
                    "fleet list --source muster:http://127.0.0.1:9 --timeout 2s");

    /// Made when they are first asked for, as those of `mesh` are.
    private static final class Subcommands {
        static final CommandGroup GROUP = new CommandGroup(
                TITLE,
                List.of(
                        new FleetListCommand(),
                        new FleetDevicesCommand(),
                        new FleetTopologyCommand(),
                        new FleetCheckCommand(),
                        new FleetPlanCommand(),
                        new FleetDiffCommand()));
    }

    /// The words behind `fleet`.
    public static List<String> words() {
        return Subcommands.GROUP.words();
    }

    @Override
    public CommandTitle title() {
        return TITLE;
    }

    @Override
    public CommandSpec spec() {
        return Subcommands.GROUP.spec().askingNoMachine();
    }

    @Override
    public CommandSpec specOf(List<String> operands) {
        return Subcommands.GROUP.specOf(operands).askingNoMachine();
    }

    @Override
    public int run(Arguments arguments, Session session) {
        return Subcommands.GROUP.run(arguments, session);
    }
}
