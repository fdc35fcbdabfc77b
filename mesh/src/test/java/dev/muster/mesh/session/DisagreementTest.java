// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.mesh.DeviceMesh;
import dev.muster.mesh.MeshSpec;
import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import dev.muster.mesh.collective.ProcessGroup;
import dev.muster.mesh.collective.ReduceOp;
import dev.muster.mesh.store.Secret;
import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import dev.muster.testing.Waiting;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Members that mean different things are told what each of them means, long before any limit, and get no data that is
/// not meant for them. Members are threads here, three of them; the backends are the real ones, and `local` has the
/// engine of
/// `shm`.
@Needs({Need.LINUX, Need.SHARED_MEMORY})
class DisagreementTest {
    private static final int RANKS = 3;
    private static final Duration LIMIT = Duration.ofMinutes(10);
    private static final int AT_ONCE = 40;
    private static final long WORD_SECONDS = 30;
    private static final Duration BEAT = Duration.ofMillis(50);
    private static final SessionConfig CONFIG = SessionConfig.of(Secret.of(Secret.randomText()))
            .withLimit(LIMIT)
            .withHeartbeat(BEAT, LIMIT)
            .withSetting("MUSTER_GLOO_SHIM", GlooShim.file().toString());

    /// The part of a member in a case; rank 1 is the one that differs.
    private interface Part {
        void play(MeshSession session, Arena arena);
    }

    /// @param config of the rank that differs
    private record Case(Part others, Part differing, UnaryOperator<SessionConfig> config, int worldSize) {
        private static Case of(Part others, Part differing) {
            return new Case(others, differing, config -> config, RANKS);
        }

        private static Case joining(UnaryOperator<SessionConfig> config) {
            return new Case((_, _) -> {}, (_, _) -> {}, config, RANKS);
        }
    }

    @BeforeAll
    static void buildLibrary() {
        GlooShim.require();
    }

    private static MemorySegment floats(Arena arena, long count) {
        return arena.allocate(ValueLayout.JAVA_FLOAT, count);
    }

    private static Part sum(long count) {
        return (session, arena) -> session.world().allReduce(floats(arena, count), DType.FLOAT32, ReduceOp.SUM);
    }

    private static Part open(String name, int... ranks) {
        return (session, _) -> {
            try (ProcessGroup group = session.open(name, ranks)) {
                group.barrier();
            }
        };
    }

    private static Part then(Part first, Part second) {
        return (session, arena) -> {
            first.play(session, arena);
            second.play(session, arena);
        };
    }

    private static Part arrange(String spec) {
        return (session, _) -> session.arrange(DeviceMesh.planned(MeshSpec.parse(spec)));
    }

    private static Part gather(long... counts) {
        return (session, arena) -> session.world()
                .allGatherUneven(floats(arena, counts[session.rank()]), floats(arena, 6), counts, DType.FLOAT32);
    }

    private static Part receive(int from) {
        return (session, arena) -> session.world().receive(floats(arena, 4), from);
    }

    private static Part barrier() {
        return (session, _) -> session.world().barrier();
    }

