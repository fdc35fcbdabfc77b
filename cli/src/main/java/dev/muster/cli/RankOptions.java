package dev.muster.cli;

import dev.muster.cli.rehearse.StartedRanks;
import dev.muster.cli.render.Printable;
import dev.muster.mesh.launch.ForeignLauncher;
import dev.muster.mesh.session.Backends;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Ranks that a command starts to measure something between them.
final class RankOptions {
    /// No backend: it carries nothing, and tells volumes alone.
    static final String FAKE = "fake";

    /// As many as one machine starts without a launcher.
    static final int MOST_RANKS = 64;

    private RankOptions() {}

    /// The backend that is asked for.
    ///
    /// @param more names that mean something to the command beside those of backends
    /// @throws UsageException if there is none of that name
    static String backend(Arguments arguments, String... more) {
        String backend = arguments.find(MeshRunCommand.BACKEND).orElse(Backends.AUTO);
        List<String> names = new ArrayList<>(Backends.names());
        names.addAll(List.of(more));
        if (!names.contains(backend)) {
            throw new UsageException("--backend is one of " + String.join(", ", names) + ", not '"
                    + Printable.of(backend) + "'" + UsageException.hint(backend, names, ""));
        }
        return backend;
    }

    /// How many ranks are asked for.
    ///
    /// @throws UsageException if it is no such number
    static Optional<Integer> count(Arguments arguments) {
        return arguments.find(MeshRunCommand.PROCESSES).map(text -> {
            int number = Numbers.digits(text, 6);
            if (number < 2 || number > MeshRunCommand.MAX_PROCESSES) {
                throw new UsageException("-n is a whole number from 2 to " + MeshRunCommand.MAX_PROCESSES
                        + " where ranks talk to each other, not '" + Printable.of(text) + "'");
            }
            return number;
        });
    }

    /// So many ranks, as the options say.
    static StartedRanks ranks(Arguments arguments, Session session, int count, String backend) {
        return new StartedRanks(
                count,
                backend,
                session.host().variables(),
                launcher(arguments).orElse(null),
                arguments.find(MeshRunCommand.ADDRESS).map(RankOptions::address).orElse(null));
    }

    static Optional<ForeignLauncher> launcher(Arguments arguments) {
        return arguments
                .find(MeshRunCommand.LAUNCHER)
                .map(text -> ForeignLauncher.parse(text)
                        .orElseThrow(() -> new UsageException("--launcher is mpirun or srun, with options of its own,"
                                + " not '" + Printable.of(text) + "'")));
    }

    static InetAddress address(String host) {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException _) {
            throw new CommandException("--address: the host '" + Printable.of(host) + "' is unknown");
        }
    }
}
