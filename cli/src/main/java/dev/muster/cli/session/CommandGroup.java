// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.session;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandSpec.Example;
import dev.muster.cli.option.OptionSpec;
import dev.muster.cli.option.OutputFormat;
import dev.muster.cli.option.UsageException;
import dev.muster.report.text.Printable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Commands behind one word, such as `mesh plan` and `mesh run`. Options that several have mean the same. Confined to
/// one
/// thread.
public abstract class CommandGroup implements Command {
    private static final int MOST_LETTERS = 34;

    private @Nullable List<Command> all;

    /// Creates the commands, each called by the word and one of its own. It is called when one of them is asked for:
    /// the
    /// overview of commands needs the title alone.
    protected abstract List<Command> create();

    private List<Command> all() {
        List<Command> known = all;
        if (known == null) {
            known = create();
            all = known;
        }
        return known;
    }

    /// Returns the words behind the group's name.
    public List<String> words() {
        List<String> words = new ArrayList<>();
        for (Command command : all()) {
            words.add(word(command));
        }
        return words;
    }

    private String word(Command command) {
        return command.title().name().substring(title().name().length() + 1);
    }

    @Override
    public CommandSpec spec() {
        int most = 0;
        Map<String, OptionSpec> options = new LinkedHashMap<>();
        List<String> exits = new ArrayList<>();
        List<Example> examples = new ArrayList<>();
        List<OutputFormat> formats = OutputFormat.OF_REPORTS;
        for (Command command : all()) {
            CommandSpec spec = command.spec();
            most = Math.max(most, spec.maxOperands());
            formats = spec.formats().size() > formats.size() ? spec.formats() : formats;
            for (OptionSpec option : spec.options()) {
                options.putIfAbsent(option.name(), option);
            }
            for (String exit : spec.exits()) {
                if (!exits.contains(exit)) {
                    exits.add(exit);
                }
            }
            examples.addAll(spec.examples());
        }
        return new CommandSpec(
                title().name(),
                title().summary(),
                operands() + (most == Integer.MAX_VALUE ? " ..." : ""),
                most == Integer.MAX_VALUE ? most : 1 + most,
                List.of(),
                List.copyOf(options.values()),
                formats,
                exits,
                examples,
                true);
    }

    /// Returns the words, where they are few enough for a line.
    private String operands() {
        String words = String.join("|", words());
        return words.length() <= MOST_LETTERS ? words : "SUBCOMMAND";
    }

    @Override
    public CommandSpec specOf(List<String> operands) {
        return operands.isEmpty() ? spec() : require(operands.getFirst()).spec();
    }

    @Override
    public int run(Arguments arguments, Session session) {
        if (arguments.operands().isEmpty()) {
            throw new UsageException(title().name() + " needs a subcommand: " + String.join(", ", words()));
        }
        Command command = require(arguments.operands().getFirst());
        return command.run(arguments.behindFirst(command.spec()), session);
    }

    private Command require(String word) {
        for (Command command : all()) {
            if (word(command).equals(word)) {
                return command;
            }
        }
        throw new UsageException(title().name() + " has no subcommand '" + Printable.of(word) + "'"
                + UsageException.hintOrAll(word, words(), "; subcommands are "));
    }
}
