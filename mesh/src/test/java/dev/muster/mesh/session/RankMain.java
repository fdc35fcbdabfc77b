// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.session;

import dev.muster.mesh.ChildJvm;
import dev.muster.mesh.DeviceMesh;
import dev.muster.mesh.MeshSpec;
import dev.muster.mesh.collective.CollectiveConformance;
import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.ProcessGroup;
import dev.muster.mesh.collective.ReduceOp;
import dev.muster.mesh.store.Secret;
import dev.muster.mesh.store.Store;
import dev.muster.mesh.store.TcpStoreConfig;
import dev.muster.mesh.store.TcpStoreServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A rank in a process of its own, which does what it reads line by line and says how it went.
public final class RankMain {
    /// The line that it prints when it is up.
    static final String READY = "ready";

    private static long socketsBefore;
    private @Nullable MeshSession session;
    private @Nullable TcpStoreServer server;
    /// The limit of calls, if it differs from that of joining.
    private @Nullable Duration callLimit;

    private RankMain() {}

    public static void main(String[] args) throws IOException {
        SocketChannel.open().close(); // Java keeps a socket of its own from the first one on
        socketsBefore = sockets();
        RankMain main = new RankMain();
        say(READY);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            say(main.obey(line.split(" ")));
        }
    }

    /// `join PORT|ADDRESS:PORT SECRET RANK RANKS ENGINE LIMIT[:LIMIT-OF-JOINING] [HOST [in-rank-order]]`.
    private String join(String[] words) {
        Secret secret = Secret.of(words[2]);
        String[] limits = words[6].split(":");
        Duration limit = Duration.ofMillis(Long.parseLong(limits[0]));
        Duration joining = Duration.ofMillis(Long.parseLong(limits[limits.length - 1]));
        callLimit = limits.length > 1 ? limit : callLimit;
        SessionConfig config = SessionConfig.of(secret)
                .withBackend(words[5])
                .withLimit(joining)
                .withHeartbeat(Duration.ofMillis(200), limit)
                .withSetting("MUSTER_GLOO_SHIM", GlooShim.file().toString());
        String sharedMemory = System.getProperty(ChildJvm.SHARED_MEMORY);
        if (sharedMemory != null) {
            config = config.withSharedMemory(Path.of(sharedMemory));
        }
        if (words.length > 7 && !words[7].isEmpty()) {
            config = config.withHost(words[7]);
        }
        if (words.length > 8 && words[8].equals("in-rank-order")) {
            config = config.withRankOrder(true);
        }
        int colon = words[1].indexOf(':');
        InetAddress host =
                colon < 0 ? InetAddress.getLoopbackAddress() : InetAddress.ofLiteral(words[1].substring(0, colon));
        InetSocketAddress address = new InetSocketAddress(host, Integer.parseInt(words[1].substring(colon + 1)));
        TcpStoreConfig way = TcpStoreConfig.of(secret);
        if (colon >= 0) {
            config = config.withAddress(LaunchedRank.towards(address));
            way = way.withCallLimit(limit); // as ranks of a launcher do
        }
        Store store = Store.connect(address, way, Duration.ofSeconds(5));
        session = MeshSession.join(store, Integer.parseInt(words[3]), Integer.parseInt(words[4]), config);
        return "joined " + session().world().engine();
    }

    /// `serve ADDRESS SECRET`: the process that serves is not a rank.
    private String serve(String[] words) throws IOException {
        server = TcpStoreServer.start(
                new InetSocketAddress(InetAddress.ofLiteral(words[1]), 0), TcpStoreConfig.of(Secret.of(words[2])));
        return "serving " + server.address().getPort();
    }

    private MeshSession session() {
        return Objects.requireNonNull(session, "join first");
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    private String obey(String[] words) {
        long start = System.nanoTime();
        try {
            return switch (words[0]) {
                case "join" -> join(words);
                case "serve" -> serve(words);
                case "end-serving" -> {
                    Objects.requireNonNull(server, "serve first").close();
                    yield "done";
                }
                case "conformance" -> conformance(words);
                case "call" -> call(words);
                case "loop" -> loop(words);
                case "limit" -> {
                    callLimit = Duration.ofMillis(Long.parseLong(words[1]));
                    yield "done";
                }
                case "arrange" -> {
                    session().arrange(DeviceMesh.planned(MeshSpec.parse(words[1])));
                    yield "done";
                }
                case "rebuild" -> {
                    session = session().rebuild(Duration.ofMillis(Long.parseLong(words[1])));
                    yield "done " + session().rank() + " of " + session().worldSize();
                }
                case "divergence" -> session().findDivergence(words[1]).orElse("none");
                case "open" -> {
                    session()
                            .open(
                                    words[1],
                                    Arrays.stream(words[2].split(","))
                                            .mapToInt(Integer::parseInt)
                                            .toArray());
                    yield "done";
                }
                case "close" -> {
                    session().close();
                    yield "left " + left();
                }
                case "left" -> "left " + left();
                default -> "what is " + words[0] + "?";
            };
        } catch (RuntimeException | IOException e) {
            return failure(e, start);
        }
    }

    /// `conformance SEED LARGEST [exact|near [GROUP]]`.
    private String conformance(String[] words) {
        boolean exact = words.length < 4 || words[3].equals("exact");
        ProcessGroup group =
                words.length > 4 ? session().group(words[4]) : session().world();
        return "done " + CollectiveConformance.run(group, Long.parseLong(words[1]), Integer.parseInt(words[2]), exact);
    }

    /// Returns the resources that the session left behind: threads of ours, sockets, mapped files.
    private static String left() throws IOException {
        String threads = Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("muster"))
                .sorted()
                .collect(Collectors.joining(","));
        long mappings = Files.readAllLines(Path.of("/proc/self/maps")).stream()
                .filter(line -> line.contains("/muster-"))
                .count();
        return "threads=" + threads + " sockets=" + (sockets() - socketsBefore) + " mappings=" + mappings;
    }

    private static long sockets() throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors.filter(RankMain::isSocket).count();
        }
    }

    private static boolean isSocket(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
        } catch (IOException e) {
            return false;
        }
    }

    /// `call OPERATION COUNT [TYPE [ROOT [GROUP]]]`.
    private String call(String[] words) {
        DType type = words.length > 3 ? DType.parse(words[3]).orElseThrow() : DType.FLOAT32;
        int root = words.length > 4 ? Integer.parseInt(words[4]) : 0;
        ProcessGroup group =
                words.length > 5 ? session().group(words[5]) : session().world();
        ProcessGroup limited = callLimit == null ? group : group.withLimit(callLimit);
        operate(limited, words[1], Long.parseLong(words[2]), type, root);
        return "done";
    }

    private static void operate(ProcessGroup group, String operation, long count, DType type, int root) {
        long bytes = count * type.bytes();
        int ranks = group.size();
        try (Arena own = Arena.ofShared()) {
            MemorySegment one = own.allocate(Math.max(8, bytes)).asSlice(0, bytes);
            MemorySegment all = own.allocate(Math.max(8, bytes * ranks)).asSlice(0, bytes * ranks);
            operate(group, operation, one, all, type, root);
        }
    }

    /// @param one the part of one rank
    /// @param all the part of all of them
    static void operate(
            ProcessGroup group, String operation, MemorySegment one, MemorySegment all, DType type, int root) {
        int ranks = group.size();
        long bytes = one.byteSize();
        int next = (group.rank() + 1) % ranks;
        int previous = (group.rank() + ranks - 1) % ranks;
        switch (operation) {
            case "barrier" -> group.barrier();
            case "all-reduce" -> group.allReduce(one, type, ReduceOp.SUM);
            case "reduce" -> group.reduce(one, one, type, ReduceOp.SUM, root);
            case "broadcast" -> group.broadcast(one, type, root);
            case "all-gather" -> group.allGather(one, all, type);
            case "reduce-scatter" -> group.reduceScatter(all, one, type, ReduceOp.SUM);
            case "gather" -> group.gather(one, all, type, root);
            case "scatter" -> group.scatter(all, one, type, root);
            case "all-to-all" -> group.allToAll(all, all.asSlice(0), type);
            case "send-receive" -> group.sendReceive(one, next, all.asSlice(0, bytes), previous);
            case "receive" -> group.receive(one, root);
            case "send" -> group.send(one, root);
            default -> throw new IllegalArgumentException(operation);
        }
    }

    /// Repeats an operation until it fails; of all ranks and with numbers of the usual type, also until a result is
    /// wrong.
    private String loop(String[] words) {
        say("looping");
        while (words.length > 3) {
            call(words);
        }
        ProcessGroup world = session().world();
        ProcessGroup group = callLimit == null ? world : world.withLimit(callLimit);
        int count = Integer.parseInt(words[2]);
        try (RankNumbers numbers = new RankNumbers(group, words[1], count)) {
            while (true) {
                String wrong = numbers.callAndCheck();
                if (!wrong.isEmpty()) {
                    return wrong;
                }
            }
        }
    }

    private static String failure(Throwable e, long start) {
        long millis = (System.nanoTime() - start) / 1_000_000;
        if (e instanceof GroupException mesh) {
            return "failed " + mesh.code().text() + " " + mesh.missingRanks() + " " + millis + " " + mesh.getMessage();
        }
        return "failed " + e.getClass().getSimpleName() + " [] " + millis + " " + e.getMessage();
    }
}
