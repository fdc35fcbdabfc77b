// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import dev.muster.mesh.collective.ProcessGroup;
import dev.muster.mesh.collective.ReduceOp;
import dev.muster.mesh.shm.LocalRegions;
import dev.muster.mesh.store.MemoryStore;
import dev.muster.mesh.store.Secret;
import dev.muster.mesh.store.Store;
import dev.muster.testing.Waiting;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// Ranks that join, and connections that do not belong to them.
class JoiningTest {
    private static final Duration LONG = Waiting.limit(Duration.ofSeconds(60));

    private final SessionConfig threads =
            SessionConfig.of(Secret.of(Secret.randomText())).withLimit(LONG).withProvider(new LocalRegions(2));

    private CompletableFuture<MeshSession> joining(MemoryStore memory, int rank, int ranks) {
        return CompletableFuture.supplyAsync(
                () -> MeshSession.join(memory.open(), rank, ranks, threads), Thread::startVirtualThread);
    }

    private List<MeshSession> join(MemoryStore memory, int ranks) throws Exception {
        List<CompletableFuture<MeshSession>> joining = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            joining.add(joining(memory, rank, ranks));
        }
        List<MeshSession> joined = new ArrayList<>();
        for (CompletableFuture<MeshSession> one : joining) {
            joined.add(one.get(LONG.toSeconds(), TimeUnit.SECONDS));
        }
        return joined;
    }

    private static void onAll(List<MeshSession> sessions, Consumer<MeshSession> work) throws Exception {
        List<CompletableFuture<Void>> all = sessions.stream()
                .map(session -> CompletableFuture.runAsync(() -> work.accept(session), JoiningTest::startPlatform))
                .toList();
        for (CompletableFuture<Void> one : all) {
            one.get(LONG.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private static void startPlatform(Runnable work) {
        Thread.ofPlatform().daemon().start(work);
    }

    @Test
    void oneOfAnotherWorldSizeIsSentAwayAndTheMeshRunsOn() throws Exception {
        try (MemoryStore memory = MemoryStore.create()) {
            List<MeshSession> sessions = join(memory, 4);
            assertThatExceptionOfType(GroupException.class)
                    .isThrownBy(() -> MeshSession.join(memory.open(), 4, 5, threads))
                    .satisfies(e -> assertThat(e.code()).isEqualTo(GroupError.DISAGREEMENT))
                    .withMessageContaining("rank 4 was started as one of 5 ranks")
                    .withMessageContaining("began this mesh with 4");
            onAll(sessions, session -> session.world().barrier());
            assertThat(sessions)
                    .allSatisfy(session -> assertThat(session.failure()).isEmpty());
            onAll(sessions, MeshSession::close);
        }
    }

    @Test
    void oneThatItsLauncherSawEndIsNamedWhileOthersStillJoin() throws Exception {
        try (MemoryStore memory = MemoryStore.create();
                Store launcher = memory.open()) {
            CompletableFuture<MeshSession> first = joining(memory, 0, 3);
            CompletableFuture<MeshSession> second = joining(memory, 1, 3);
            launcher.await("mesh/1/member/1", LONG);
            launcher.set("lost/2", "was ended by SIGKILL (exit code 137)".getBytes(StandardCharsets.UTF_8));
            for (CompletableFuture<MeshSession> one : List.of(first, second)) {
                assertThatExceptionOfType(ExecutionException.class)
                        .isThrownBy(() -> one.get(LONG.toSeconds() / 2, TimeUnit.SECONDS))
                        .havingCause()
                        .isInstanceOf(GroupException.class)
                        .withMessageContaining("rank 2 was ended by SIGKILL");
            }
        }
    }

    @Test
    void hundredsOfThreadsMeet() throws Exception {
        try (MemoryStore memory = MemoryStore.create()) {
            List<MeshSession> sessions = join(memory, 256);
            assertThat(sessions).extracting(MeshSession::rank).doesNotHaveDuplicates();
            sessions.forEach(MeshSession::close);
        }
    }

    @Test
    void whatIsNotANumberHasTheSameBitsOnAllRanks() throws Exception {
        try (MemoryStore memory = MemoryStore.create()) {
            List<MeshSession> sessions = join(memory, 3);
            int[][] bits = new int[3][];
            for (int elements : new int[] {2, 500}) {
                onAll(sessions, session -> bits[session.rank()] = sumOfOddNans(session.world(), elements));
                assertThat(bits[1]).isEqualTo(bits[0]);
                assertThat(bits[2]).isEqualTo(bits[0]);
            }
            onAll(sessions, MeshSession::close);
        }
    }

    /// Many times, so that compiled code takes part.
    private static int[] sumOfOddNans(ProcessGroup group, int elements) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(4L * elements, 8);
            for (int round = 0; round < 2_000; round++) {
                for (int i = 0; i < elements; i++) {
                    buffer.setAtIndex(ValueLayout.JAVA_INT, i, 0x7fc00001 + 16 * group.rank() + i);
                }
                group.allReduce(buffer, DType.FLOAT32, ReduceOp.SUM);
            }
            return buffer.toArray(ValueLayout.JAVA_INT);
        }
    }

    @Test
    void memoryThatWasFreedIsRefusedBeforeAnybodyIsDisturbed() throws Exception {
        try (MemoryStore memory = MemoryStore.create()) {
            List<MeshSession> sessions = join(memory, 2);
            Arena arena = Arena.ofConfined();
            MemorySegment freed = arena.allocate(64, 8);
            arena.close();
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> sessions.getFirst().world().allReduce(freed, DType.FLOAT32, ReduceOp.SUM))
                    .withMessageContaining("was freed");
            onAll(sessions, session -> session.world().barrier());
            onAll(sessions, MeshSession::close);
        }
    }
}
