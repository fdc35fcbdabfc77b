package dev.muster.cli;

import dev.muster.cli.CommandSpec.Example;
import java.util.List;

/// `muster completion SHELL`: a script that completes commands, options and their values.
final class CompletionCommand implements Command {
    private static final List<String> SHELLS = List.of("bash", "zsh", "fish");

    private final Commands commands;

    CompletionCommand(Commands commands) {
        this.commands = commands;
    }

    @Override
    public CommandSpec spec() {
        return new CommandSpec(
                "completion",
                "print a completion script for a shell",
                "bash|zsh|fish",
                1,
                SHELLS,
                List.of(),
                List.of(),
                List.of(
                        new Example(". <(muster completion bash)", "complete in this shell"),
                        new Example("muster completion fish > ~/.config/fish/completions/muster.fish", "for good")));
    }

    @Override
    public int run(Arguments arguments, Session session) {
        if (arguments.operands().isEmpty()) {
            throw new UsageException("completion needs the name of a shell: bash, zsh or fish");
        }
        session.print(CompletionScript.of(arguments.operands().getFirst(), commands.specs()));
        return ExitCode.OK;
    }
}
