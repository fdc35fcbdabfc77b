// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.mesh.ChildJvm;
import dev.muster.mesh.TwoHosts;
import dev.muster.mesh.store.Secret;
import dev.muster.mesh.store.TcpStoreConfig;
import dev.muster.mesh.store.TcpStoreServer;
import dev.muster.testing.Exclusive;
import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import dev.muster.testing.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Faults drawn at random: rank, fault, time, operation and engine. No rank may hang, every survivor gets
/// an error that fits, no result is wrong, and nothing is left behind. A few in every build, on one host and on two;
/// `scripts/check-mesh-faults` runs 500.
@Exclusive
@Needs({Need.LINUX, Need.SHARED_MEMORY})
class FaultScheduleTest {
    private static final int MOST_RANKS = 4;
    /// The limit of calls on a quiet machine.
    private static final Duration LIMIT = Duration.ofMillis(750);
    /// The limit of joining on a quiet machine.
    private static final Duration JOINING = Duration.ofSeconds(10);

    private static final long HANG_SECONDS = 20;
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

    private enum Fault {
        KILL,
        STOP,
        PAUSE,
        LEAVE,
        OTHER_CALL,
        STORE,
        /// Between two hosts.
        CUT
    }

    /// The scene of faults: players, the store where they meet, and the hosts of both if there are two.
    private abstract static class Scene implements AutoCloseable {
        /// Begins to serve a store.
        ///
        /// @return its address
        abstract String serve(String secret);

        abstract void endServing();

        abstract RankPool pool();

        /// The engine that goes with a number from 0 to 2.
        abstract String engine(int number);

        abstract int faults();

        /// Reports whether a rank is on the host of the store.
        boolean isNear(int rank) {
            return true;
        }

        void cut() {}

        void heal() {}

        abstract List<String> filesLeft();

        @Override
        public abstract void close();
    }

    /// All on this host.
    private static final class OneHost extends Scene {
        private final RankPool pool = new RankPool(MOST_RANKS, _ -> List.of());
        private @Nullable TcpStoreServer server;

        @Override
        String serve(String secret) {
            server = TcpStoreServer.start(TcpStoreConfig.of(Secret.of(secret)));
            return Integer.toString(server.address().getPort());
        }

        @Override
        void endServing() {
            Objects.requireNonNull(server).close();
        }

        @Override
        RankPool pool() {
            return pool;
        }

        @Override
        String engine(int number) {
            return List.of("shm", "tcp", "hier").get(number);
        }

        @Override
        int faults() {
            return Fault.values().length - 1;
        }

        @Override
        List<String> filesLeft() {
            return Ranks.filesLeft();
        }

        @Override
        public void close() {
            pool.close();
        }
    }

    /// Ranks by turns on two hosts; the store is served by a process of the first.
    private static final class Apart extends Scene {
        private final TwoHosts hosts;
        private final RankPool pool;
        private final ChildJvm keeper;

        Apart(TwoHosts hosts) {
            this.hosts = hosts;
            this.pool = new RankPool(MOST_RANKS, rank -> hosts.way(rank % 2));
            this.keeper = ChildJvm.start(hosts.way(0), Map.of(), RankMain.class);
            assertThat(keeper.line()).isEqualTo(RankMain.READY);
        }

        @Override
        String serve(String secret) {
            keeper.tell("serve " + TwoHosts.address(0) + " " + secret);
            String serving = keeper.line(Waiting.seconds(HANG_SECONDS));
            assertThat(serving).startsWith("serving ");
            return TwoHosts.address(0) + ":" + serving.substring("serving ".length());
        }

        @Override
        void endServing() {
            keeper.tell("end-serving");
            assertThat(keeper.line(Waiting.seconds(HANG_SECONDS))).isEqualTo("done");
        }

        @Override
        RankPool pool() {
            return pool;
        }

        @Override
        String engine(int number) {
            return List.of("auto", "tcp", "hier").get(number);
        }

        @Override
        int faults() {
            return Fault.values().length;
        }

        @Override
        boolean isNear(int rank) {
            return rank % 2 == 0;
        }

        @Override
        void cut() {
            hosts.cut();
        }

        @Override
        void heal() {
            hosts.heal();
        }

        @Override
        List<String> filesLeft() {
            return hosts.filesLeft();
        }

        @Override
        public void close() {
            keeper.close();
            pool.close();
            hosts.close();
        }
    }

    @Test
    void noRankHangs() {
        try (Scene scene = new OneHost()) {
            playAll(scene, Integer.getInteger("fault.schedules", 10));
        }
    }

    @Test
    void noRankHangsBetweenTwoHosts() {
        int schedules = Integer.getInteger("fault.schedules.apart", 5);
        try (Scene scene = new Apart(TwoHosts.require())) {
            playAll(scene, schedules);
        }
    }

    private static void playAll(Scene scene, int schedules) {
        long seed = Long.getLong("fault.seed", 20_261_115L);
        System.out.println(schedules + " fault schedules, -Dfault.seed=" + seed);
        Random random = new Random(seed);
        Map<Fault, Long> slowest = new EnumMap<>(Fault.class);
        for (int schedule = 0; schedule < schedules; schedule++) {
            play(scene, random, slowest, "schedule " + schedule + " of seed " + seed);
        }
        assertThat(scene.filesLeft()).isEmpty();
        System.out.println("    the last survivor was told after, at most, by fault, ms: " + slowest);
    }

