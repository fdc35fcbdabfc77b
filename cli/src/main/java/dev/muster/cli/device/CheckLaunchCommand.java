// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.device;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandException;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.TextFile;
import dev.muster.cli.option.UsageException;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.Session;
import dev.muster.core.Finding;
import dev.muster.plan.launch.Launcher;
import dev.muster.report.text.Printable;
import java.util.List;

/// `muster check-launch`: does a file that was emitted still fit this machine?
public final class CheckLaunchCommand implements Command {
    @Override
    public CommandTitle title() {
        return CommandTitle.of("check-launch", "check that a launch fits this machine");
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(title())
                .taking(1, "FILE")
                .exiting("0  the devices it was planned for are there", "1  they are not; reasons are printed")
                .example("muster check-launch serve.sh", "a file that 'muster plan ... --emit' wrote");
    }

    @Override
    public int run(Arguments arguments, Session session) {
        String file = arguments.operands().stream()
                .findFirst()
                .orElseThrow(() -> new UsageException("give the file, such as serve.sh"));
        String text = TextFile.read(file);
        List<Finding> findings = Launcher.examine(text, session.loadRegistry(arguments))
                .orElseThrow(() -> new CommandException("'" + Printable.of(file)
                        + "' has no launch line; give a file that 'muster plan MODEL --emit TARGET' wrote"));
        return CheckCommand.print(arguments, session, findings);
    }
}
