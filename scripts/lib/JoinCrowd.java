// SPDX-License-Identifier: Apache-2.0
import dev.muster.mesh.store.Secret;
import dev.muster.mesh.store.Store;
import dev.muster.mesh.store.TcpStoreConfig;
import dev.muster.mesh.store.TcpStoreServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A crowd that joins one store at once, for scripts/check-join: JoinCrowd PROCESSES THREADS GARBAGE-A-SECOND LIMIT-SECONDS
 *
 * <p>The store is served by a process of its own. So many members are processes of their own, so many more are threads of
 * one process, and one more process throws garbage at the port. All begin at one word, when their processes are up. Each
 * member connects, says that it is here, and waits for word that all are: only then it has joined.
 */
final class JoinCrowd {
    private static final Duration MEMBER_LIMIT = Duration.ofSeconds(120);
    private static final int HELD_STRANGERS = 300;
    private static final int MOST_GARBAGE_BYTES = 200;

    private JoinCrowd() {}

    public static void main(String[] words) throws Exception {
        switch (words[0]) {
            case "serve" -> serve();
            case "members" -> members(words);
            case "flood" -> flood(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
            default -> System.exit(crowd(words) ? 0 : 1);
        }
    }

    // --- The whole.

    private static boolean crowd(String[] words) throws Exception {
        int processes = Integer.parseInt(words[0]);
        int threads = Integer.parseInt(words[1]);
        int garbage = Integer.parseInt(words[2]);
        long limitSeconds = Long.parseLong(words[3]);
        int all = processes + threads;
        List<Child> children = new ArrayList<>();
        try {
            String secret = Secret.randomText();
            Child server = Child.start(children, secret, "serve");
            String port = server.line();
            List<Child> crowd = new ArrayList<>();
            for (int i = 0; i < processes; i++) {
                crowd.add(Child.start(children, secret, "members", port, "" + i, "1", "" + all));
            }
            if (threads > 0) {
                crowd.add(Child.start(children, secret, "members", port, "" + processes, "" + threads, "" + all));
            }
            for (Child child : crowd) {
                child.expect("ready");
            }
            Child flood = null;
            if (garbage > 0) {
                flood = Child.start(children, secret, "flood", port, "" + garbage);
                flood.expect("flooding");
            }
            long start = System.nanoTime();
            for (Child child : crowd) {
                child.tell("go");
            }
            int failed = 0;
            for (Child child : crowd) {
                String said = child.line();
                if (!said.equals("joined")) {
                    failed++;
                    System.out.println("    " + said);
                }
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            String beside = "";
            if (flood != null) {
                flood.tell("enough");
                beside = ", beside " + flood.line();
            }
            for (Child child : crowd) {
                child.tell("leave");
                child.expect("left");
            }
            server.tell("enough");
            server.expect("connections left: 0");
            boolean good = failed == 0 && seconds <= limitSeconds;
            System.out.printf(
                    "%s: %d members (%d processes, %d threads) joined after %.1f s, %d failed%s%n",
                    good ? "ok" : "FAILED", all, processes, threads, seconds, failed, beside);
            return good;
        } finally {
            children.forEach(Child::end);
        }
    }

    /** A process of this program, which says a line now and then. */
    private record Child(Process process, BufferedReader out) {
        static Child start(List<Child> all, String secret, String... words) throws IOException {
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-Xss512k",
                    "-cp",
                    System.getProperty("java.class.path"),
                    JoinCrowd.class.getName()));
            command.addAll(List.of(words));
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
            builder.environment().put("MUSTER_SECRET", secret);
            Process process = builder.start();
            Child child = new Child(process, process.inputReader(StandardCharsets.UTF_8));
            all.add(child);
            return child;
        }

        String line() throws IOException {
            return String.valueOf(out.readLine());
        }

        void expect(String wanted) throws IOException {
            String said = line();
            if (!said.equals(wanted)) {
                throw new IOException("'" + said + "' instead of '" + wanted + "'");
            }
        }

        void tell(String word) throws IOException {
            process.getOutputStream().write((word + "\n").getBytes(StandardCharsets.US_ASCII));
            process.getOutputStream().flush();
        }

        void end() {
            process.destroyForcibly();
        }
    }

