// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.fleet;

import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.CommandGroup;
import java.util.List;

/// `muster fleet SUBCOMMAND`: hosts of a cluster, as reported by its scheduler, metrics, hosts and files.
public final class FleetCommand extends CommandGroup {
    public static final String NAME = "fleet";

    private static final CommandTitle TITLE = CommandTitle.of(NAME, "list, check and plan hosts of a cluster")
            .recordedBy(
                    "fleet list --source synthetic:20xh100-sxm:8",
                    "fleet list --source synthetic:20xh100-sxm:8 --json",
                    "fleet plan llama-3.1-70b --source synthetic:20xh100-sxm:8",
                    // Port 9 is closed, which is enough to load the HTTP client.
                    "fleet list --source muster:http://127.0.0.1:9 --timeout 2s");

    @Override
    public CommandTitle title() {
        return TITLE;
    }

    @Override
    protected List<Command> create() {
        return List.of(
                new FleetListCommand(),
                new FleetDevicesCommand(),
                new FleetTopologyCommand(),
                new FleetCheckCommand(),
                new FleetPlanCommand(),
                new FleetDiffCommand());
    }

    @Override
    public CommandSpec spec() {
        return super.spec().askingNoMachine();
    }

    @Override
    public CommandSpec specOf(List<String> operands) {
        return super.specOf(operands).askingNoMachine();
    }
}
