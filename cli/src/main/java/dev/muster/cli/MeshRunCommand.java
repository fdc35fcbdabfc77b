package dev.muster.cli;

import dev.muster.cli.CommandSpec.Example;
import dev.muster.cli.launch.Launch;
import dev.muster.cli.launch.LaunchListener;
import dev.muster.cli.launch.LaunchRequest;
import dev.muster.cli.launch.RankEnd;
import dev.muster.cli.render.Printable;
import dev.muster.mesh.launch.LaunchEnvironment;
import dev.muster.mesh.session.EngineChoice;
import dev.muster.mesh.store.Secret;
import dev.muster.mesh.store.Store;
import dev.muster.mesh.store.TcpStoreConfig;
import dev.muster.mesh.store.TcpStoreServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// `muster mesh run`: starts the processes of a mesh on this host, with a store to meet in, and looks after them.
final class MeshRunCommand implements Command {
    static final OptionSpec PROCESSES = OptionSpec.value(
                    "processes", "N", "how many processes to start (default for bench: 4)")
            .withLetter("n");
    private static final List<String> ENGINES =
            Arrays.stream(EngineChoice.values()).map(EngineChoice::text).toList();
    /// Not `--backend`, which on every command says whom a detection asks.
    static final OptionSpec TRANSPORT = OptionSpec.choice(
            "transport",
            "NAME",
            ENGINES,
            "run: how they shall talk to each other: " + String.join(", ", ENGINES) + " (default auto)");
    static final OptionSpec LIMIT = OptionSpec.value(
            "limit", "TIME", "run: how long they shall wait for each other, such as 500ms or 2m (default 60s)");
    static final OptionSpec GRACE = OptionSpec.value(
            "grace",
            "TIME",
            "run: how long the others get to end after a failure, and again after SIGTERM (default 5s)");
    static final List<OptionSpec> OPTIONS = List.of(PROCESSES, TRANSPORT, LIMIT, GRACE);

    static final int MAX_PROCESSES = 4_096;
    private static final Duration USUAL_LIMIT = Duration.ofSeconds(60);
    private static final Duration USUAL_GRACE = Duration.ofSeconds(5);
    private static final Duration LEAST = Duration.ofMillis(1);
    private static final Duration MOST = Duration.ofDays(1);
    private static final int INTERRUPTED = 130;

    @Override
    public CommandSpec spec() {
        return new CommandSpec(
                "mesh run",
                "start processes that work together",
                "-n N -- PROGRAM ...",
                Integer.MAX_VALUE,
                List.of(),
                OPTIONS,
                List.of("N  the exit code of the first process that failed; 128 and more for signals"),
                List.of(
                        new Example("muster mesh run -n 4 -- python train.py", "four processes with ranks 0 to 3"),
                        new Example(
                                "muster mesh run -n 2 -- sh -c 'echo $RANK of $WORLD_SIZE'",
                                "each line comes with its rank")));
    }

    @Override
    public int run(Arguments arguments, Session session) {
        return new Run(arguments, arguments.operands(), session).run();
    }

    /// One run, with its arguments.
    private static final class Run {
        private final Arguments arguments;
        private final List<String> command;
        private final Session session;

        /// @param command the program to start, and its arguments
        Run(Arguments arguments, List<String> command, Session session) {
            this.arguments = arguments;
            this.command = command;
            this.session = session;
        }

