// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.mesh.collective.CollectiveConformance;
import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import dev.muster.mesh.collective.ProcessGroup;
import dev.muster.mesh.collective.ReduceOp;
import dev.muster.mesh.store.Secret;
import dev.muster.testing.Exclusive;
import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import dev.muster.testing.Waiting;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The engine `gloo` with the real Gloo and real processes: what it computes, and what survivors are told.
@Exclusive
@Needs(Need.LINUX)
class GlooEngineTest {
    private static final Duration LONG = Waiting.limit(Duration.ofSeconds(60));
    private static final Duration SHORT = Waiting.limit(Duration.ofSeconds(3));
    /// Of calls that shall not end; joining may take longer.
    private static final String CALL_LIMIT = "limit 1500";
    /// Far more than the limit, and far less than a call that waits for ever.
    private static final long LATEST_MILLIS = Waiting.seconds(10) * 1_000;

    private static final long SEED = 20261117;

    @BeforeAll
    static void buildLibrary() {
        GlooShim.require();
    }

    /// Groups of one, two and all four processes.
    @Test
    void groupsOfProcessesGiveWhatTheScalarReferenceGives() {
        try (Ranks ranks = Ranks.start(4, "gloo", LONG)) {
            for (int size : new int[] {1, 2}) {
                String members = String.join(
                        ",", IntStream.range(0, size).mapToObj(String::valueOf).toList());
                tell(ranks, size, "open first-" + size + " " + members);
                tell(ranks, size, "conformance " + SEED + " 211 near first-" + size);
            }
            tell(ranks, 4, "conformance " + SEED + " 211 near");
            leave(ranks, 0, 1, 2, 3);
        }
    }

