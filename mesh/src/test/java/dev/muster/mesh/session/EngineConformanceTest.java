// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.mesh.collective.CollectiveConformance;
import dev.muster.mesh.store.Secret;
import dev.muster.testing.Exclusive;
import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import dev.muster.testing.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Shared memory and sockets against the scalar reference.
@Exclusive
class EngineConformanceTest {
    private static final Duration LIMIT = Waiting.limit(Duration.ofSeconds(60));
    private static final long SEED = 20261116;

    /// Eight processes, of which ever more form a group.
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    @Needs(Need.LINUX)
    void groupsOfProcessesGiveWhatTheScalarReferenceGives(String engine) {
        try (Ranks ranks = Ranks.start(8, engine, LIMIT)) {
            for (int size : new int[] {1, 2, 3, 4, 5, 7, 8}) {
                String members =
                        IntStream.range(0, size).mapToObj(String::valueOf).collect(Collectors.joining(","));
                tell(ranks, size, "open first-" + size + " " + members);
                tell(ranks, size, "conformance " + SEED + " 503 exact first-" + size);
            }
        }
    }

    private static void tell(Ranks ranks, int size, String line) {
        for (int rank = 0; rank < size; rank++) {
            ranks.tell(rank, line);
        }
        for (int rank = 0; rank < size; rank++) {
            assertThat(ranks.line(rank)).as("rank %d: %s", rank, line).startsWith("done");
        }
    }

    /// More than eight members take steps between pairs: doubling, and rings where their number is not a power of two,
    /// halving where it is.
    @ParameterizedTest
    @CsvSource({"9,false,auto", "16,false,auto", "11,true,auto", "3,false,always", "9,false,always"})
    void manyMembersGiveWhatTheScalarReferenceGives(int members, boolean inRankOrder, String tls) throws Exception {
        SessionConfig config = SessionConfig.of(Secret.of(Secret.randomText()))
                .withBackend("tcp")
                .withRankOrder(inRankOrder)
                .withSetting("MUSTER_MESH_TLS", tls)
                .withLimit(LIMIT);
        List<Callable<Long>> tasks = new ArrayList<>();
        try (LocalHub hub = new LocalHub()) {
            for (int rank = 0; rank < members; rank++) {
                int own = rank;
                tasks.add(() -> {
                    try (MeshSession session = hub.join(own, members, config)) {
                        return CollectiveConformance.run(session.world(), SEED, 2053, inRankOrder);
                    }
                });
            }
            try (ExecutorService threads = Executors.newFixedThreadPool(members)) {
                for (Future<Long> result : threads.invokeAll(tasks)) {
                    assertThat(result.get(Waiting.seconds(120), TimeUnit.SECONDS))
                            .isGreaterThan(1000);
                }
            }
        }
    }
}
