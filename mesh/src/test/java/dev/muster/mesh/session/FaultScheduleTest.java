package dev.muster.mesh.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.mesh.store.Secret;
import dev.muster.mesh.store.TcpStoreConfig;
import dev.muster.mesh.store.TcpStoreServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/// Faults drawn at random: who, what, when, in which operation, over which engine. Nobody may hang, every survivor gets
/// an error that fits, and nothing is left behind. A few in every build; `scripts/check-mesh-faults` runs 500.
class FaultScheduleTest {
    private static final int MOST_RANKS = 4;
    private static final Duration LIMIT = Duration.ofMillis(1500);
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
        STORE
    }

    @Test
    void nobodyHangsWhateverHappens() {
        int schedules = Integer.getInteger("fault.schedules", 10);
        long seed = Long.getLong("fault.seed", 20_261_115L);
        System.out.println(schedules + " fault schedules, -Dfault.seed=" + seed);
        Random random = new Random(seed);
        try (RankPool pool = new RankPool(MOST_RANKS)) {
            for (int schedule = 0; schedule < schedules; schedule++) {
                play(pool, random, "schedule " + schedule + " of seed " + seed);
            }
        }
        assertThat(Ranks.filesLeft()).isEmpty();
    }

    private void play(RankPool pool, Random random, String where) {
        int ranks = 2 + random.nextInt(MOST_RANKS - 1);
        String engine = random.nextBoolean() ? "shm" : "tcp";
        String operation = OPERATIONS.get(random.nextInt(OPERATIONS.size()));
        int count = new int[] {1, 1000, 200_000}[random.nextInt(3)];
        Fault fault = Fault.values()[random.nextInt(Fault.values().length)];
        int victim = random.nextInt(ranks);
        long delayMicros = random.nextInt(60_000);
        String what = where + ": " + fault + " of rank " + victim + " of " + ranks + " in " + operation + " of " + count
                + " over " + engine + " after " + delayMicros + " us";
        String secret = Secret.randomText();
        try (TcpStoreServer server = TcpStoreServer.start(TcpStoreConfig.of(Secret.of(secret)))) {
            for (int rank = 0; rank < ranks; rank++) {
                pool.player(rank).tell(Ranks.joining(server, secret, rank, ranks, engine, LIMIT));
            }
            for (int rank = 0; rank < ranks; rank++) {
                assertThat(pool.answer(rank, HANG_SECONDS)).as(what).startsWith("joined");
            }
            String loop = "loop " + operation + " " + count;
            for (int rank = 0; rank < ranks; rank++) {
                boolean differs = rank == victim && fault == Fault.OTHER_CALL;
                boolean leaves = rank == victim && fault == Fault.LEAVE;
                if (!leaves) {
                    pool.player(rank).tell(differs ? "loop " + other(operation) + " " + (count + 1) : loop);
                }
            }
            LockSupport.parkNanos(delayMicros * 1000);
            strike(pool, fault, victim, server);
            check(pool, fault, victim, ranks, what);
        }
    }

    private static String other(String operation) {
        return operation.equals("all-reduce") ? "all-gather" : "all-reduce";
    }

    private static void strike(RankPool pool, Fault fault, int victim, TcpStoreServer server) {
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
            case STORE -> server.close();
        }
    }

    private static void check(RankPool pool, Fault fault, int victim, int ranks, String what) {
        String expected = switch (fault) {
            case KILL, PAUSE, LEAVE -> "failed peer-lost \\[" + victim + "] .*";
            case STOP -> "failed (limit-exceeded|peer-lost) \\[" + victim + "] .*";
            case OTHER_CALL -> "failed disagreement .*";
            case STORE -> "failed store-lost .*";
        };
        List<Integer> survivors = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            boolean gone = rank == victim && (fault == Fault.KILL || fault == Fault.PAUSE || fault == Fault.LEAVE);
            boolean stopped = rank == victim && fault == Fault.STOP;
            if (!gone && !stopped) {
                assertThat(pool.answer(rank, HANG_SECONDS))
                        .as(what + ": rank " + rank)
                        .matches(expected);
            }
            if (!gone) {
                survivors.add(rank);
            }
        }
        if (fault == Fault.STOP) {
            pool.player(victim).signal("CONT");
            assertThat(pool.answer(victim, HANG_SECONDS))
                    .as(what + ": the victim")
                    .startsWith("failed ");
        }
        survivors.forEach(rank -> pool.player(rank).tell("close"));
        if (fault == Fault.LEAVE) {
            survivors.add(victim);
        }
        for (int rank : survivors) {
            assertThat(pool.answer(rank, HANG_SECONDS))
                    .as(what + ": rank " + rank)
                    .isEqualTo("left threads= sockets=0 mappings=0");
        }
        if (fault == Fault.KILL || fault == Fault.PAUSE) {
            pool.replace(victim);
        }
    }
}