    private static String heard() throws IOException {
        StringBuilder word = new StringBuilder();
        int next = System.in.read();
        while (next >= 0 && next != '\n') {
            word.append((char) next);
            next = System.in.read();
        }
        if (next < 0) {
            System.exit(1);
        }
        return word.toString();
    }

    private static Secret secret() {
        return Secret.of(System.getenv("MUSTER_SECRET"));
    }

    // --- Who serves.

    private static void serve() throws IOException {
        try (TcpStoreServer server = TcpStoreServer.start(TcpStoreConfig.of(secret()))) {
            System.out.println(server.address().getPort());
            heard();
            long end = System.nanoTime() + MEMBER_LIMIT.toNanos();
            while (server.connections() > 0 && System.nanoTime() < end) {
                LockSupport.parkNanos(1_000_000);
            }
            System.out.println("connections left: " + server.connections());
        }
    }

    // --- Who joins: members PORT FIRST COUNT ALL

    private static void members(String[] words) throws Exception {
        InetSocketAddress address =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(words[1]));
        int first = Integer.parseInt(words[2]);
        int count = Integer.parseInt(words[3]);
        int all = Integer.parseInt(words[4]);
        TcpStoreConfig config = TcpStoreConfig.of(secret());
        List<String> failures = new ArrayList<>();
        CountDownLatch joined = new CountDownLatch(count);
        CountDownLatch leave = new CountDownLatch(1);
        System.out.println("ready");
        heard();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int id = first + i;
            threads.add(Thread.startVirtualThread(() -> {
                try (Store store = Store.connect(address, config, MEMBER_LIMIT)) {
                    join(store, id, all);
                    joined.countDown();
                    leave.await();
                } catch (RuntimeException | InterruptedException e) {
                    synchronized (failures) {
                        failures.add("member " + id + ": " + e);
                    }
                    joined.countDown();
                }
            }));
        }
        joined.await();
        synchronized (failures) {
            System.out.println(failures.isEmpty() ? "joined" : failures.size() + " failed, as " + failures.getFirst());
        }
        heard();
        leave.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("left");
    }

    private static void join(Store store, int id, int all) {
        store.setEphemeral("member/" + id, ("member " + id).getBytes(StandardCharsets.UTF_8));
        if (store.add("count", 1) == all) {
            store.set("all", new byte[] {1});
        }
        store.await("all", MEMBER_LIMIT);
    }

    // --- Who floods: garbage of every length, some of it held open in silence.

    private static void flood(int port, int perSecond) throws Exception {
        AtomicInteger thrown = new AtomicInteger();
        CountDownLatch enough = new CountDownLatch(1);
        System.out.println("flooding");
        long start = System.nanoTime();
        Thread thread = Thread.ofPlatform().start(() -> {
            Random random = new Random(4711);
            ArrayDeque<Socket> held = new ArrayDeque<>();
            for (int i = 0; enough.getCount() > 0; i++) {
                LockSupport.parkNanos(start + i * 1_000_000_000L / perSecond - System.nanoTime());
                Socket stranger = new Socket();
                held.add(stranger);
                try {
                    stranger.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
                    byte[] bytes = new byte[random.nextInt(MOST_GARBAGE_BYTES)];
                    random.nextBytes(bytes);
                    stranger.getOutputStream().write(bytes);
                    thrown.incrementAndGet();
                } catch (IOException e) {
                    // The queue is full, or it was shown the door while it spoke.
                }
                if (held.size() > HELD_STRANGERS) {
                    close(held.removeFirst());
                }
            }
            held.forEach(JoinCrowd::close);
        });
        heard();
        long nanos = System.nanoTime() - start;
        enough.countDown();
        thread.join();
        System.out.println(thrown + " garbage connections, " + thrown.get() * 1_000_000_000L / nanos + " a second");
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is gone in any case.
        }
    }
}
