// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.ProcessGroup;
import dev.muster.mesh.collective.ReduceOp;
import dev.muster.mesh.collective.Work;
import dev.muster.mesh.session.LocalHub;
import dev.muster.mesh.session.MeshSession;
import dev.muster.mesh.session.SessionConfig;
import dev.muster.mesh.store.Secret;
import dev.muster.testing.Waiting;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/// Messages that are started, and futures of work.
class StartedMessagesTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    /// More than fits into what lies between two ranks, so that a send alone has to wait for its receiver.
    private static final int LARGE = 8 << 20;

    @Test
    void bothMaySendBeforeTheyReceive() throws Exception {
        List<Integer> received = run(group -> {
            try (Arena arena = Arena.ofShared()) {
                MemorySegment sent = arena.allocate(LARGE);
                MemorySegment got = arena.allocate(LARGE);
                sent.fill((byte) (group.rank() + 1));
                int other = 1 - group.rank();
                Work sending = group.startSend(sent, other);
                Work receiving = group.startReceive(got, other);
                receiving.await(LIMIT);
                sending.await(LIMIT);
                return (int) got.get(ValueLayout.JAVA_BYTE, LARGE - 1);
            }
        });
        assertThat(received).containsExactly(2, 1);
    }

    @Test
    void anotherCallBeginsWhatWasStarted() throws Exception {
        List<Integer> received = run(group -> {
            try (Arena arena = Arena.ofShared()) {
                MemorySegment number = arena.allocateFrom(ValueLayout.JAVA_INT, 7 * (group.rank() + 1));
                Work work = group.rank() == 0 ? group.startSend(number, 1) : group.startReceive(number, 0);
                MemorySegment one = arena.allocateFrom(ValueLayout.JAVA_INT, 1);
                group.allReduce(one, DType.INT32, ReduceOp.SUM);
                work.await(LIMIT);
                return number.get(ValueLayout.JAVA_INT, 0) * one.get(ValueLayout.JAVA_INT, 0);
            }
        });
        assertThat(received).containsExactly(14, 14);
    }

    @Test
    void aFutureEndsWithTheWork() throws Exception {
        List<String> ends = run(group -> {
            try (Arena arena = Arena.ofShared()) {
                MemorySegment value = arena.allocateFrom(ValueLayout.JAVA_FLOAT, group.rank() + 1);
                CompletableFuture<Float> sum = group.start(open -> open.allReduce(value, DType.FLOAT32, ReduceOp.SUM))
                        .toFuture()
                        .thenApply(_ -> value.get(ValueLayout.JAVA_FLOAT, 0));
                CompletableFuture<Void> wrong = group.start(open -> open.broadcast(value, DType.FLOAT32, 9))
                        .toFuture();
                String failure = "none";
                try {
                    wrong.join();
                } catch (CompletionException e) {
                    failure = String.valueOf(e.getCause());
                }
                return sum.join() + " " + failure;
            }
        });
        assertThat(ends)
                .containsOnly("3.0 java.lang.IllegalArgumentException: the root is rank 9, but the group has ranks 0"
                        + " to 1");
    }

    @Test
    void messagesThatNeverBeganEndWithTheGroup() throws Exception {
        List<Boolean> cancelled = run(group -> {
            try (Arena arena = Arena.ofShared()) {
                Work work = group.startSend(arena.allocate(8), 1 - group.rank());
                group.close();
                try {
                    work.toFuture().join();
                    return false;
                } catch (CancellationException | CompletionException e) {
                    return true;
                }
            }
        });
        assertThat(cancelled).containsOnly(true);
    }

    @Test
    void doublesLongsAndHalvesAreArraysToo() throws Exception {
        List<String> results = Threads.run(2, ops -> {
            double[] doubles = {ops.rank() + 0.5};
            ops.allReduce(doubles, ReduceOp.SUM);
            long[] all = new long[2];
            ops.allGather(new long[] {1L << (40 + ops.rank())}, all);
            short[] halves = {(short) (Float.floatToRawIntBits(1.5f) >> 16)};
            ops.allReduce(halves, ReduceOp.SUM);
            short[] piece = new short[1];
            ops.reduceScatter(new short[] {halves[0], halves[0]}, piece, ReduceOp.MAX);
            return doubles[0] + " " + (all[0] + all[1]) + " " + Float.intBitsToFloat(piece[0] << 16);
        });
        assertThat(results).containsOnly("2.0 " + (3L << 40) + " 3.0");
    }

    private static <T> List<T> run(Function<ProcessGroup, T> task) throws Exception {
        SessionConfig config = SessionConfig.of(Secret.of(Secret.randomText()));
        try (LocalHub hub = new LocalHub();
                ExecutorService threads = Executors.newFixedThreadPool(2)) {
            List<Future<T>> futures = new ArrayList<>();
            for (int rank = 0; rank < 2; rank++) {
                int own = rank;
                futures.add(threads.submit(() -> {
                    try (MeshSession session = hub.join(own, 2, config)) {
                        return task.apply(session.world());
                    }
                }));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> future : futures) {
                results.add(future.get(Waiting.seconds(60), TimeUnit.SECONDS));
            }
            return results;
        }
    }
}