    private static Map<String, Case> cases() {
        Map<String, Case> cases = new TreeMap<>();
        cases.put("backend", Case.joining(config -> config.withBackend("auto")));
        cases.put("order of reductions", Case.joining(config -> config.withRankOrder(true)));
        cases.put("size of the world", new Case((_, _) -> {}, (_, _) -> {}, config -> config, RANKS + 1));
        cases.put("order of ranks", Case.of(open("g", 0, 1, 2), open("g", 0, 2, 1)));
        cases.put("other ranks", Case.of(open("g", 0, 1, 2), open("g", 1, 2)));
        cases.put("one rank", Case.of(open("g", 0, 1, 2), open("g", 1)));
        cases.put("order of groups", Case.of(then(open("a", 0, 1, 2), open("b", 0, 1, 2)), open("b", 0, 1, 2)));
        cases.put("plan and group", Case.of(arrange("tp=3"), open("a", 0, 1, 2)));
        cases.put("dimensions of plans", Case.of(arrange("tp=3"), arrange("dp=3")));
        cases.put("order of plans", Case.of(arrange("tp=3,dp=1"), arrange("dp=1,tp=3")));
        cases.put(
                "operation",
                Case.of(
                        sum(10),
                        (session, arena) ->
                                session.world().allGather(floats(arena, 10), floats(arena, 30), DType.FLOAT32)));
        cases.put("barrier", Case.of(sum(10), barrier()));
        cases.put("count", Case.of(sum(10), sum(11)));
        cases.put("large count", Case.of(sum(100_000), sum(100_001)));
        cases.put(
                "type",
                Case.of(
                        sum(10),
                        (session, arena) -> session.world().allReduce(floats(arena, 10), DType.INT32, ReduceOp.SUM)));
        cases.put(
                "operator",
                Case.of(
                        sum(10),
                        (session, arena) -> session.world().allReduce(floats(arena, 10), DType.FLOAT32, ReduceOp.MAX)));
        cases.put(
                "root",
                Case.of(
                        (session, arena) -> session.world().broadcast(floats(arena, 10), DType.FLOAT32, 0),
                        (session, arena) -> session.world().broadcast(floats(arena, 10), DType.FLOAT32, 1)));
        cases.put("counts of pieces", Case.of(gather(1, 2, 3), gather(3, 2, 1)));
        cases.put("message and collective", Case.of(barrier(), receive(0)));
        cases.put(
                "length of a message",
                Case.of((session, arena) -> session.world().send(floats(arena, 5), 1), receive(0)));
        cases.put(
                "two that receive",
                Case.of(
                        (session, arena) -> {
                            if (session.rank() == 0) {
                                receive(1).play(session, arena);
                            }
                        },
                        receive(0)));
        cases.put("number of calls", Case.of(then(sum(10), barrier()), then(sum(10), sum(10))));
        return cases;
    }

    /// @return the failure of each rank, where it has one, in the order in which they come
    private static List<Optional<GroupException>> play(Case played, UnaryOperator<SessionConfig> config)
            throws Exception {
        List<Optional<GroupException>> failures = new ArrayList<>();
        try (LocalHub hub = new LocalHub();
                Arena arena = Arena.ofShared();
                ExecutorService threads = Executors.newFixedThreadPool(RANKS)) {
            CompletionService<MeshSession> parts = new ExecutorCompletionService<>(threads);
            List<MeshSession> sessions = new ArrayList<>();
            for (int rank = 0; rank < RANKS; rank++) {
                int own = rank;
                parts.submit(() -> {
                    UnaryOperator<SessionConfig> mine = own == 1 ? played.config() : UnaryOperator.identity();
                    int size = own == 1 ? played.worldSize() : RANKS;
                    MeshSession session = hub.join(own, size, mine.apply(config.apply(CONFIG.withHost("h" + own / 2))));
                    synchronized (sessions) {
                        sessions.add(session);
                    }
                    (own == 1 ? played.differing() : played.others()).play(session, arena);
                    // Those that have nothing more to do meet: a failure of another rank ends that.
                    session.world().barrier();
                    return session;
                });
            }
            for (int rank = 0; rank < RANKS; rank++) {
                failures.add(failure(parts, hub));
            }
            threads.shutdown();
            sessions.forEach(MeshSession::close);
        }
        return failures;
    }

