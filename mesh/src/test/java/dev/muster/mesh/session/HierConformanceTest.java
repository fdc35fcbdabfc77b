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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The engine `hier` against the scalar reference; hosts are pretended, one letter each.
@Exclusive
@Needs(Need.LINUX)
class HierConformanceTest {
    private static final Duration LIMIT = Waiting.limit(Duration.ofSeconds(60));
    private static final long SEED = 20261115;

    @ParameterizedTest
    @CsvSource({
        "aabb,false",
        "abbb,false",
        "aabbb,false",
        "abab,false",
        "aabbb,true",
        "abab,true",
        "abcc,false",
        "aa,false",
        "a,false"
    })
    void threadsOfPretendedHostsGiveWhatTheScalarReferenceGives(String hosts, boolean inRankOrder) throws Exception {
        String secret = Secret.randomText();
        List<Callable<Long>> tasks = new ArrayList<>();
        try (LocalHub hub = new LocalHub()) {
            for (int rank = 0; rank < hosts.length(); rank++) {
                int own = rank;
                SessionConfig config = SessionConfig.of(Secret.of(secret))
                        .withBackend("hier")
                        .withRankOrder(inRankOrder)
                        .withLimit(LIMIT);
                String host = hosts.substring(rank, rank + 1);
                tasks.add(() -> {
                    try (MeshSession session = hub.join(own, hosts.length(), config.withHost(host))) {
                        assertThat(session.world().engine()).isEqualTo("hier");
                        return CollectiveConformance.run(session.world(), SEED, 1009, inRankOrder);
                    }
                });
            }
            try (ExecutorService threads = Executors.newFixedThreadPool(hosts.length())) {
                for (Future<Long> result : threads.invokeAll(tasks)) {
                    assertThat(result.get(Waiting.seconds(120), TimeUnit.SECONDS))
                            .isGreaterThan(1000);
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"aabb,false", "abbb,false", "aabbb,true", "abab,false"})
    void processesOfPretendedHostsGiveWhatTheScalarReferenceGives(String hosts, boolean inRankOrder) {
        try (Ranks ranks = Ranks.start(List.of(hosts.split("")), "auto", LIMIT, inRankOrder)) {
            ranks.tellAll("conformance " + SEED + " 4211 " + (inRankOrder ? "exact" : "near"));
            for (int rank = 0; rank < ranks.count(); rank++) {
                assertThat(ranks.line(rank)).as("rank %d", rank).startsWith("done ");
            }
            ranks.tellAll("close");
            for (int rank = 0; rank < ranks.count(); rank++) {
                assertThat(ranks.line(rank)).isEqualTo("left threads= sockets=0 mappings=0");
            }
        }
    }

    @Test
    void hostsThatTalkByGlooGiveTheSame() {
        GlooShim.require();
        try (Ranks ranks = Ranks.start(List.of("a", "a", "b", "b"), "hier-gloo", LIMIT, false)) {
            ranks.tellAll("conformance " + SEED + " 1009 near");
            for (int rank = 0; rank < ranks.count(); rank++) {
                assertThat(ranks.line(rank)).as("rank %d", rank).startsWith("done ");
            }
        }
    }

    @Test
    void aMemberThatDoesNotComeIsNamedByAllHosts() {
        try (Ranks ranks =
                Ranks.start(List.of("a", "a", "b", "b"), "auto", Waiting.limit(Duration.ofSeconds(2)), false)) {
            for (int rank : new int[] {0, 1, 2}) {
                ranks.tell(rank, "call all-reduce 1000");
            }
            for (int rank : new int[] {0, 1, 2}) {
                assertThat(ranks.line(rank))
                        .startsWith("failed limit-exceeded [3] ")
                        .contains("group world: all-reduce of 1,000 float32, sum #1");
            }
        }
    }

    @Test
    void membersThatCallOtherThingsAreNamed() {
        try (Ranks ranks =
                Ranks.start(List.of("a", "a", "b", "b"), "auto", Waiting.limit(Duration.ofSeconds(5)), false)) {
            ranks.tell(0, "call all-reduce 1000");
            ranks.tell(1, "call all-reduce 1000");
            ranks.tell(2, "call all-reduce 2000");
            ranks.tell(3, "call all-reduce 2000");
            for (int rank = 0; rank < 4; rank++) {
                assertThat(ranks.line(rank))
                        .startsWith("failed disagreement ")
                        .contains("group world: ")
                        .contains("rank 0 calls all-reduce of 1,000 float32, sum")
                        .contains("rank 2 calls all-reduce of 2,000 float32, sum");
            }
        }
    }

    @Test
    void aKilledMemberOfAnotherHostIsNamed() {
        try (Ranks ranks =
                Ranks.start(List.of("a", "a", "b", "b"), "auto", Waiting.limit(Duration.ofSeconds(20)), false)) {
            for (int rank : new int[] {0, 1, 2}) {
                ranks.tell(rank, "call all-reduce 1000");
            }
            ranks.signal(3, "KILL");
            for (int rank : new int[] {0, 1, 2}) {
                assertThat(ranks.line(rank)).startsWith("failed peer-lost [3] ");
            }
        }
    }
}
