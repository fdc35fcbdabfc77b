// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.mesh;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandException;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.CommonOptions;
import dev.muster.cli.option.DurationGrammar;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.option.Numbers;
import dev.muster.cli.option.OptionSpec;
import dev.muster.cli.option.UsageException;
import dev.muster.cli.ranks.RankPlaces;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.Session;
import dev.muster.mesh.collective.EngineProvider;
import dev.muster.mesh.launch.LaunchException;
import dev.muster.mesh.session.Backends;
import dev.muster.mesh.start.ForeignLauncher;
import dev.muster.mesh.start.Launch;
import dev.muster.mesh.start.Launch.LaunchRequest;
import dev.muster.mesh.start.Launch.Listener;
import dev.muster.mesh.start.Launch.RankEnd;
import dev.muster.mesh.store.StoreException;
import dev.muster.report.text.Printable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// `muster mesh run`: starts the processes of a mesh on this host, with a store to meet in, and looks after them.
public final class MeshRunCommand implements Command {
    static final OptionSpec PROCESSES = OptionSpec.value(
                    "processes", "N", "number of processes (default for bench: 4; rehearse: that of the plan)")
            .withLetter("n");
    private static final List<String> BACKENDS = Backends.names();
    static final OptionSpec BACKEND = OptionSpec.value(
            "backend",
            "NAME",
            "run, bench, rehearse: backend of process groups: " + String.join(", ", BACKENDS)
                    + " (default: auto; bench: shm,tcp); rehearse: also fake, which only counts bytes");
    static final OptionSpec LAUNCHER = OptionSpec.value(
            "launcher",
            "COMMAND",
            "run, rehearse: launcher of the processes: mpirun or srun, with options, such as 'srun " + "-p gpu'");
    static final OptionSpec ADDRESS = OptionSpec.value(
            "address",
            "HOST",
            "run, rehearse: name or IP address at which ranks on other hosts reach the rendezvous "
                    + "store (default: loopback)");
    static final OptionSpec HOSTS = OptionSpec.value(
            "hosts",
            "LIST",
            "run, rehearse: hosts to start processes on, by ssh with keys, such as a,b:4 (4 "
                    + "processes on b); for run, -n is then their sum");
    static final OptionSpec SSH = OptionSpec.value(
            "ssh",
            "COMMAND",
            "run, rehearse: ssh command for --hosts, with options, such as 'ssh -p 2222' (default: ssh)");
    private static final List<String> TLS_WORDS = List.of("auto", "always", "never");
    static final OptionSpec TLS = OptionSpec.value(
            "tls",
            "WHEN",
            "run: encryption of connections: " + String.join(", ", TLS_WORDS)
                    + " (default: MUSTER_MESH_TLS, else auto: unless both ends are on loopback)");
    static final OptionSpec EMIT = OptionSpec.flag("emit", "run: print a script for the launcher without starting it");
    static final OptionSpec LIMIT = OptionSpec.value(
            "limit", "TIME", "run: timeout of ranks that wait for each other, such as 500ms or 2m (default: 60s)");
    static final OptionSpec GRACE = OptionSpec.value(
            "grace",
            "TIME",
            "run: time for the other ranks to exit after a failure, and again after SIGTERM (default: 5s)");
    static final OptionSpec KEEP_GOING =
            OptionSpec.flag("keep-going", "run: let the other ranks go on when one fails, as long as one is left");
    static final OptionSpec MIN_RANKS = OptionSpec.value(
            "min-ranks", "N", "run: with --keep-going: stop when fewer than N ranks are left (default: 1)");
    static final OptionSpec MAX_RESTARTS = OptionSpec.value(
            "max-restarts",
            "N",
            "run: start all ranks again, up to N times, when a failure has stopped them (default: 0)");
    static final int MAX_PROCESSES = 4_096;
    private static final int MAX_RESTART_COUNT = 1_000;
    static final int INTERRUPTED = 130;
    /// Exit codes after which nothing is started again.
    private static final Set<Integer> LAST =
            Set.of(ExitCode.OK, ExitCode.READER_GONE, ExitCode.CANNOT_WRITE, INTERRUPTED);

    private static final Duration LEAST = Duration.ofMillis(1);
    private static final Duration MOST = Duration.ofDays(1);