        int run() {
            CommonOptions.refuse(arguments, CommonOptions.SOURCE, "mesh run starts processes on this machine");
            CommonOptions.refuse(
                    arguments,
                    List.of(CommonOptions.OUTPUT, CommonOptions.JSON),
                    "mesh run passes on what the processes print");
            int processes = processes();
            if (command.isEmpty()) {
                throw new UsageException(
                        "mesh run needs a program to start, such as 'muster mesh run -n 4 -- python" + " train.py'");
            }
            String transport = arguments.find(TRANSPORT).orElse("auto");
            if (transport.equals("local") && processes > 1) {
                throw new UsageException("--transport local is for the threads of one process, so -n is 1 with it");
            }
            Duration limit = time(LIMIT, USUAL_LIMIT);
            Duration grace = time(GRACE, USUAL_GRACE);
            String secret = Secret.randomText();
            TcpStoreConfig config = TcpStoreConfig.of(Secret.of(secret));
            try (TcpStoreServer server = TcpStoreServer.start(config);
                    Store store = server.open()) {
                LaunchEnvironment environment = new LaunchEnvironment(
                        processes, LaunchEnvironment.freeLoopbackPort(), server.address(), secret, limit, transport);
                return launch(new LaunchRequest(command, variables(environment), grace), store);
            }
        }

        private int launch(LaunchRequest request, Store store) {
            Output output = new Output(store, request.environments().size());
            try (Launch launch = Launch.start(request)) {
                int code = launch.run(output);
                return output.written == ExitCode.OK ? code : output.written;
            } catch (IOException e) {
                throw new CommandException("cannot start '" + Printable.of(command.getFirst())
                        + "': it is not there or not a program (" + Printable.of(String.valueOf(e.getMessage())) + ")");
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return INTERRUPTED;
            }
        }

        private List<Map<String, String>> variables(LaunchEnvironment environment) {
            List<Map<String, String>> all = new ArrayList<>();
            for (int rank = 0; rank < environment.worldSize(); rank++) {
                Map<String, String> variables = new HashMap<>(session.host().variables());
                variables.putAll(environment.of(rank));
                all.add(variables);
            }
            return all;
        }

        private int processes() {
            String text = arguments
                    .find(PROCESSES)
                    .orElseThrow(() -> new UsageException("mesh run needs to know how many processes to start: -n N"));
            boolean digits =
                    !text.isEmpty() && text.length() <= 4 && text.chars().allMatch(c -> c >= '0' && c <= '9');
            int number = digits ? Integer.parseInt(text) : 0;
            if (number < 1 || number > MAX_PROCESSES) {
                throw new UsageException(
                        "-n is a whole number from 1 to " + MAX_PROCESSES + ", not '" + Printable.of(text) + "'");
            }
            return number;
        }

        private Duration time(OptionSpec option, Duration usual) {
            return arguments
                    .find(option)
                    .map(text -> DurationGrammar.parse(option, text, LEAST, MOST))
                    .orElse(usual);
        }

        /// Lines with their ranks, and the one sentence about the first failure.
        private final class Output implements LaunchListener {
            private final Store store;
            private final int processes;
            private boolean failed;
            private int written = ExitCode.OK;

            Output(Store store, int processes) {
                this.store = store;
                this.processes = processes;
            }

            @Override
            public void onLine(int rank, boolean error, String line) {
                String text = session.terminal().dim("[" + rank + "]") + " " + line;
                if (error) {
                    session.note(text);
                } else {
                    session.print(text + "\n");
                }
            }

            @Override
            public void onEnd(RankEnd end) {
                if (end.isFailure() && !failed && written == ExitCode.OK) {
                    failed = true;
                    // Those who wait in the store hear of it at once.
                    store.set("lost/" + end.rank(), end.description().getBytes(StandardCharsets.UTF_8));
                    session.note(sentence(end));
                }
            }

            private String sentence(RankEnd end) {
                String others =
                        processes == 1 ? "" : ", so the other " + (processes == 2 ? "one is" : "ones are") + " stopped";
                StringBuilder text = new StringBuilder("muster: rank " + end.rank() + " " + end.description() + others);
                if (end.lastLines().isEmpty()) {
                    return text.append("; it wrote nothing").toString();
                }
                text.append("; its last lines:");
                end.lastLines().forEach(line -> text.append("\n    ").append(Printable.of(line)));
                return text.toString();
            }

            @Override
            public boolean onPause() {
                int now = session.flush();
                written = written == ExitCode.OK ? now : written;
                return written == ExitCode.OK;
            }
        }
    }
}
