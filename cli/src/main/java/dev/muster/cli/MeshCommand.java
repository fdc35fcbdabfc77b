package dev.muster.cli;

import dev.muster.cli.CommandSpec.Example;
import dev.muster.cli.render.Printable;
import java.util.List;
import java.util.stream.Stream;

/// `muster mesh`: what is done with a mesh of processes.
final class MeshCommand implements Command {
    private static final List<String> VERBS = List.of("run", "bench");

    @Override
    public CommandSpec spec() {
        return new CommandSpec(
                "mesh",
                "start and measure processes that work together",
                "bench | run -n N -- PROGRAM",
                Integer.MAX_VALUE,
                List.of(),
                Stream.of(MeshRunCommand.OPTIONS, MeshBenchCommand.OPTIONS).flatMap(List::stream).toList(),
                List.of("N  the exit code of the first process that failed; 128 and more for signals"),
                List.of(
                        new Example("muster mesh run -n 4 -- python train.py", "four processes with ranks 0 to 3"),
                        new Example(
                                "muster mesh run -n 2 -- sh -c 'echo $RANK of $WORLD_SIZE'",
                                "each line comes with its rank"),
                        new Example("muster mesh bench", "how fast four ranks reduce here, by size and engine"),
                        new Example(
                                "muster mesh bench -n 2 --operation all --engine shm",
                                "every operation over shared memory")));
    }

    @Override
    public int run(Arguments arguments, Session session) {
        List<String> words = arguments.operands();
        String verb = words.isEmpty() ? "" : words.getFirst();
        List<String> rest = words.isEmpty() ? List.of() : words.subList(1, words.size());
        if (verb.equals("bench")) {
            return MeshBenchCommand.run(arguments, rest, session);
        }
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
