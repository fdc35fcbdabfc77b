// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.rehearse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.measure.MeshCalibration;
import dev.muster.core.measure.MeshCalibration.Collective;
import dev.muster.core.measure.MeshCalibration.Curve;
import dev.muster.core.measure.Thoroughness;
import dev.muster.mesh.MeshSpec;
import dev.muster.mesh.rehearse.Rehearsal.Call;
import dev.muster.mesh.rehearse.RehearsalFigures.CallFigures;
import dev.muster.mesh.session.LocalHub;
import dev.muster.mesh.session.MeshSession;
import dev.muster.mesh.session.SessionConfig;
import dev.muster.mesh.store.Secret;
import dev.muster.testing.Waiting;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Threads as ranks. No test looks at how long something took.
class RehearserTest {
    private static final Duration LIMIT = Waiting.limit(Duration.ofSeconds(60));
    private static final RankGroup TP = new RankGroup(List.of("tp"), 2);
    private static final RankGroup DP = new RankGroup(List.of("dp"), 2);
    private static final RankGroup ALL = new RankGroup(List.of("tp", "dp"), 4);

    /// Every collective, hidden or not, in groups of several kinds.
    private static final Rehearsal STEP = new Rehearsal(
            MeshSpec.parse("tp=2,dp=2"),
            1e-3,
            List.of(
                    new Call("TP all-reduce", TP, Collective.ALL_REDUCE, 4096, 6, false),
                    new Call("TP all-gather", TP, Collective.ALL_GATHER, 4098, 3, false),
                    new Call("DP reduce-scatter", DP, Collective.REDUCE_SCATTER, 100_000, 2, true),
                    new Call("DP all-gather", DP, Collective.ALL_GATHER, 100_000, 2, true),
                    new Call("EP all-to-all", ALL, Collective.ALL_TO_ALL, 1000, 4, false),
                    new Call("PP send", ALL, Collective.SEND, 513, 4, true),
                    new Call("CP ring-send", TP, Collective.RING_SEND, 513, 5, true)));

    @ParameterizedTest
    @ValueSource(strings = {"local", "tcp", "hier"})
    void ranksMakeTheCallsOfAStep(String backend) throws Exception {
        List<RehearsalFigures> all = onRanks(4, backend, session -> {
            try (Rehearser rehearser = Rehearser.open(session, backend, STEP)) {
                return rehearser.run(Duration.ofMillis(200));
            }
        });
        RehearsalFigures figures = all.getFirst();
        // Figures are gathered: every rank has the same but for what it counted itself, which is the same too.
        assertThat(all).containsOnly(figures);
        assertThat(figures.calls()).hasSameSizeAs(STEP.calls());
        assertThat(figures.rounds()).isGreaterThanOrEqualTo(5);
        assertThat(figures.hosts()).isEqualTo(1);
        for (int i = 0; i < STEP.calls().size(); i++) {
            CallFigures call = figures.calls().get(i);
            long each = Math.max(1, Math.round(STEP.calls().get(i).count() * figures.share()));
            assertThat(call.made()).isEqualTo(figures.rounds() * each);
            assertThat(call.p50()).isPositive();
            assertThat(call.p99()).isPositive();
            assertThat(call.slowestGroup()).contains(call.slowestRank());
        }
    }

    @Test
    void aStepThatTakesTooLongIsMadeInPart() throws Exception {
        Rehearsal hour = new Rehearsal(
                MeshSpec.parse("tp=2"), 3600, List.of(new Call("TP", TP, Collective.ALL_REDUCE, 64, 36_000, false)));
        RehearsalFigures figures = onRanks(2, "local", session -> {
                    try (Rehearser rehearser = Rehearser.open(session, "local", hour)) {
                        return rehearser.run(Duration.ofMillis(500));
                    }
                })
                .getFirst();
        assertThat(figures.rounds()).isEqualTo(5);
        assertThat(figures.share()).isBetween(1e-6, 1e-3);
        assertThat(figures.calls().getFirst().made()).isGreaterThanOrEqualTo(5);
    }

    @Test
    void anotherNumberOfRanksIsRefused() throws Exception {
        String message = onRanks(2, "local", session -> {
                    try {
                        Rehearser.open(session, "local", STEP).close();
                        return "";
                    } catch (IllegalArgumentException e) {
                        return String.valueOf(e.getMessage());
                    }
                })
                .getFirst();
        assertThat(message).isEqualTo("the rehearsal has 4 ranks, the mesh has 2");
    }

    @Test
    void collectivesAreMeasuredInGroupsOfEverySize() throws Exception {
        Instant time = Instant.parse("2026-11-17T18:00:00Z");
        List<MeshCalibration> all = onRanks(
                4,
                "local",
                session ->
                        new CollectiveCalibration(session, "local", Thoroughness.QUICK).measure(() -> time, _ -> {}));
        MeshCalibration mesh = all.getFirst();
        assertThat(all).containsOnly(mesh);
        assertThat(mesh.backend()).isEqualTo("local");
        assertThat(mesh.ranks()).isEqualTo(4);
        assertThat(mesh.hosts()).isEqualTo(1);
        assertThat(mesh.measuredAt()).isEqualTo(time);
        assertThat(mesh.curves()).extracting(Curve::members).containsOnly(2, 4);
        for (Collective collective : Collective.values()) {
            assertThat(mesh.seconds(collective, 2, 5000)).isPresent();
            assertThat(mesh.seconds(collective, 4, 1e12)).isPresent();
            assertThat(mesh.seconds(collective, 3, 5000)).isEmpty();
        }
    }

    private static <T> List<T> onRanks(int ranks, String backend, Function<MeshSession, T> work) throws Exception {
        SessionConfig config = SessionConfig.of(Secret.of(Secret.randomText()))
                .withBackend(backend)
                .withLimit(LIMIT);
        List<Callable<T>> tasks = new ArrayList<>();
        List<T> results = new ArrayList<>();
        try (LocalHub hub = new LocalHub();
                ExecutorService threads = Executors.newFixedThreadPool(ranks)) {
            for (int rank = 0; rank < ranks; rank++) {
                int own = rank;
                tasks.add(() -> {
                    try (MeshSession session = hub.join(own, ranks, config)) {
                        return work.apply(session);
                    }
                });
            }
            for (Future<T> result : threads.invokeAll(tasks)) {
                results.add(result.get(Waiting.seconds(120), TimeUnit.SECONDS));
            }
        }
        return results;
    }
}
