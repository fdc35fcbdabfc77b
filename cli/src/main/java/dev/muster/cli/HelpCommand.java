// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import dev.muster.cli.fleet.FleetCommand;
import dev.muster.cli.mesh.MeshCommand;
import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.option.UsageException;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.Session;
import dev.muster.report.text.Printable;
import java.util.List;

/// `muster help [COMMAND [SUBCOMMAND]]`, and `--help` everywhere.
record HelpCommand(Commands commands) implements Command {
    @Override
    public CommandTitle title() {
        return CommandTitle.of("help", "show help for the program or a command");
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(title())
                .taking(2, "[COMMAND [SUBCOMMAND]]")
                .printing(List.of())
                .askingNoMachine()
                .example("muster help check", "options and examples of check")
                .example("muster help mesh plan", "the same for mesh plan");
    }

    @Override
    public int run(Arguments arguments, Session session) {
        HelpText text = new HelpText(session.terminal());
        List<String> words = arguments.operands();
        if (words.size() > 1 && !List.of(MeshCommand.NAME, FleetCommand.NAME).contains(words.getFirst())) {
            throw new UsageException("unexpected argument '" + Printable.of(words.getLast()) + "'");
        }
        session.print(
                words.isEmpty()
                        ? text.ofProgram(commands.titles())
                        : text.ofCommand(commands.require(words.getFirst()).specOf(words.subList(1, words.size()))));
        return ExitCode.OK;
    }
}
