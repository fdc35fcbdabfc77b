// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.mesh;

import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.CommandGroup;
import java.util.List;

/// `muster mesh WORD`: what there is to know and do about a mesh. A further word is a command of its
/// own, called `mesh WORD`, and a line here; options that several have mean the same.
public final class MeshCommand extends CommandGroup {
    public static final String NAME = "mesh";

    private static final CommandTitle TITLE = CommandTitle.of(NAME, "plan meshes; start, measure and diagnose ranks");

    @Override
    public CommandTitle title() {
        return TITLE;
    }

    @Override
    protected List<Command> create() {
        return List.of(
                new MeshPlanCommand(),
                new MeshRunCommand(),
                new MeshBenchCommand(),
                new MeshRehearseCommand(),
                new MeshDoctorCommand());
    }
}
