// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.mesh;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandException;
import dev.muster.cli.option.Numbers;
import dev.muster.cli.option.UsageException;
import dev.muster.cli.ranks.RankPlaces;
import dev.muster.cli.rehearse.StartedRanks;
import dev.muster.cli.session.Session;
import dev.muster.mesh.session.Backends;
import dev.muster.mesh.start.ForeignLauncher;
import dev.muster.report.text.Printable;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Ranks that a command starts to measure something between them.
public final class RankOptions {
    /// No backend: it carries nothing, and tells volumes alone.
    static final String FAKE = "fake";

    /// As many as one machine starts without a launcher.
    static final int MOST_RANKS = 64;

    /// With a user if need be. What begins with a dash would be an option of ssh.
    /// The load of a machine at rest, with what has just ended.
    private static final double IDLE_LOAD = 1;
    private static final String HOST_NAME = "[A-Za-z0-9_][A-Za-z0-9_.@%-]*";

    private RankOptions() {}

    /// Returns the backend that is asked for.
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

    /// Returns how many ranks are asked for.
    ///
    /// @throws UsageException if it is not such a number
    static Optional<Integer> count(Arguments arguments) {
        return arguments.find(MeshRunCommand.PROCESSES).map(text -> {
            int number = Numbers.digits(text, 6);
            if (number < 2 || number > MeshRunCommand.MAX_PROCESSES) {
                throw new UsageException("-n is an integer from 2 to " + MeshRunCommand.MAX_PROCESSES
                        + " where ranks talk to each other, not '" + Printable.of(text) + "'");
            }
            return number;
        });
    }

    /// Says that times will vary where ranks of this host share processors with each other or with other programs.
    static void noteSharedProcessors(Arguments arguments, Session session, int ranks) {
        if (arguments.has(MeshRunCommand.HOSTS) || arguments.has(MeshRunCommand.LAUNCHER)) {
            return;
        }
        OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
        sharing(ranks, system.getAvailableProcessors(), system.getSystemLoadAverage())
                .ifPresent(session::note);
    }

    /// Returns the reason for which times of ranks vary, if there is one.
    ///
    /// @param load mean number of threads that want a processor; negative if unknown
    public static Optional<String> sharing(int ranks, int processors, double load) {
        String effect = ": measured times may vary by half or more";
        if (ranks > processors) {
            String shared = processors + (processors == 1 ? " processor" : " processors");
            return Optional.of("muster: " + ranks + " ranks take turns on " + shared + effect
                    + "; more processors or fewer" + " ranks give times to rely on");
        }
        return load + ranks > processors + IDLE_LOAD
                ? Optional.of(String.format(
                        Locale.ROOT,
                        "muster: other programs keep this machine busy (load %.1f, %d processors)%s",
                        load,
                        processors,
                        effect))
                : Optional.empty();
    }

    /// So many ranks, as the options say.
    static StartedRanks ranks(Arguments arguments, Session session, int count, String backend) {
        return new StartedRanks(
                count,
                backend,
                session.host().variables(),
                places(arguments, arguments.has(MeshRunCommand.HOSTS) ? hosts(arguments, count) : List.of()));
    }

    /// Returns the launcher of ranks, and their hosts.
    ///
    /// @param hosts those of the ranks
    static RankPlaces places(Arguments arguments, List<String> hosts) {
        return new RankPlaces(
                launcher(arguments).orElse(null),
                arguments.find(MeshRunCommand.ADDRESS).map(RankOptions::address).orElse(null),
                hosts,
                ssh(arguments));
    }

    private static List<String> hosts(Arguments arguments, int count) {
        List<String> all = hosts(arguments);
        if (count > all.size()) {
            throw new UsageException(count + " ranks are wanted, but --hosts has room for " + all.size());
        }
        return all.subList(0, count);
    }

    /// Returns a host for each rank that `--hosts` has room for; none if none is named.
    public static List<String> hosts(Arguments arguments) {
        Optional<String> list = arguments.find(MeshRunCommand.HOSTS);
        if (list.isPresent() && arguments.has(MeshRunCommand.LAUNCHER)) {
            throw new UsageException("--hosts and --launcher both start processes on other hosts; give one");
        }
        List<String> hosts = new ArrayList<>();
        for (String word : list.map(text -> text.split(",")).orElse(new String[0])) {
            int colon = word.lastIndexOf(':');
            int slots = colon < 0 ? 1 : Numbers.digits(word.substring(colon + 1), 4);
            String name = colon < 0 ? word : word.substring(0, colon);
            if (slots < 1 || hosts.size() + slots > MeshRunCommand.MAX_PROCESSES || !name.matches(HOST_NAME)) {
                throw new UsageException("--hosts is a list such as node1:8,node2:8 of at most "
                        + MeshRunCommand.MAX_PROCESSES + " processes, not '" + Printable.of(list.orElseThrow()) + "'");
            }
            hosts.addAll(Collections.nCopies(slots, name));
        }
        return hosts;
    }

    private static List<String> ssh(Arguments arguments) {
        Optional<String> command = arguments.find(MeshRunCommand.SSH);
        if (command.isPresent() && !arguments.has(MeshRunCommand.HOSTS)) {
            throw new UsageException("--ssh requires --hosts");
        }
        return List.of(command.orElse("ssh").strip().split(" +"));
    }

    private static Optional<ForeignLauncher> launcher(Arguments arguments) {
        return arguments
                .find(MeshRunCommand.LAUNCHER)
                .map(text -> ForeignLauncher.parse(text)
                        .orElseThrow(() -> new UsageException("--launcher is mpirun or srun, with options of its own,"
                                + " not '" + Printable.of(text) + "'")));
    }

    private static InetAddress address(String host) {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException _) {
            throw new CommandException("--address: the host '" + Printable.of(host) + "' is unknown");
        }
    }
}
