package dev.muster.mesh.session;

import dev.muster.mesh.store.Secret;
import dev.muster.mesh.store.TcpStoreConfig;
import dev.muster.mesh.store.TcpStoreServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// Ranks in processes of their own, with the store that they meet at. Closing ends them all.
final class Ranks implements AutoCloseable {
    private static final long END_SECONDS = 30;

    final TcpStoreServer server;
    final String secret = Secret.randomText();
    private final List<Process> processes = new ArrayList<>();
    private final List<BufferedReader> outputs = new ArrayList<>();

    private Ranks() {
        this.server = TcpStoreServer.start(TcpStoreConfig.of(Secret.of(secret)));
    }

    /// Starts ranks over an engine and waits until all have joined.
    static Ranks start(int count, String engine, Duration limit) {
        Ranks ranks = new Ranks();
        for (int rank = 0; rank < count; rank++) {
            ranks.add(rank, count, engine, limit, "");
        }
        return ranks.joined();
    }

    /// Starts a rank on each of those hosts, which may be the same, and waits until all have joined.
    static Ranks start(List<String> hosts, String engine, Duration limit, boolean inRankOrder) {
        Ranks ranks = new Ranks();
        for (int rank = 0; rank < hosts.size(); rank++) {
            String order = inRankOrder ? "in-rank-order" : "in-any-order";
            ranks.add(rank, hosts.size(), engine, limit, hosts.get(rank), ranks.secret, order);
        }
        return ranks.joined();
    }

    private Ranks joined() {
        for (int rank = 0; rank < count(); rank++) {
            String joined = line(rank);
            if (!joined.startsWith("joined ")) {
                close();
                throw new AssertionError("rank " + rank + ": " + joined);
            }
        }
        return this;
    }

    /// No ranks yet, only the store.
    static Ranks none() {
        return new Ranks();
    }

    void add(int rank, int count, String engine, Duration limit, String host) {
        add(rank, count, engine, limit, host, secret);
    }

    void add(int rank, int count, String engine, Duration limit, String host, String knownSecret, String... more) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path") + ":target/classes:target/test-classes:../core/target/classes",
                "dev.muster.mesh.session.RankMain"));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            processes.add(process);
            outputs.add(process.inputReader(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        tell(
                processes.size() - 1,
                joining(server, knownSecret, rank, count, engine, limit) + " " + host + " " + String.join(" ", more));
    }

    static String joining(TcpStoreServer at, String secret, int rank, int count, String engine, Duration limit) {
        return "join " + at.address().getPort() + " " + secret + " " + rank + " " + count + " " + engine + " "
                + limit.toMillis();
    }

    int count() {
        return processes.size();
    }

    String line(int rank) {
        try {
            String line = outputs.get(rank).readLine();
            return line == null ? "ended" : line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void tell(int rank, String line) {
        try {
            processes.get(rank).getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            processes.get(rank).getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void tellAll(String line) {
        for (int rank = 0; rank < processes.size(); rank++) {
            tell(rank, line);
        }
    }

    /// Sends a signal: KILL, STOP, CONT.
    void signal(int rank, String name) {
        try {
            Process kill = new ProcessBuilder(
                            "kill",
                            "-" + name,
                            Long.toString(processes.get(rank).pid()))
                    .start();
            if (!kill.waitFor(END_SECONDS, TimeUnit.SECONDS) || kill.exitValue() != 0) {
                throw new AssertionError("cannot send " + name + " to rank " + rank);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /// Files that groups have left in shared memory.
    static List<String> filesLeft() {
        try (Stream<Path> files = java.nio.file.Files.list(Path.of("/dev/shm"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("muster-"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        processes.forEach(Process::destroyForcibly);
        for (Process process : processes) {
            try {
                if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                    throw new AssertionError("a rank does not end");
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
        server.close();
    }
}
