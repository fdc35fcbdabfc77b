// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.mesh.ChildJvm;
import dev.muster.mesh.store.Store;
import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import dev.muster.testing.Waiting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Faults while some members of a group are in the middle of opening it, and others have not begun.
@Needs({Need.LINUX, Need.SHARED_MEMORY})
class OpeningFaultTest {
    private static final Duration LONG = Waiting.limit(Duration.ofSeconds(60));
    private static final long PAUSE_NANOS = 2_000_000;
    private static final int DESCRIPTORS = 120;

    @AfterEach
    void nothingIsLeftInSharedMemory() {
        assertThat(Ranks.filesLeft()).isEmpty();
    }

    @Test
    void survivorsDeleteTheFileOfTheFirstMemberThatIsKilled() {
        try (Ranks ranks = Ranks.start(3, "shm", LONG);
                Store store = ranks.server.open()) {
            ranks.tell(0, "open late 0,1,2");
            ranks.tell(1, "open late 0,1,2");
            await("a file", () -> !Ranks.filesLeft().isEmpty());
            await("the second member", () -> !find(store, "/shm/file/1").isEmpty());
            ranks.signal(0, "KILL");

            assertThat(ranks.line(1)).startsWith("failed peer-lost [0]");
            assertThat(Ranks.filesLeft()).isEmpty();
        }
    }

    @Test
    void whoeverServesTheStoreDeletesTheFileWhereNoSurvivorKnewOfIt() {
        try (Ranks ranks = Ranks.start(2, "shm", LONG)) {
            ranks.tell(0, "open late 0,1");
            await("a file", () -> !Ranks.filesLeft().isEmpty());
            ranks.signal(0, "KILL");
            ranks.tell(1, "call barrier 0");
            assertThat(ranks.line(1)).startsWith("failed peer-lost [0]");

            ranks.server.deleteAnnouncedFiles();

            assertThat(Ranks.filesLeft()).isEmpty();
        }
    }

    /// PendingConnections take all that a member has, wait, and leave. Java takes all that the system allows, hence
    /// prlimit.
    @Test
    @Needs(programs = "prlimit")
    void aListenerWithoutDescriptorsAcceptsAgainAndBlamesNobody() throws Exception {
        List<String> poor = List.of("prlimit", "--nofile=" + DESCRIPTORS + ":" + DESCRIPTORS, "--");
        List<SocketChannel> pending = new ArrayList<>();
        try (Ranks ranks = Ranks.none();
                Store store = ranks.server.open()) {
            ChildJvm listener = ranks.addBy(poor, 0, 2, "tcp", LONG);
            ranks.addBy(List.of(), 1, 2, "tcp", LONG);
            assertThat(ranks.line(0)).isEqualTo("joined tcp");
            assertThat(ranks.line(1)).isEqualTo("joined tcp");
            ranks.tell(0, "open late 0,1");
            InetSocketAddress door = door(store);
            await("the last descriptor", () -> {
                pending.add(knock(door));
                return descriptors(listener) == DESCRIPTORS;
            });
            for (SocketChannel client : pending) {
                client.close();
            }
            ranks.tell(1, "open late 0,1");

            assertThat(ranks.line(0)).isEqualTo("done");
            assertThat(ranks.line(1)).isEqualTo("done");
            ranks.tellAll("call all-reduce 1000 float32 0 late");
            assertThat(ranks.line(0)).isEqualTo("done");
            assertThat(ranks.line(1)).isEqualTo("done");
        } finally {
            for (SocketChannel client : pending) {
                client.close();
            }
        }
    }

    /// Returns the keys that members of the late group have set.
    private static List<String> find(Store store, String end) {
        return store.keys("").stream()
                .filter(key -> key.contains("late") && key.endsWith(end))
                .toList();
    }

    /// Returns the address at which the first member of the late group listens.
    private static InetSocketAddress door(Store store) {
        await("an address", () -> !find(store, "/tcp/0").isEmpty());
        byte[] address = store.find(find(store, "/tcp/0").getFirst()).orElseThrow();
        String[] where = new String(address, StandardCharsets.UTF_8).split(" ", 2);
        return new InetSocketAddress(InetAddress.ofLiteral(where[0]), Integer.parseInt(where[1]));
    }

    /// Does not wait to be let in: those at the end of the queue never are.
    private static SocketChannel knock(InetSocketAddress door) {
        try {
            SocketChannel client = SocketChannel.open();
            client.configureBlocking(false);
            boolean _ = client.connect(door);
            return client;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static long descriptors(ChildJvm process) {
        try (Stream<Path> all = Files.list(Path.of("/proc", Long.toString(process.pid()), "fd"))) {
            return all.count();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void await(String what, BooleanSupplier come) {
        long end = System.nanoTime() + LONG.toNanos();
        while (!come.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what + " has not arrived").isLessThan(end);
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
