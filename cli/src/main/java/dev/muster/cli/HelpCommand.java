package dev.muster.cli;

import dev.muster.cli.CommandSpec.Example;
import java.util.List;

/// `muster help [COMMAND]`, and `--help` everywhere.
final class HelpCommand implements Command {
    private final Commands commands;

    HelpCommand(Commands commands) {
        this.commands = commands;
    }

    @Override
    public CommandSpec spec() {
        return new CommandSpec(
                "help",
                "explain the program or one command",
                "[COMMAND]",
                1,
                List.of(),
                List.of(),
                List.of(),
                List.of(new Example("muster help check", "what check does and takes")));
    }

    @Override
    public int run(Arguments arguments, Session session) {
        HelpText text = new HelpText(session.terminal());
        session.print(
                arguments.operands().isEmpty()
                        ? text.ofProgram(commands.specs())
                        : text.ofCommand(commands.require(arguments.operands().getFirst())
                                .spec()));
        return ExitCode.OK;
    }
}
