package dev.muster.cli;

import dev.muster.cli.CommandSpec.Example;
import dev.muster.cli.render.Printable;
import java.util.List;

/// `muster mesh`: what is done with a mesh of processes.
final class MeshCommand implements Command {
    private static final List<String> VERBS = List.of("run");

    @Override
    public CommandSpec spec() {
        return new CommandSpec(
                "mesh",
                "start processes that work together",
                "run -n N -- PROGRAM [ARGUMENTS]",
                Integer.MAX_VALUE,
                List.of(),
                MeshRunCommand.OPTIONS,
                List.of("N  the exit code of the first process that failed; 128 and more for signals"),
                List.of(
                        new Example("muster mesh run -n 4 -- python train.py", "four processes with ranks 0 to 3"),
                        new Example(
                                "muster mesh run -n 2 -- sh -c 'echo $RANK of $WORLD_SIZE'",
                                "each line comes with its rank")));
    }

    @Override
    public int run(Arguments arguments, Session session) {
        List<String> words = arguments.operands();
        String verb = words.isEmpty() ? "" : words.getFirst();
        List<String> rest = words.isEmpty() ? List.of() : words.subList(1, words.size());
        if (verb.equals("run")) {
            return new MeshRunCommand(arguments, rest, session).run();
        }
        throw new UsageException(
                verb.isEmpty()
                        ? "mesh needs to know what to do: " + String.join(", ", VERBS)
                        : "mesh cannot '" + Printable.of(verb) + "'; it can " + String.join(", ", VERBS)
                                + NearestMatch.hint(verb, VERBS, ""));
    }
}