    private static Optional<GroupException> failure(CompletionService<MeshSession> parts, LocalHub hub)
            throws Exception {
        Future<MeshSession> ended = parts.poll(Waiting.seconds(WORD_SECONDS), TimeUnit.SECONDS);
        try {
            assertThat(ended).as("a rank is told").isNotNull();
            Objects.requireNonNull(ended).get();
            return Optional.empty();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof GroupException failure) {
                hub.close(); // Those that still join wait for one that was sent away.
                return Optional.of(failure);
            }
            throw e;
        }
    }

    private static void requireTold(String what, List<Optional<GroupException>> failures) {
        Optional<GroupException> told = failures.stream()
                .flatMap(Optional::stream)
                .filter(failure -> failure.code().equals(GroupError.DISAGREEMENT))
                .findFirst();
        assertThat(told).as(what + ": " + failures).isPresent();
        assertThat(Objects.requireNonNull(told.orElseThrow().getMessage()))
                .as(what)
                .containsPattern("ranks? .*1")
                .containsPattern("rank [02]|most have");
    }

    @ParameterizedTest
    @ValueSource(strings = {"local", "tcp", "hier", "gloo"})
    void membersThatMeanDifferentThingsAreTold(String backend) throws Exception {
        Map<String, Future<List<Optional<GroupException>>>> played = new TreeMap<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
            cases().forEach((name, one) ->
                    played.put(name, threads.submit(() -> play(one, config -> config.withBackend(backend)))));
            for (Map.Entry<String, Future<List<Optional<GroupException>>>> one : played.entrySet()) {
                requireTold(backend + ", " + one.getKey(), one.getValue().get());
            }
        }
    }

    /// Programs of a few calls, of which one rank makes one differently.
    @Test
    void drawnCallsThatDifferAreTold() throws Exception {
        Random random = new Random(20_261_119);
        List<Future<List<Optional<GroupException>>>> played = new ArrayList<>();
        List<String> programs = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
            for (int i = 0; i < Integer.getInteger("disagreements", 100); i++) {
                List<Integer> calls =
                        random.ints(1 + random.nextInt(4), 0, CALLS).boxed().toList();
                int at = random.nextInt(calls.size());
                List<Integer> others = new ArrayList<>(calls);
                others.set(at, (calls.get(at) + 1 + random.nextInt(CALLS - 1)) % CALLS);
                String backend = List.of("local", "tcp", "hier").get(random.nextInt(3));
                programs.add(backend + " " + calls + " " + others);
                played.add(threads.submit(
                        () -> play(Case.of(program(calls), program(others)), config -> config.withBackend(backend))));
            }
            for (int i = 0; i < played.size(); i++) {
                requireTold(programs.get(i), played.get(i).get());
            }
        }
    }

    private static final int CALLS = 12;

    private static Part program(List<Integer> calls) {
        return (session, arena) -> calls.forEach(call -> callAndCheck(session, arena, call));
    }

    /// Makes a call of which every result is known.
    private static void callAndCheck(MeshSession session, Arena arena, int call) {
        ProcessGroup world = session.world();
        int count = 1 + call % 3 * 5_000;
        MemorySegment one = floats(arena, count);
        MemorySegment all = floats(arena, (long) count * RANKS);
        for (int i = 0; i < count; i++) {
            one.setAtIndex(ValueLayout.JAVA_FLOAT, i, session.rank());
        }
        float sum = 3;
        switch (call / 3) {
            case 0 -> {
                world.allReduce(one, DType.FLOAT32, ReduceOp.SUM);
                requireAll(one, sum);
            }
            case 1 -> {
                world.broadcast(one, DType.FLOAT32, 2);
                requireAll(one, 2);
            }
            case 2 -> {
                world.allGather(one, all, DType.FLOAT32);
                requireAll(all.asSlice(one.byteSize(), one.byteSize()), 1);
            }
            default -> {
                MemorySegment from = floats(arena, count);
                world.sendReceive(one, (session.rank() + 1) % RANKS, from, (session.rank() + 2) % RANKS);
                requireAll(from, (session.rank() + 2) % RANKS);
            }
        }
    }

    private static void requireAll(MemorySegment numbers, float expected) {
        for (long i = 0; i < numbers.byteSize() / Float.BYTES; i++) {
            assertThat(numbers.getAtIndex(ValueLayout.JAVA_FLOAT, i)).isEqualTo(expected);
        }
    }
}
