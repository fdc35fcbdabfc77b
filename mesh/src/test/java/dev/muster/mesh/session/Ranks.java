// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.session;

import dev.muster.mesh.ChildJvm;
import dev.muster.mesh.store.Secret;
import dev.muster.mesh.store.TcpStoreConfig;
import dev.muster.mesh.store.TcpStoreServer;
import dev.muster.testing.Need;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Ranks in processes of their own, with the store that they meet at. Closing ends them all.
final class Ranks implements AutoCloseable {
    final TcpStoreServer server;
    final String secret = Secret.randomText();
    private final List<ChildJvm> processes = new ArrayList<>();

    private Ranks() {
        this.server = TcpStoreServer.start(TcpStoreConfig.of(Secret.of(secret)));
    }

    /// Starts ranks over an engine and waits until all have joined.
    static Ranks start(int count, String engine, Duration limit) {
        require(engine);
        Ranks ranks = new Ranks().launched(count);
        for (int rank = 0; rank < count; rank++) {
            ranks.join(rank, rank, count, engine, limit, "", ranks.secret);
        }
        return ranks.joined();
    }

    /// Starts a rank on each of those hosts, which may be the same, and waits until all have joined.
    static Ranks start(List<String> hosts, String engine, Duration limit, boolean inRankOrder) {
        Ranks ranks = new Ranks().launched(hosts.size());
        for (int rank = 0; rank < hosts.size(); rank++) {
            String order = inRankOrder ? "in-rank-order" : "in-any-order";
            ranks.join(rank, rank, hosts.size(), engine, limit, hosts.get(rank), ranks.secret, order);
        }
        return ranks.joined();
    }

    /// Only members that say so need memory that lies in files.
    private static void require(String engine) {
        if (engine.equals("shm")) {
            Need.SHARED_MEMORY.require();
        }
    }

    private Ranks launched(int count) {
        for (int i = 0; i < count; i++) {
            processes.add(launch());
        }
        return this;
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

    /// A process that waits to be told what to do.
    static ChildJvm launch() {
        return ChildJvm.start(RankMain.class);
    }

    /// Starts one more rank, which is the next by the order of starting, for any rank.
    void add(int rank, int count, String engine, Duration limit, String host) {
        processes.add(launch());
        join(processes.size() - 1, rank, count, engine, limit, host, secret);
    }

    /// Starts one more rank by a command that becomes it, such as `prlimit`.
    ChildJvm addBy(List<String> command, int rank, int count, String engine, Duration limit) {
        ChildJvm process = ChildJvm.start(command, Map.of(), RankMain.class);
        processes.add(process);
        join(processes.size() - 1, rank, count, engine, limit, "", secret);
        return process;
    }

    /// Lets a process join, once it is up: limits begin with the first that joins, and JVMs start slowly here and
    /// there.
    private void join(
            int process,
            int rank,
            int count,
            String engine,
            Duration limit,
            String host,
            String knownSecret,
            String... more) {
        String ready = line(process);
        if (!ready.equals(RankMain.READY)) {
            throw new AssertionError("rank " + rank + ": " + ready);
        }
        tell(
                process,
                joining(port(), knownSecret, rank, count, engine, Long.toString(limit.toMillis())) + " " + host + " "
                        + String.join(" ", more));
    }

    private String port() {
        return Integer.toString(server.address().getPort());
    }

    /// Returns the line that lets a process join.
    ///
    /// @param place the port of the store here, or its address and port
    /// @param limit in milliseconds, perhaps with another for joining after a colon
    static String joining(String place, String secret, int rank, int count, String engine, String limit) {
        return "join " + place + " " + secret + " " + rank + " " + count + " " + engine + " " + limit;
    }

    int count() {
        return processes.size();
    }

    String line(int rank) {
        return processes.get(rank).line();
    }

    void tell(int rank, String line) {
        processes.get(rank).tell(line);
    }

    void tellAll(String line) {
        for (int rank = 0; rank < processes.size(); rank++) {
            tell(rank, line);
        }
    }

    /// Sends a signal: KILL, STOP, CONT.
    void signal(int rank, String name) {
        processes.get(rank).signal(name);
    }

    /// Files that groups have left in shared memory, if there is any.
    static List<String> filesLeft() {
        if (!Need.SHARED_MEMORY.isMet()) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(ChildJvm.sharedMemory())) {
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
        processes.forEach(ChildJvm::close);
        server.close();
    }
}
