// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.start;

import dev.muster.mesh.launch.LaunchException;
import dev.muster.mesh.secure.TlsPolicy;
import dev.muster.mesh.start.RankProcess.Event;
import dev.muster.mesh.store.Secret;
import dev.muster.mesh.store.Store;
import dev.muster.mesh.store.TcpStoreConfig;
import dev.muster.mesh.store.TcpStoreServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// The processes of a mesh from their start to the end of the last one, and the store at which they meet. When one
/// fails, the others get a grace period to end by themselves, then SIGTERM, then another, then SIGKILL; the same
/// when this program ends first. Confined to the thread that runs it. The caller that started it closes it.
public final class Launch implements AutoCloseable {
    /// The usual port of programs that bring a store of their own, such as torchrun's.
    private static final int USUAL_MASTER_PORT = 29_500;

    private static final int SSH_PORT = 22;
    private static final int MAX_EVENTS = 1_024;
    private static final int MAX_BATCH = 256;
    private static final Duration KILL_LIMIT = Duration.ofSeconds(10);
    /// A terminal interrupts ranks and this program at once, and ranks may end before a JVM notices.
    private static final Duration NOTICE = Duration.ofMillis(250);
    /// Once ranks have to end, it is looked so often whether some can no longer be reached.
    private static final Duration LOOK = Duration.ofMillis(500);

    /// The progress of the end of all processes.
    private enum Stage {
        RUNNING,
        FAILED,
        ASKED,
        ENDED
    }

    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>(MAX_EVENTS);
    private final List<RankProcess> processes = new ArrayList<>();
    private final Duration grace;
    private final int mayFail;
    private final String secret;
    private final TcpStoreServer server;
    private final Store store;
    private final Unreachable unreachable;
    private final Thread hook = Thread.ofPlatform().name("muster-launch-hook").unstarted(this::endAll);
    private Stage stage = Stage.RUNNING;
    private long deadline;
    private int running;
    private int failed;
    private int code;
    private boolean foreign;
    /// This program was told to end: from then on no rank is to blame for its end.
    private final CountDownLatch interrupted = new CountDownLatch(1);

