// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench.nccl;

import dev.muster.mesh.start.LaunchEnvironment;
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
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// Ranks in processes of their own that share one GPU. NCCL refuses two of them on one host, so each says that it is
/// on a host of its own, and they talk over sockets: slow, and real in everything else.
record SharedGpu(Findings findings, String backend) {
    static final Duration LIMIT = Duration.ofSeconds(20);
    private static final long LINE_SECONDS = 120;
    private static final String SECRET = Secret.randomText();

    /// A rank and the lines that it says.
    private record Rank(int number, Process process, BlockingQueue<String> lines) {
        private static final String ENDED = "ended";

        static Rank start(int number, ProcessBuilder builder) throws IOException {
            Rank rank = new Rank(number, builder.redirectErrorStream(true).start(), new LinkedBlockingQueue<>());
            Thread.ofPlatform().daemon().start(rank::read);
            return rank;
        }

        private void read() {
            try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
                out.lines().forEach(lines::add);
            } catch (IOException | UncheckedIOException e) {
                lines.add("broken: " + e.getMessage());
            }
            lines.add(ENDED);
        }

        String next() throws InterruptedException {
            String line = lines.poll(LINE_SECONDS, TimeUnit.SECONDS);
            return line == null ? ENDED : line;
        }

        boolean endedWell() throws InterruptedException {
            return process.waitFor(LINE_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
        }
    }

    /// Lets ranks do every operation.
    void operations(int ranks) throws IOException, InterruptedException {
        try (TcpStoreServer store = TcpStoreServer.start(TcpStoreConfig.of(secret()))) {
            List<Rank> all = start(store, ranks, "operations");
            try {
                for (Rank rank : all) {
                    show(rank);
                    findings.expect("rank " + rank.number() + " of " + ranks + " by " + backend, rank.endedWell(), "");
                }
            } finally {
                all.forEach(rank -> rank.process().destroyForcibly());
            }
        }
    }

    /// Kills the last rank while all call, or stops it without an end.
    void loss(int ranks, String signal) throws IOException, InterruptedException {
        try (TcpStoreServer store = TcpStoreServer.start(TcpStoreConfig.of(secret()))) {
            List<Rank> all = start(store, ranks, "loop");
            try {
                for (Rank rank : all) {
                    awaitLoop(rank);
                }
                String process = Long.toString(all.getLast().process().pid());
                new ProcessBuilder("kill", "-" + signal, process).start().waitFor();
                for (Rank rank : all.subList(0, ranks - 1)) {
                    show(rank);
                    String what = "rank " + rank.number() + " learns of the rank that got " + signal;
                    findings.expect(what, rank.endedWell(), "");
                }
            } finally {
                all.forEach(rank -> rank.process().destroyForcibly());
            }
        }
    }

    private void awaitLoop(Rank rank) throws InterruptedException {
        String line = rank.next();
        while (!line.equals(DeviceRank.LOOPING) && !line.equals(Rank.ENDED)) {
            findings.say(line);
            line = rank.next();
        }
    }

    private void show(Rank rank) throws InterruptedException {
        for (String line = rank.next(); !line.equals(Rank.ENDED); line = rank.next()) {
            findings.say("rank " + rank.number() + ": " + line.strip());
        }
    }

    private static Secret secret() {
        return Secret.of(SECRET);
    }

    private List<Rank> start(TcpStoreServer store, int ranks, String what) throws IOException {
        int port = LaunchEnvironment.freeLoopbackPort();
        LaunchEnvironment places = new LaunchEnvironment(ranks, port, store.address(), SECRET, LIMIT, backend, "auto");
        List<Rank> all = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            ProcessBuilder builder = new ProcessBuilder(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "--enable-native-access=ALL-UNNAMED",
                    "-cp",
                    System.getProperty("java.class.path"),
                    DeviceRank.class.getName(),
                    what);
            Map<String, String> variables = builder.environment();
            variables.putAll(places.of(rank));
            variables.put("NCCL_HOSTID", "muster-" + rank);
            variables.put("NCCL_SOCKET_IFNAME", "lo");
            all.add(Rank.start(rank, builder));
        }
        return all;
    }
}