    @Test
    void inRankOrderAllBitsAreThoseOfTheScalarReference() {
        try (Ranks ranks = Ranks.start(List.of("a", "a", "a"), "gloo", LONG, true)) {
            tell(ranks, 3, "conformance " + SEED + " 307 exact");
            leave(ranks, 0, 1, 2);
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

    private static void leave(Ranks ranks, int... members) {
        for (int rank : members) {
            ranks.tell(rank, "close");
        }
        for (int rank : members) {
            assertThat(ranks.line(rank)).isEqualTo("left threads= sockets=0 mappings=0");
        }
    }

    private static void loop(Ranks ranks, String operation) {
        ranks.tellAll("loop " + operation + " 100000");
        for (int rank = 0; rank < ranks.count(); rank++) {
            assertThat(ranks.line(rank)).isEqualTo("looping");
        }
    }

    private static void requireFailure(Ranks ranks, int rank, String pattern) {
        String answer = ranks.line(rank);
        assertThat(answer).as("rank %d", rank).matches("failed " + pattern + " .*");
        String afterRanks = answer.substring(answer.indexOf(']') + 2);
        assertThat(Long.parseLong(afterRanks.substring(0, afterRanks.indexOf(' '))))
                .as(answer)
                .isLessThan(LATEST_MILLIS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"all-reduce", "broadcast", "send-receive"})
    void aRankKilledInTheMiddleIsNamed(String operation) {
        try (Ranks ranks = Ranks.start(3, "gloo", LONG)) {
            loop(ranks, operation);
            ranks.signal(1, "KILL");
            requireFailure(ranks, 0, "peer-lost \\[1]");
            requireFailure(ranks, 2, "peer-lost \\[1]");
            leave(ranks, 0, 2);
        }
    }

    @Test
    void aRankThatStopsIsMissed() {
        try (Ranks ranks = Ranks.start(3, "gloo", LONG)) {
            tell(ranks, 3, CALL_LIMIT);
            loop(ranks, "all-reduce");
            ranks.signal(1, "STOP");
            requireFailure(ranks, 0, "limit-exceeded \\[1]");
            requireFailure(ranks, 2, "limit-exceeded \\[1]");
            ranks.signal(1, "CONT");
            assertThat(ranks.line(1)).startsWith("failed ");
            leave(ranks, 0, 1, 2);
        }
    }

    @Test
    void aRankThatDoesNotCallIsNamed() {
        try (Ranks ranks = Ranks.start(3, "gloo", LONG)) {
            tell(ranks, 3, CALL_LIMIT);
            ranks.tell(0, "call all-reduce 1000");
            ranks.tell(2, "call all-reduce 1000");
            requireFailure(ranks, 0, "limit-exceeded \\[1]");
            requireFailure(ranks, 2, "limit-exceeded \\[1]");
            leave(ranks, 0, 1, 2);
        }
    }

    @Test
    void aRankThatDoesNotOpenAGroupIsNamed() {
        try (Ranks ranks = Ranks.start(2, "gloo", SHORT)) {
            ranks.tell(0, "open both 0,1");
            requireFailure(ranks, 0, "limit-exceeded \\[1]");
        }
    }

    @ParameterizedTest
    @CsvSource({"all-reduce 1000,all-reduce 1001", "send 100 uint8 1,receive 101 uint8 0"})
    void ranksThatCallDifferentThingsAreTold(String one, String other) {
        try (Ranks ranks = Ranks.start(2, "gloo", LONG)) {
            tell(ranks, 2, CALL_LIMIT);
            ranks.tell(0, "call " + one);
            ranks.tell(1, "call " + other);
            requireFailure(ranks, 0, "disagreement \\[]");
            requireFailure(ranks, 1, "disagreement \\[]");
            leave(ranks, 0, 1);
        }
    }

    @Test
    void thoseThatAreLeftGoOnAsANewIncarnation() {
        try (Ranks ranks = Ranks.start(3, "gloo", LONG)) {
            loop(ranks, "all-reduce");
            ranks.signal(0, "KILL");
            for (int rank : new int[] {1, 2}) {
                requireFailure(ranks, rank, "peer-lost \\[0]");
                ranks.tell(rank, "rebuild 1000");
            }
            assertThat(ranks.line(1)).isEqualTo("done 0 of 2");
            assertThat(ranks.line(2)).isEqualTo("done 1 of 2");
            for (int rank : new int[] {1, 2}) {
                ranks.tell(rank, "call all-reduce 1000 bfloat16");
            }
            assertThat(ranks.line(1)).isEqualTo("done");
            assertThat(ranks.line(2)).isEqualTo("done");
            leave(ranks, 1, 2);
        }
    }

    private static SessionConfig config() {
        return SessionConfig.of(Secret.of(Secret.randomText()))
                .withBackend("gloo")
                .withSetting("MUSTER_GLOO_SHIM", GlooShim.file().toString())
                .withLimit(LONG);
    }

    /// Two members in this process; the second calls nothing.
    @Test
    void aBlockedCallEndsWhenAnotherThreadFailsTheGroup() throws Exception {
        SessionConfig config = config();
        try (LocalHub hub = new LocalHub();
                ExecutorService threads = Executors.newFixedThreadPool(2);
                Arena arena = Arena.ofShared()) {
            Future<MeshSession> other = threads.submit(() -> hub.join(1, 2, config));
            try (MeshSession session = hub.join(0, 2, config);
                    MeshSession idle = other.get(LONG.toSeconds(), TimeUnit.SECONDS)) {
                ProcessGroup group = session.world();
                MemorySegment buffer = arena.allocate(4096, 64);
                Future<?> blocked = threads.submit(() -> group.allReduce(buffer, DType.FLOAT32, ReduceOp.SUM));
                group.fail(new GroupException(GroupError.ABORTED, "enough"));
                assertThat(blocked)
                        .failsWithin(Duration.ofMillis(LATEST_MILLIS))
                        .withThrowableOfType(java.util.concurrent.ExecutionException.class)
                        .withMessageContaining("enough");
                assertThat(idle.rank()).isOne();
            }
        }
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().toLowerCase(Locale.ROOT).startsWith("muster-gloo"));
    }

    /// Waiting in native code would keep the carrier from all others.
    @Test
    void aVirtualThreadIsTurnedAway() throws Exception {
        try (LocalHub hub = new LocalHub();
                MeshSession session = hub.join(0, 1, config());
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            assertThat(CollectiveConformance.run(session.world(), SEED, 17)).isGreaterThan(1000);
            assertThat(threads.submit(() -> session.world().barrier()))
                    .failsWithin(Duration.ofMillis(LATEST_MILLIS))
                    .withThrowableOfType(java.util.concurrent.ExecutionException.class)
                    .withMessageContaining("platform thread");
        }
    }
}