    private static void play(Scene scene, Random random, Map<Fault, Long> slowest, String where) {
        int ranks = 2 + random.nextInt(MOST_RANKS - 1);
        String engine = scene.engine(random.nextInt(3));
        String operation = OPERATIONS.get(random.nextInt(OPERATIONS.size()));
        int count = new int[] {1, 1000, 200_000}[random.nextInt(3)];
        Fault fault = Fault.values()[random.nextInt(scene.faults())];
        int victim = random.nextInt(ranks);
        long delayMicros = random.nextInt(60_000);
        String what = where + ": " + fault + " of rank " + victim + " of " + ranks + " in " + operation + " of " + count
                + " over " + engine + " after " + delayMicros + " us";
        String secret = Secret.randomText();
        String limits =
                Waiting.limit(LIMIT).toMillis() + ":" + Waiting.limit(JOINING).toMillis();
        RankPool pool = scene.pool();
        String place = scene.serve(secret);
        try {
            for (int rank = 0; rank < ranks; rank++) {
                pool.player(rank).tell(Ranks.joining(place, secret, rank, ranks, engine, limits));
            }
            List<String> joined = new ArrayList<>();
            for (int rank = 0; rank < ranks; rank++) {
                joined.add(pool.answer(rank, Waiting.seconds(HANG_SECONDS)));
            }
            assertThat(joined).as(what).allMatch(answer -> answer.startsWith("joined"));
            String loop = "loop " + operation + " " + count;
            for (int rank = 0; rank < ranks; rank++) {
                boolean differs = rank == victim && fault == Fault.OTHER_CALL;
                boolean leaves = rank == victim && fault == Fault.LEAVE;
                if (!leaves) {
                    pool.player(rank).tell(differs ? "loop " + other(operation) + " " + (count + 1) : loop);
                }
            }
            LockSupport.parkNanos(delayMicros * 1000);
            long struck = System.nanoTime();
            strike(scene, fault, victim);
            List<Integer> survivors = awaitWord(scene, fault, victim, ranks, what);
            slowest.merge(fault, (System.nanoTime() - struck) / 1_000_000, Math::max);
            part(scene, fault, victim, survivors, what);
        } finally {
            scene.endServing();
        }
    }

    private static String other(String operation) {
        return operation.equals("all-reduce") ? "all-gather" : "all-reduce";
    }

    private static void strike(Scene scene, Fault fault, int victim) {
        RankPool pool = scene.pool();
        switch (fault) {
            case KILL -> pool.player(victim).signal("KILL");
            case STOP -> pool.player(victim).signal("STOP");
            case PAUSE -> {
                pool.player(victim).signal("STOP");
                LockSupport.parkNanos(100_000_000);
                pool.player(victim).signal("CONT");
                pool.player(victim).signal("KILL");
            }
            case LEAVE -> pool.player(victim).tell("close");
            case OTHER_CALL -> {}
            case STORE -> scene.endServing();
            case CUT -> scene.cut();
        }
    }

    /// Waits until every survivor has been told.
    private static List<Integer> awaitWord(Scene scene, Fault fault, int victim, int ranks, String what) {
        RankPool pool = scene.pool();
        List<Integer> survivors = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            boolean gone = rank == victim && (fault == Fault.KILL || fault == Fault.PAUSE || fault == Fault.LEAVE);
            boolean stopped = rank == victim && fault == Fault.STOP;
            if (!gone && !stopped) {
                assertThat(pool.answer(rank, Waiting.seconds(HANG_SECONDS)))
                        .as(what + ": rank " + rank)
                        .matches(expected(scene, fault, victim, rank));
            }
            if (!gone) {
                survivors.add(rank);
            }
        }
        return survivors;
    }

    private static String expected(Scene scene, Fault fault, int victim, int rank) {
        return switch (fault) {
            case KILL, PAUSE, LEAVE -> "failed peer-lost \\[" + victim + "] .*";
            case STOP -> "failed (limit-exceeded|peer-lost) \\[" + victim + "] .*";
            case OTHER_CALL -> "failed disagreement .*";
            case STORE -> "failed store-lost .*";
            // No rank on one side may blame another one there: 0 and 2 are near, 1 and 3 are far.
            case CUT ->
                scene.isNear(rank)
                        ? "failed (limit-exceeded|peer-lost) \\[[13](, 3)?] .*"
                        : "failed (store-lost \\[]|(limit-exceeded|peer-lost) \\[[02](, 2)?]) .*";
        };
    }

    private static void part(Scene scene, Fault fault, int victim, List<Integer> survivors, String what) {
        RankPool pool = scene.pool();
        if (fault == Fault.CUT) {
            scene.heal();
        }
        if (fault == Fault.STOP) {
            pool.player(victim).signal("CONT");
            assertThat(pool.answer(victim, Waiting.seconds(HANG_SECONDS)))
                    .as(what + ": the victim")
                    .startsWith("failed ");
        }
        survivors.forEach(rank -> pool.player(rank).tell("close"));
        if (fault == Fault.LEAVE) {
            survivors.add(victim);
        }
        for (int rank : survivors) {
            assertThat(pool.answer(rank, Waiting.seconds(HANG_SECONDS)))
                    .as(what + ": rank " + rank)
                    .isEqualTo("left threads= sockets=0 mappings=0");
        }
        if (fault == Fault.KILL || fault == Fault.PAUSE) {
            pool.replace(victim);
        }
    }
}
