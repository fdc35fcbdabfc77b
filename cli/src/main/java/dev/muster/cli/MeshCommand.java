package dev.muster.cli;

import dev.muster.cli.CommandSpec.Example;
import dev.muster.cli.render.Printable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// `muster mesh WORD`: what there is to know and do about a mesh. A further word is a command of its
/// own, called `mesh WORD`, and a line of [Subcommands]; options that several have mean the same.
final class MeshCommand implements Command {
    static final String NAME = "mesh";

    /// Made when they are first asked for: every start makes this command, and theirs look for backends
    /// (docs/decisions/0004).
    private static final class Subcommands {
        static final List<Command> ALL = List.of(
                new MeshPlanCommand(),
                new MeshRunCommand(),
                new MeshBenchCommand(),
                new MeshRehearseCommand(),
                new MeshDoctorCommand());
    }

    /// What may stand behind `mesh`.
    static List<String> words() {
        List<String> words = new ArrayList<>();
        for (Command command : Subcommands.ALL) {
            words.add(word(command));
        }
        return words;
    }

    private static String word(Command command) {
        return command.spec().name().substring(NAME.length() + 1);
    }

    /// All that any of the words takes.
    @Override
    public CommandSpec spec() {
        int most = 0;
        Map<String, OptionSpec> options = new LinkedHashMap<>();
        List<String> exits = new ArrayList<>();
        List<Example> examples = new ArrayList<>();
        for (Command command : Subcommands.ALL) {
            CommandSpec spec = command.spec();
            most = Math.max(most, spec.maxOperands());
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
                NAME,
                "arrange devices; run, measure, examine ranks",
                String.join("|", words()) + " ...",
                most == Integer.MAX_VALUE ? most : 1 + most,
                List.of(),
                List.copyOf(options.values()),
                OutputFormat.OF_REPORTS,
                exits,
                examples);
    }

    @Override
    public CommandSpec specOf(List<String> operands) {
        return operands.isEmpty() ? spec() : require(operands.getFirst()).spec();
    }

    @Override
    public int run(Arguments arguments, Session session) {
        if (arguments.operands().isEmpty()) {
            throw new UsageException("mesh needs a word that says what to do: " + String.join(", ", words()));
        }
        Command command = require(arguments.operands().getFirst());
        return command.run(arguments.behindFirst(command.spec()), session);
    }

    private static Command require(String word) {
        for (Command command : Subcommands.ALL) {
            if (word(command).equals(word)) {
                return command;
            }
        }
        throw new UsageException("mesh has no word '" + Printable.of(word) + "'"
                + UsageException.hintOrAll(word, words(), "; words are "));
    }
}