    @Override
    public CommandTitle title() {
        return CommandTitle.of("mesh run", "start the processes of a mesh");
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(title())
                .taking(Integer.MAX_VALUE, "-n N -- PROGRAM ...")
                .with(PROCESSES, BACKEND, LAUNCHER, HOSTS, SSH, ADDRESS, TLS, EMIT, LIMIT, GRACE)
                .with(KEEP_GOING, MIN_RANKS, MAX_RESTARTS)
                .exiting("N  exit code of the first process that failed; 128 or more for signals")
                .example("muster mesh run -n 4 -- python train.py", "four processes with ranks 0 to 3")
                .example(
                        "muster mesh run -n 8 --launcher srun --address node1 -- java -jar app.jar",
                        "ranks started by Slurm, which meet at this host")
                .example(
                        "muster mesh run --hosts node1:8,node2:8 -- python train.py",
                        "sixteen ranks on two hosts, by ssh")
                .example(
                        "muster mesh run -n 8 --keep-going --min-ranks 6 -- java -jar app.jar",
                        "go on without ranks that fail, up to two of them")
                .example(
                        "muster mesh run -n 2 -- sh -c 'echo $RANK of $WORLD_SIZE'",
                        "each line of output carries its rank");
    }

    @Override
    public int run(Arguments arguments, Session session) {
        return new Run(arguments, session).run();
    }

    /// One run, with its arguments.
    private record Run(Arguments arguments, Session session) {
        int run() {
            arguments.refuse(CommonOptions.SOURCE, "mesh run starts processes");
            arguments.refuse(
                    List.of(CommonOptions.OUTPUT, CommonOptions.JSON), "mesh run passes on what the processes print");
            List<String> hosts = hosts();
            int processes = hosts.isEmpty() ? processes() : hosts.size();
            List<String> command = arguments.operands();
            if (command.isEmpty()) {
                throw new UsageException(
                        "mesh run needs a program to start, such as 'muster mesh run -n 4 -- python" + " train.py'");
            }
            RankPlaces places = RankOptions.places(arguments, hosts);
            String backend = backend(processes, places.launcher() != null);
            if (arguments.has(EMIT)) {
                return emit(places.launcher(), processes);
            }
            LaunchRequest usual =
                    LaunchRequest.of(command, processes, session.host().variables());
            LaunchRequest request = arguments
                    .find(TLS)
                    .map(Run::requireTls)
                    .map(usual::withTls)
                    .orElse(usual)
                    .withBackend(backend)
                    .withLimits(time(LIMIT, LaunchRequest.DEFAULT_LIMIT), time(GRACE, LaunchRequest.DEFAULT_GRACE))
                    .withLeastRanks(leastRanks(processes, places.launcher() != null));
            return launch(request, places);
        }

        private int leastRanks(int processes, boolean foreign) {
            if (!arguments.has(KEEP_GOING)) {
                arguments.refuse(List.of(MIN_RANKS), "it is for --keep-going");
                return processes;
            }
            if (foreign) {
                throw new UsageException("--keep-going is for ranks that muster starts; the launcher decides here");
            }
            return number(MIN_RANKS, 1, 1, processes);
        }

        private int number(OptionSpec option, int usual, int least, int most) {
            if (!arguments.has(option)) {
                return usual;
            }
            String text = arguments.find(option).orElseThrow();
            int number = Numbers.digits(text, 4);
            if (number < least || number > most) {
                throw new UsageException("--" + option.name() + " is an integer from " + least + " to " + most
                        + ", not '" + Printable.of(text) + "'");
            }
            return number;
        }

        private static String requireTls(String word) {
            if (!TLS_WORDS.contains(word)) {
                throw new UsageException("--tls is one of " + String.join(", ", TLS_WORDS) + ", not '"
                        + Printable.of(word) + "'" + UsageException.hint(word, TLS_WORDS, ""));
            }
            return word;
        }

        /// Returns the host of each process; empty if none is named.
        private List<String> hosts() {
            List<String> hosts = RankOptions.hosts(arguments);
            if (hosts.isEmpty() || !arguments.has(PROCESSES)) {
                return hosts;
            }
            int wanted = processes();
            if (wanted > hosts.size()) {
                throw new UsageException("-n is " + wanted + ", but --hosts has room for " + hosts.size());
            }
            return hosts.subList(0, wanted);
        }

        private String backend(int processes, boolean foreign) {
            String backend = arguments.find(BACKEND).orElse("auto");
            if (!BACKENDS.contains(backend)) {
                requireForeign(backend);
            }
            if (backend.equals("local") && processes > 1) {
                throw new UsageException("--backend local is for the threads of one process, so -n is 1 with it");
            }
            if (Backends.find(backend).filter(EngineProvider::needsMpi).isPresent() && !foreign) {
                throw new UsageException("MPI ranks are started by MPI's own launcher: add --launcher mpirun");
            }
            return backend;
        }