    private Launch(LaunchRequest request) {
        this.grace = request.grace();
        this.mayFail = request.ranks() - request.leastRanks();
        this.secret = Secret.randomText();
        this.server = TcpStoreServer.start(
                new InetSocketAddress(reachable(request), 0),
                TcpStoreConfig.of(Secret.of(secret)).withTls(request.tls()));
        this.store = server.open();
        this.unreachable = new Unreachable(store);
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /// Starts the ranks, on this host or on those of the request; if one cannot be started, none stays.
    ///
    /// @throws IOException if one cannot be started
    /// @throws dev.muster.mesh.store.StoreException if the store cannot be served at its address
    public static Launch start(LaunchRequest request) throws IOException {
        Launch launch = new Launch(request);
        LaunchEnvironment environment = launch.environment(request);
        try {
            for (int rank = 0; rank < request.ranks(); rank++) {
                if (request.isRemote(rank)) {
                    launch.startRemote(rank, request, environment.of(rank, request.hosts()));
                    continue;
                }
                Map<String, String> variables = new HashMap<>(request.variables());
                variables.putAll(
                        request.hosts().isEmpty() ? environment.of(rank) : environment.of(rank, request.hosts()));
                launch.start(rank, request.command(), variables);
            }
            return launch;
        } catch (IOException e) {
            launch.close();
            throw e;
        }
    }

    /// Lets another launcher start the ranks: it tells each its place, and the rest comes from us. The launcher is
    /// the only process that is watched.
    ///
    /// @throws IOException if the launcher cannot be started
    /// @throws dev.muster.mesh.store.StoreException if the store cannot be served at its address
    public static Launch startBy(ForeignLauncher launcher, LaunchRequest request) throws IOException {
        Launch launch = new Launch(request);
        launch.foreign = true;
        try {
            launch.start(
                    0,
                    launcher.command(request.ranks(), request.command()),
                    launcher.variables(
                            request.variables(), launch.environment(request).ofAll()));
            return launch;
        } catch (IOException e) {
            launch.close();
            throw e;
        }
    }

    private LaunchEnvironment environment(LaunchRequest request) {
        return new LaunchEnvironment(
                request.ranks(),
                request.hosts().isEmpty() ? LaunchEnvironment.freeLoopbackPort() : USUAL_MASTER_PORT,
                server.address(),
                secret,
                request.limit(),
                request.backend(),
                request.tls());
    }

    private void start(int rank, List<String> command, Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().clear();
        builder.environment().putAll(environment);
        processes.add(RankProcess.of(rank, builder.start(), events));
        running++;
    }

    /// Variables that the launcher inherits stay here, since another host has its own; but those meant for Muster go
    /// along.
    private void startRemote(int rank, LaunchRequest request, Map<String, String> told) throws IOException {
        Map<String, String> variables = new LinkedHashMap<>();
        request.variables().forEach((name, value) -> {
            if (name.startsWith("MUSTER_")) {
                variables.put(name, value);
            }
        });
        variables.putAll(told);
        variables.remove("MUSTER_SECRET");
        RemoteRank remote = new RemoteRank(request.ssh(), request.hosts().get(rank), request.grace(), request.limit());
        ProcessBuilder builder = new ProcessBuilder(
                remote.command(Path.of("").toAbsolutePath().toString(), variables, request.command()));
        builder.environment().clear();
        builder.environment().putAll(request.variables());
        processes.add(RankProcess.remote(rank, builder.start(), events, secret));
        running++;
    }

    private static InetAddress reachable(LaunchRequest request) {
        if (request.address().isPresent()) {
            return request.address().get();
        }
        for (int rank = 0; rank < request.ranks(); rank++) {
            if (request.isRemote(rank)) {
                String host = request.hosts().get(rank);
                // Connecting a datagram socket chooses an address and sends nothing.
                try (DatagramSocket socket = new DatagramSocket()) {
                    socket.connect(new InetSocketAddress(host.substring(host.indexOf('@') + 1), SSH_PORT));
                    return socket.getLocalAddress();
                } catch (SocketException | UncheckedIOException | IllegalArgumentException e) {
                    throw new LaunchException(
                            "no address of this host reaches " + host + "; name the address that it reaches");
                }
            }
        }
        return InetAddress.getLoopbackAddress();
    }

    /// Tells what happens until all processes have ended; gives the exit code of the first failure after which too few
    /// were left, or 0.
    public int run(Listener listener) throws InterruptedException {
        while (running > 0) {
            Event event = stage == Stage.RUNNING
                    ? events.take()
                    : events.poll(Math.clamp(deadline - System.nanoTime(), 0, LOOK.toNanos()), TimeUnit.NANOSECONDS);
            for (int i = 0; event != null && i < MAX_BATCH; i++) {
                tell(event, listener);
                event = events.poll();
            }
            if (event != null) {
                tell(event, listener);
            }
            if (!listener.onPause() && stage.compareTo(Stage.ASKED) < 0) {
                ask();
            }
            if (!advance()) {
                break;
            }
        }
        return code;
    }

    private void tell(Event event, Listener listener) throws InterruptedException {
        switch (event) {
            case Event.Line line -> listener.onLine(line.rank(), line.error(), line.text());
            case Event.Ended(RankEnd end) -> {
                running--;
                boolean first = end.isFailure() && stage == Stage.RUNNING;
                if (first && !isInterrupted()) {
                    if (!foreign) {
                        // Those who wait in the store hear of it at once.
                        store.set("lost/" + end.rank(), end.description().getBytes(StandardCharsets.UTF_8));
                    }
                    failed++;
                    if (failed > mayFail) {
                        code = end.code();
                        stage = Stage.FAILED;
                        deadline = System.nanoTime() + grace.toNanos();
                    }
                }
                if (!isInterrupted() && !(first && interrupted.await(NOTICE.toNanos(), TimeUnit.NANOSECONDS))) {
                    listener.onEnd(end);
                }
            }
        }
    }

    private boolean isInterrupted() {
        return interrupted.getCount() == 0;
    }

    /// Does what is due; false when even SIGKILL has not ended all processes, as in the middle of a broken driver.
    private boolean advance() {
        if (stage == Stage.RUNNING) {
            return true;
        }
        processes.stream()
                .filter(process -> process.isOpenWay() && unreachable.test(process.rank()))
                .forEach(RankProcess::end);
        if (System.nanoTime() - deadline < 0) {
            return true;
        }
        if (stage == Stage.FAILED) {
            ask();
        } else if (stage == Stage.ASKED) {
            processes.forEach(RankProcess::end);
            stage = Stage.ENDED;
            deadline = System.nanoTime() + KILL_LIMIT.toNanos();
        } else {
            return false;
        }
        return true;
    }

    private void ask() {
        processes.forEach(RankProcess::ask);
        stage = Stage.ASKED;
        deadline = System.nanoTime() + grace.toNanos();
    }

    /// Asks all processes to end, and after the grace period ends them: what a signal to this program does.
    private void endAll() {
        interrupted.countDown();
        processes.forEach(RankProcess::ask);
        long end = System.nanoTime() + grace.toNanos();
        try {
            for (RankProcess process : processes) {
                process.await(end - System.nanoTime());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        processes.forEach(RankProcess::end);
    }

    /// Leaves no process behind, and closes the store.
    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
            processes.forEach(RankProcess::end);
        } catch (IllegalStateException _) {
            // The program is ending already, and the hook does the rest.
        }
        server.deleteAnnouncedFiles();
        store.close();
        server.close();
    }

    /// Hears what started processes say and how they end, on the thread that runs the launch.
    public interface Listener {
        /// A process has written a line.
        ///
        /// @param error true for standard error
        void onLine(int rank, boolean error, String line);

        /// A process has ended.
        void onEnd(RankEnd end);

        /// Everything that was known has been told; false when no more is wanted, and the processes shall
        /// end.
        boolean onPause();
    }

    /// The end of a process.
    ///
    /// @param rank rank of the process
    /// @param code its exit code; 128 and the number of the signal for one that was ended by a signal
    /// @param lastLines last lines of its output
    public record RankEnd(int rank, int code, List<String> lastLines) {
        private static final int SIGNALS = 128;
        /// The signals that end processes, by their numbers on Linux and macOS.
        private static final Map<Integer, String> NAMES = Map.of(
                1, "SIGHUP", 2, "SIGINT", 3, "SIGQUIT", 4, "SIGILL", 6, "SIGABRT", 8, "SIGFPE", 9, "SIGKILL", 11,
                "SIGSEGV", 13, "SIGPIPE", 15, "SIGTERM");

        /// Copies the lines.
        public RankEnd {
            lastLines = List.copyOf(lastLines);
        }

        /// Reports whether it failed.
        public boolean isFailure() {
            return code != 0;
        }

        /// Returns a description of the end, for the middle of a sentence.
        public String description() {
            String name = NAMES.get(code - SIGNALS);
            return name == null
                    ? "failed with exit code " + code
                    : "was ended by " + name + " (exit code " + code + ")";
        }
    }

    /// The program to start, the number of ranks, and the way to start them. Immutable.
    ///
    /// @param command the program and its arguments
    /// @param ranks number of processes
    /// @param variables variables that every process inherits, such as `System.getenv()`
    /// @param backend backend of their process groups, such as `auto` or `shm`
    /// @param limit longest wait of ranks for each other
    /// @param grace time in which processes must end by themselves after a failure, and again after SIGTERM
    /// @param address address of the store at which the ranks meet; empty for loopback, or where ranks are on
    ///     other hosts, for the address from which this host would talk to the first of them
    /// @param hosts the host of each rank, to which `ssh` leads; empty where all are on this one
    /// @param ssh the command that leads to other hosts, with its options
    /// @param leastRanks number of processes that must not fail; the others go on while there are as many
    public record LaunchRequest(
            List<String> command,
            int ranks,
            Map<String, String> variables,
            String backend,
            Duration limit,
            Duration grace,
            Optional<InetAddress> address,
            List<String> hosts,
            List<String> ssh,
            int leastRanks) {
        /// This host, which needs no ssh.
        private static final String THIS_HOST = "localhost";

        /// The default limit of ranks that wait for each other.
        public static final Duration DEFAULT_LIMIT = Duration.ofSeconds(60);
        /// The default time in which processes must end.
        public static final Duration DEFAULT_GRACE = Duration.ofSeconds(5);

        /// Checks the number and copies the collections.
        public LaunchRequest {
            if (ranks < 1 || command.isEmpty()) {
                throw new IllegalArgumentException("a launch has a program and at least one rank");
            }
            if (leastRanks < 1 || leastRanks > ranks) {
                throw new IllegalArgumentException("of " + ranks + " ranks, " + leastRanks + " cannot be the fewest");
            }
            command = List.copyOf(command);
            variables = Map.copyOf(variables);
            hosts = List.copyOf(hosts);
            ssh = List.copyOf(ssh);
            if (!hosts.isEmpty() && hosts.size() != ranks) {
                throw new IllegalArgumentException("there are " + hosts.size() + " hosts for " + ranks + " ranks");
            }
            for (String host : hosts) {
                // A name that begins with a dash would be an option of ssh.
                if (!host.matches("[A-Za-z0-9_][A-Za-z0-9_.@:%-]*")) {
                    throw new IllegalArgumentException("'" + host + "' is not a host name");
                }
            }
        }

        /// Returns the rule for encryption of connections, from the variable `MUSTER_MESH_TLS`.
        ///
        /// @throws LaunchException if it says something else than `auto`, `always` or `never`
        String tls() {
            try {
                return TlsPolicy.of(Optional.ofNullable(variables.get(TlsPolicy.VARIABLE))
                                .filter(text -> !text.isBlank()))
                        .text();
            } catch (IllegalArgumentException e) {
                throw new LaunchException(String.valueOf(e.getMessage()), e);
            }
        }

        /// Reports whether a rank is on another host.
        boolean isRemote(int rank) {
            return !hosts.isEmpty() && !hosts.get(rank).equals(THIS_HOST);
        }

        /// Ranks of this host, with the backend `auto` and the usual limits.
        ///
        /// @param variables variables that every process inherits, such as `System.getenv()`
        public static LaunchRequest of(List<String> command, int ranks, Map<String, String> variables) {
            return new LaunchRequest(
                    command,
                    ranks,
                    variables,
                    "auto",
                    DEFAULT_LIMIT,
                    DEFAULT_GRACE,
                    Optional.empty(),
                    List.of(),
                    List.of("ssh"),
                    ranks);
        }

        /// The same with another backend.
        public LaunchRequest withBackend(String other) {
            return new LaunchRequest(command, ranks, variables, other, limit, grace, address, hosts, ssh, leastRanks);
        }

        /// The same with connections that are encrypted `always`, `never` or by `auto`: wherever an end is not on
        /// loopback.
        public LaunchRequest withTls(String other) {
            Map<String, String> changed = new HashMap<>(variables);
            changed.put(TlsPolicy.VARIABLE, other);
            return new LaunchRequest(command, ranks, changed, backend, limit, grace, address, hosts, ssh, leastRanks);
        }

        /// The same with other limits.
        public LaunchRequest withLimits(Duration otherLimit, Duration otherGrace) {
            return new LaunchRequest(
                    command, ranks, variables, backend, otherLimit, otherGrace, address, hosts, ssh, leastRanks);
        }

        /// The same, which goes on while no fewer processes than that are left.
        public LaunchRequest withLeastRanks(int other) {
            return new LaunchRequest(command, ranks, variables, backend, limit, grace, address, hosts, ssh, other);
        }

        /// The same with the store at another address of this host, which ranks of other hosts can reach.
        public LaunchRequest withAddress(InetAddress other) {
            return new LaunchRequest(
                    command, ranks, variables, backend, limit, grace, Optional.of(other), hosts, ssh, leastRanks);
        }

        /// The same on other hosts.
        ///
        /// @param hostOfRank the host of each rank; `localhost` is this one, without ssh
        /// @param command leads there, such as `ssh -p 2222`
        public LaunchRequest withHosts(List<String> hostOfRank, List<String> command) {
            return new LaunchRequest(
                    this.command, ranks, variables, backend, limit, grace, address, hostOfRank, command, leastRanks);
        }
    }
}
