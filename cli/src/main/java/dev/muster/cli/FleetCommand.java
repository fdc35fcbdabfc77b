// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import java.util.List;

/// `muster fleet WORD`: hosts of a cluster, as its scheduler, its metrics, its hosts and files tell of them.
final class FleetCommand implements Command {
    static final String NAME = "fleet";

    /// Made when they are first asked for, as those of `mesh` are.
    private static final class Subcommands {
        static final CommandGroup GROUP = new CommandGroup(
                NAME,
                "hosts of a cluster: list, check, plan",
                List.of(
                        new FleetListCommand(),
                        new FleetDevicesCommand(),
                        new FleetTopologyCommand(),
                        new FleetCheckCommand(),
                        new FleetPlanCommand(),
                        new FleetDiffCommand()));
    }

    /// The words behind `fleet`.
    static List<String> words() {
        return Subcommands.GROUP.words();
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
