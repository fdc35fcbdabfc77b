// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.mesh;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.CommandGroup;
import dev.muster.cli.session.Session;
import java.util.List;

/// `muster mesh WORD`: what there is to know and do about a mesh. A further word is a command of its
/// own, called `mesh WORD`, and a line of [Subcommands]; options that several have mean the same.
public final class MeshCommand implements Command {
    public static final String NAME = "mesh";

    private static final CommandTitle TITLE = CommandTitle.of(NAME, "plan meshes; start, measure and diagnose ranks");

    /// Made when they are first asked for: they look for backends, and the overview of commands needs the title alone.
    private static final class Subcommands {
        static final CommandGroup GROUP = new CommandGroup(
                TITLE,
                List.of(
                        new MeshPlanCommand(),
                        new MeshRunCommand(),
                        new MeshBenchCommand(),
                        new MeshRehearseCommand(),
                        new MeshDoctorCommand()));
    }

    /// The words behind `mesh`.
    public static List<String> words() {
        return Subcommands.GROUP.words();
    }

    @Override
    public CommandTitle title() {
        return TITLE;
    }

    @Override
    public CommandSpec spec() {
        return Subcommands.GROUP.spec();
    }

    @Override
    public CommandSpec specOf(List<String> operands) {
        return Subcommands.GROUP.specOf(operands);
    }

    @Override
    public int run(Arguments arguments, Session session) {
        return Subcommands.GROUP.run(arguments, session);
    }
}
