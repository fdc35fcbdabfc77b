// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import dev.muster.mesh.store.MemoryStore;
import dev.muster.mesh.store.Secret;
import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import dev.muster.testing.Waiting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Systems whose memory has no folder, as macOS and Windows: here it is another folder that is not there.
class WithoutSharedMemoryTest {
    private static final int RANKS = 2;

    @TempDir
    private Path folder;

    private SessionConfig config() {
        return SessionConfig.of(Secret.of(Secret.randomText()))
                .withSharedMemory(folder.resolve("shm"))
                .withLimit(Waiting.limit(Duration.ofSeconds(20)));
    }

    private static List<Future<String>> join(SessionConfig config) throws InterruptedException {
        try (MemoryStore hub = MemoryStore.create();
                ExecutorService threads = Executors.newFixedThreadPool(RANKS)) {
            return threads.invokeAll(List.of(rank(hub, 0, config), rank(hub, 1, config)));
        }
    }

    private static Callable<String> rank(MemoryStore hub, int rank, SessionConfig config) {
        return () -> {
            try (MeshSession session = MeshSession.join(hub.open(), rank, RANKS, config)) {
                session.world().barrier();
                return session.world().engine() + ", since " + session.reason("world");
            }
        };
    }

    @Test
    void ranksTakeSockets() throws Exception {
        for (Future<String> rank : join(config())) {
            assertThat(rank.get())
                    .startsWith(
                            "tcp, since the members of this host cannot share memory: this system does not provide");
        }
    }

    /// A file system of 64 KiB in memory, where there may be one.
    @Test
    @Needs(Need.LINUX)
    void aFullFolderIsCalledFull() throws Exception {
        Path full = Files.createDirectory(folder.resolve("full"));
        if (command("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", full.toString()) != 0) {
            throw Need.unmet("the right to mount a file system");
        }
        try {
            String room = "is full (64 of 64 KiB are free)";
            SessionConfig config = config().withSharedMemory(full);
            for (Future<String> rank : join(config)) {
                assertThat(rank.get())
                        .startsWith("tcp, since")
                        .contains("KiB in " + full)
                        .endsWith(full + " " + room);
            }
            for (Future<String> rank : join(config.withBackend("shm"))) {
                assertThatThrownBy(rank::get).cause().hasMessageContaining(full + " " + room + "; use the backend tcp");
            }
        } finally {
            assertThat(command("umount", full.toString())).isZero();
        }
    }

    private static int command(String... words) throws Exception {
        return new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    @Test
    void whoAsksForItIsToldThatThereIsNone() throws Exception {
        SessionConfig config = config().withBackend("shm");
        for (Future<String> rank : join(config)) {
            assertThatThrownBy(rank::get)
                    .cause()
                    .asInstanceOf(type(GroupException.class))
                    .satisfies(e -> assertThat(e.code()).isEqualTo(GroupError.UNAVAILABLE))
                    .satisfies(e -> assertThat(e)
                            .hasMessageStartingWith(
                                    "group world: this system does not provide shared memory (folder not found: "
                                            + config.sharedMemory() + "); use the backend tcp"));
        }
    }
}
