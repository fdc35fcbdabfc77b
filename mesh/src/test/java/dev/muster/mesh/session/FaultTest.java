// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.testing.Exclusive;
import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import dev.muster.testing.Waiting;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Errors of survivors when something goes wrong, with real processes. Each must get the right error within its
/// limit and leave nothing behind.
@Exclusive
@Needs(Need.LINUX)
class FaultTest {
    private static final Duration LIMIT = Waiting.limit(Duration.ofSeconds(1));
    private static final long LATEST_MILLIS = 2 * LIMIT.toMillis();
    private static final String NOTHING = "left threads= sockets=0 mappings=0";
    private static final List<String> OPERATIONS = List.of(
            "barrier",
            "all-reduce",
            "reduce",
            "broadcast",
            "all-gather",
            "reduce-scatter",
            "gather",
            "scatter",
            "all-to-all",
            "send-receive");

    private static final List<String> SOME_OPERATIONS = List.of("all-reduce", "scatter", "send-receive");

    static Stream<Arguments> enginesAndOperations() {
        return Stream.of("shm", "tcp")
                .flatMap(engine -> OPERATIONS.stream().map(operation -> Arguments.of(engine, operation)));
    }

    static Stream<Arguments> enginesAndSomeOperations() {
        return Stream.of("shm", "tcp")
                .flatMap(engine -> SOME_OPERATIONS.stream().map(operation -> Arguments.of(engine, operation)));
    }

    @AfterEach
    void nothingIsLeftInSharedMemory() {
        assertThat(Ranks.filesLeft()).isEmpty();
    }

    /// Reads the answers of survivors, each of which must be that failure, and lets them leave.
    private static List<String> survivors(Ranks ranks, String error, int... survivors) {
        List<String> answers = new ArrayList<>();
        for (int rank : survivors) {
            String answer = ranks.line(rank);
            while (answer.equals("looping")) {
                answer = ranks.line(rank);
            }
            assertThat(answer).as("rank " + rank).startsWith("failed " + error + " ");
            assertThat(millis(answer)).as(answer).isLessThan(LATEST_MILLIS);
            answers.add(answer);
        }
        for (int rank : survivors) {
            ranks.tell(rank, "close");
        }
        for (int rank : survivors) {
            assertThat(ranks.line(rank)).isEqualTo(NOTHING);
        }
        return answers;
    }

    private static long millis(String answer) {
        String afterRanks = answer.substring(answer.indexOf(']') + 2);
        return Long.parseLong(afterRanks.substring(0, afterRanks.indexOf(' ')));
    }

    @ParameterizedTest
    @MethodSource("enginesAndOperations")
    void aRankKilledInTheMiddleIsNamed(String engine, String operation) {
        try (Ranks ranks = Ranks.start(3, engine, LIMIT)) {
            ranks.tellAll("loop " + operation + " 100000");
            for (int rank = 0; rank < 3; rank++) {
                assertThat(ranks.line(rank)).isEqualTo("looping");
            }
            ranks.signal(1, "KILL");
            assertThat(survivors(ranks, "peer-lost", 0, 2))
                    .allSatisfy(answer -> assertThat(answer).contains("[1]"));
        }
    }

