// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.option.UsageException;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.Session;
import java.util.List;

/// `muster completion SHELL`: a script that completes commands, options and their values.
record CompletionCommand(Commands commands) implements Command {
    @Override
    public CommandTitle title() {
        return CommandTitle.of("completion", "print a shell completion script");
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(title())
                .taking(1, "bash|zsh|fish", "bash", "zsh", "fish")
                .printing(List.of())
                .askingNoMachine()
                .example(". <(muster completion bash)", "enable completion in this shell")
                .example(
                        "muster completion fish > ~/.config/fish/completions/muster.fish",
                        "install completion permanently");
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