        /// The program may bring a backend that this command does not have; a slip of the pen is more likely.
        private void requireForeign(String backend) {
            String hint = UsageException.hint(backend, BACKENDS, "");
            if (!hint.isEmpty() || !backend.matches("[a-z][a-z0-9-]*")) {
                throw new UsageException("--backend of mesh run is one of " + String.join(", ", BACKENDS) + ", not '"
                        + Printable.of(backend) + "'" + hint);
            }
            session.note("muster: " + backend + " is not a built-in backend; the program has to provide it");
        }

        private int emit(@Nullable ForeignLauncher foreign, int processes) {
            if (foreign == null) {
                throw new UsageException("--emit prints a script for a launcher: add --launcher srun or mpirun");
            }
            List<String> options = new ArrayList<>();
            for (OptionSpec option : List.of(BACKEND, TLS, LIMIT, GRACE)) {
                arguments.find(option).ifPresent(text -> options.addAll(List.of("--" + option.name(), text)));
            }
            session.print(foreign.script(processes, options, arguments.operands()));
            return ExitCode.OK;
        }

        private int launch(LaunchRequest request, RankPlaces places) {
            int restarts = number(MAX_RESTARTS, 0, 0, MAX_RESTART_COUNT);
            int code = launchOnce(request, places);
            for (int restart = 1; restart <= restarts && !LAST.contains(code); restart++) {
                session.note("muster: starting all ranks again (" + restart + " of " + restarts + ")");
                code = launchOnce(request, places);
            }
            return code;
        }

        private int launchOnce(LaunchRequest request, RankPlaces places) {
            Output output = new Output(request, places.launcher() == null);
            try (Launch launch = places.start(request)) {
                int code = launch.run(output);
                return output.written == ExitCode.OK ? code : output.written;
            } catch (LaunchException e) {
                throw new CommandException(String.valueOf(e.getMessage()));
            } catch (StoreException e) {
                throw new CommandException("--address", e);
            } catch (IOException e) {
                throw new CommandException("cannot start '" + Printable.of(places.program(request.command()))
                        + "': not found or not executable ("
                        + Printable.of(e).strip() + ")");
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return INTERRUPTED;
            }
        }

        private int processes() {
            String text = arguments
                    .find(PROCESSES)
                    .orElseThrow(() -> new UsageException("mesh run needs the number of processes: -n N"));
            int number = Numbers.digits(text, 4);
            if (number < 1 || number > MAX_PROCESSES) {
                throw new UsageException(
                        "-n is an integer from 1 to " + MAX_PROCESSES + ", not '" + Printable.of(text) + "'");
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
        private final class Output implements Listener {
            private final int processes;
            private final int leastRanks;
            private final boolean ours;
            private int failed;
            private int written = ExitCode.OK;

            /// @param ours true if the processes are ranks; otherwise it is a launcher, which speaks for itself
            Output(LaunchRequest request, boolean ours) {
                this.processes = request.ranks();
                this.leastRanks = request.leastRanks();
                this.ours = ours;
            }

            @Override
            public void onLine(int rank, boolean error, String line) {
                // What a rank prints may come from anywhere, and a terminal would obey it; a file takes it as it is.
                String safe = error || session.isScreen() ? Printable.line(line) : line;
                String text = ours ? session.terminal().dim("[" + rank + "]") + " " + safe : safe;
                if (error) {
                    session.note(text);
                } else {
                    session.print(text + "\n");
                }
            }

            @Override
            public void onEnd(RankEnd end) {
                boolean told = failed > processes - leastRanks;
                if (ours && end.isFailure() && !told && written == ExitCode.OK) {
                    failed++;
                    session.note(sentence(end));
                }
            }

            private String sentence(RankEnd end) {
                int left = processes - failed;
                String stopped = left == 0 ? "" : ", so the other " + (left == 1 ? "one is" : "ones are") + " stopped";
                String others = left < leastRanks ? stopped : "; " + left + " of " + processes + " ranks go on";
                StringBuilder text = new StringBuilder("muster: rank " + end.rank() + " " + end.description() + others);
                if (end.lastLines().isEmpty()) {
                    return text.append("; it wrote nothing").toString();
                }
                text.append("; its last lines:");
                end.lastLines().forEach(line -> text.append("\n    ").append(Printable.line(line)));
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