    @ParameterizedTest
    @MethodSource("enginesAndSomeOperations")
    void aRankKilledBeforeIsNamed(String engine, String operation) {
        try (Ranks ranks = Ranks.start(3, engine, LIMIT)) {
            ranks.signal(2, "KILL");
            ranks.tell(0, "loop " + operation + " 10");
            ranks.tell(1, "loop " + operation + " 10");
            assertThat(survivors(ranks, "peer-lost", 0, 1))
                    .allSatisfy(answer -> assertThat(answer).contains("[2]"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void aRankKilledAfterwardsFailsTheNextCall(String engine) {
        try (Ranks ranks = Ranks.start(3, engine, LIMIT)) {
            ranks.tellAll("call all-reduce 1000");
            for (int rank = 0; rank < 3; rank++) {
                assertThat(ranks.line(rank)).isEqualTo("done");
            }
            ranks.signal(0, "KILL");
            ranks.tell(1, "loop barrier 0");
            ranks.tell(2, "loop barrier 0");
            assertThat(survivors(ranks, "peer-lost", 1, 2))
                    .allSatisfy(answer -> assertThat(answer).contains("[0]"));
        }
    }

    @ParameterizedTest
    @MethodSource("enginesAndSomeOperations")
    void aRankThatStopsIsMissed(String engine, String operation) {
        try (Ranks ranks = Ranks.start(3, engine, LIMIT)) {
            ranks.tellAll("loop " + operation + " 100000");
            for (int rank = 0; rank < 3; rank++) {
                assertThat(ranks.line(rank)).isEqualTo("looping");
            }
            ranks.signal(1, "STOP");
            for (int rank : new int[] {0, 2}) {
                assertThat(ranks.line(rank)).as("rank " + rank).matches("failed (limit-exceeded|peer-lost) \\[1] .*");
            }
            ranks.signal(1, "CONT");
            assertThat(ranks.line(1))
                    .as("who was stopped is told that it is out")
                    .startsWith("failed ");
            ranks.tellAll("close");
            for (int rank = 0; rank < 3; rank++) {
                assertThat(ranks.line(rank)).isEqualTo(NOTHING);
            }
        }
    }

    static Stream<Arguments> disagreements() {
        return Stream.of("shm", "tcp")
                .flatMap(engine -> Stream.of(
                                List.of("all-reduce 1000", "all-reduce 1001"),
                                List.of("all-reduce 1000 float32", "all-reduce 1000 int32"),
                                List.of("broadcast 100 float32 0", "broadcast 100 float32 1"),
                                List.of("all-gather 10", "all-reduce 10"),
                                List.of("barrier 0", "all-to-all 10"),
                                List.of("reduce-scatter 1000", "reduce-scatter 999"))
                        .map(calls -> Arguments.of(engine, calls.get(0), calls.get(1))));
    }

    @ParameterizedTest
    @MethodSource("disagreements")
    void ranksThatCallDifferentThingsAreTold(String engine, String one, String other) {
        try (Ranks ranks = Ranks.start(2, engine, LIMIT)) {
            ranks.tell(0, "call " + one);
            ranks.tell(1, "call " + other);
            assertThat(survivors(ranks, "disagreement", 0, 1))
                    .allSatisfy(answer ->
                            assertThat(answer).contains("rank 0 calls").contains("rank 1 calls"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void recordingsShowWhereRanksWentApart(String engine) {
        try (Ranks ranks = Ranks.start(2, engine, LIMIT)) {
            ranks.tellAll("call all-reduce 10");
            assertThat(ranks.line(0)).isEqualTo("done");
            assertThat(ranks.line(1)).isEqualTo("done");
            ranks.tell(0, "call all-gather 10");
            ranks.tell(1, "call barrier 0");
            assertThat(ranks.line(0)).startsWith("failed disagreement");
            assertThat(ranks.line(1)).startsWith("failed disagreement");
            assertThat(divergence(ranks))
                    .startsWith("call #2: ")
                    .containsPattern("rank 0 (failed|waited) in all-gather of 10 float32")
                    .containsPattern("rank 1 (failed|waited) in barrier");
        }
    }

    /// Asks rank 0 until rank 1 has left its recording too.
    private static String divergence(Ranks ranks) {
        Instant end = Instant.now().plus(Waiting.limit(Duration.ofSeconds(30)));
        String divergence = "none";
        while (!divergence.contains("rank 1") && Instant.now().isBefore(end)) {
            LockSupport.parkNanos(10_000_000);
            ranks.tell(0, "divergence world");
            divergence = ranks.line(0);
        }
        return divergence;
    }

    /// A store that is lost while ranks look for those that are left.
    @Test
    void aRebuildThatFailsLeavesNothing() {
        try (Ranks ranks = Ranks.start(2, "tcp", LIMIT)) {
            ranks.tellAll("loop barrier 0");
            assertThat(ranks.line(0)).isEqualTo("looping");
            assertThat(ranks.line(1)).isEqualTo("looping");
            ranks.server.close();
            assertThat(ranks.line(0)).startsWith("failed store-lost ");
            assertThat(ranks.line(1)).startsWith("failed store-lost ");
            ranks.tellAll("rebuild 500");
            for (int rank = 0; rank < 2; rank++) {
                assertThat(ranks.line(rank)).startsWith("failed ");
                ranks.tell(rank, "left");
                assertThat(ranks.line(rank)).isEqualTo(NOTHING);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("messagesAndCollectives")
    void aMessageWhereOthersCallTogetherIsADisagreement(String engine, String message, String together) {
        try (Ranks ranks = Ranks.start(2, engine, LIMIT)) {
            ranks.tell(0, "call " + message);
            ranks.tell(1, "call " + together);
            assertThat(survivors(ranks, "disagreement", 0, 1))
                    .allSatisfy(answer ->
                            assertThat(answer).contains("rank 0 calls").contains("rank 1 calls"));
        }
    }

    /// Returns the message is larger than sockets hold: a sender whose bytes are on their way has nothing to complain
    /// of.
    static Stream<Arguments> messagesAndCollectives() {
        return Stream.of("shm", "tcp")
                .flatMap(engine -> Stream.of("send 50000000 uint8 1", "receive 10 uint8 1", "send-receive 10")
                        .flatMap(message -> Stream.of("barrier 0", "all-reduce 1000", "broadcast 10 float32 0")
                                .map(together -> Arguments.of(engine, message, together))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void aMessageOfAnotherSizeIsADisagreement(String engine) {
        try (Ranks ranks = Ranks.start(2, engine, LIMIT)) {
            ranks.tell(0, "call send 100 uint8 1");
            ranks.tell(1, "call receive 101 uint8 0");
            assertThat(ranks.line(1))
                    .startsWith("failed disagreement ")
                    .contains("100")
                    .contains("101");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void ranksWithDifferentPlansAreNamed(String engine) {
        try (Ranks ranks = Ranks.start(4, engine, LIMIT)) {
            ranks.tell(0, "arrange tp=2,dp=2");
            ranks.tell(1, "arrange tp=2,dp=2");
            ranks.tell(2, "arrange tp=4,dp=1");
            ranks.tell(3, "arrange tp=2,dp=2");
            survivors(ranks, "disagreement", 0, 1, 2, 3);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void aFailureInOneGroupFailsTheOthersToo(String engine) {
        try (Ranks ranks = Ranks.start(4, engine, LIMIT)) {
            ranks.tellAll("arrange tp=2,dp=2");
            for (int rank = 0; rank < 4; rank++) {
                assertThat(ranks.line(rank)).isEqualTo("done");
            }
            ranks.tell(2, "loop all-reduce 10 float32 0 tp_1");
            ranks.tell(3, "loop all-reduce 10 float32 0 tp_1");
            ranks.tell(1, "loop all-reduce 10 float32 0 tp_0");
            assertThat(ranks.line(2)).isEqualTo("looping");
            assertThat(ranks.line(3)).isEqualTo("looping");
            ranks.signal(0, "KILL");
            survivors(ranks, "peer-lost", 1, 2, 3);
        }
    }

    @Test
    void aRankThatDoesNotComeIsNamed() {
        try (Ranks ranks = Ranks.none()) {
            ranks.add(0, 3, "tcp", LIMIT, "");
            ranks.add(2, 3, "tcp", LIMIT, "");
            assertThat(ranks.line(0)).startsWith("failed limit-exceeded [1] ").contains("rank 1 has not arrived");
            assertThat(ranks.line(1)).startsWith("failed limit-exceeded [1] ");
            ranks.tellAll("left");
            assertThat(ranks.line(0)).isEqualTo(NOTHING);
            assertThat(ranks.line(1)).isEqualTo(NOTHING);
        }
    }

    @Test
    void aRankThatIsThereTwiceIsRefused() {
        try (Ranks ranks = Ranks.start(2, "shm", LIMIT)) {
            ranks.add(1, 2, "shm", LIMIT, "");
            assertThat(ranks.line(2)).startsWith("failed refused [] ").contains("rank 1 has already joined");
            ranks.tell(2, "left");
            assertThat(ranks.line(2)).isEqualTo(NOTHING);
            ranks.tell(0, "call all-reduce 10");
            ranks.tell(1, "call all-reduce 10");
            assertThat(ranks.line(0)).isEqualTo("done");
            assertThat(ranks.line(1)).isEqualTo("done");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void aLostStoreFailsEveryRank(String engine) {
        try (Ranks ranks = Ranks.start(3, engine, LIMIT)) {
            ranks.tell(0, "loop receive 10 uint8 1");
            ranks.tell(1, "loop receive 10 uint8 2");
            ranks.tell(2, "loop receive 10 uint8 0");
            for (int rank = 0; rank < 3; rank++) {
                assertThat(ranks.line(rank)).isEqualTo("looping");
            }
            ranks.server.close();
            survivors(ranks, "store-lost", 0, 1, 2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void thoseThatAreLeftGoOnAsANewIncarnation(String engine) {
        try (Ranks ranks = Ranks.start(3, engine, LIMIT)) {
            ranks.tellAll("loop all-reduce 1000");
            for (int rank = 0; rank < 3; rank++) {
                assertThat(ranks.line(rank)).isEqualTo("looping");
            }
            ranks.signal(0, "KILL");
            for (int rank : new int[] {1, 2}) {
                assertThat(ranks.line(rank)).startsWith("failed peer-lost [0] ");
                ranks.tell(rank, "rebuild 1000");
            }
            assertThat(ranks.line(1)).isEqualTo("done 0 of 2");
            assertThat(ranks.line(2)).isEqualTo("done 1 of 2");
            for (int rank : new int[] {1, 2}) {
                ranks.tell(rank, "conformance 3 101");
            }
            assertThat(ranks.line(1)).startsWith("done ");
            assertThat(ranks.line(2)).startsWith("done ");
            for (int rank : new int[] {1, 2}) {
                ranks.tell(rank, "close");
                assertThat(ranks.line(rank)).isEqualTo(NOTHING);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void aRankThatLeavesIsMissed(String engine) {
        try (Ranks ranks = Ranks.start(2, engine, LIMIT)) {
            ranks.tell(0, "loop barrier 0");
            assertThat(ranks.line(0)).isEqualTo("looping");
            ranks.tell(1, "close");
            assertThat(ranks.line(1)).isEqualTo(NOTHING);
            assertThat(ranks.line(0)).startsWith("failed peer-lost [1] ");
        }
    }
}
