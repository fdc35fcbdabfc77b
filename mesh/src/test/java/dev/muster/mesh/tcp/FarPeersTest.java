// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.ProcessGroup;
import dev.muster.mesh.collective.ReduceOp;
import dev.muster.mesh.session.LocalHub;
import dev.muster.mesh.session.MeshSession;
import dev.muster.mesh.session.SessionConfig;
import dev.muster.mesh.store.Secret;
import dev.muster.testing.Waiting;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Groups of more members than are connected when they are opened.
class FarPeersTest {
    private static final int RANKS = 20;
    /// Seven and thirteen are not powers of two.
    private static final int FAR = 7;

    private static final SessionConfig CONFIG = SessionConfig.of(Secret.of(Secret.randomText()))
            .withBackend("tcp")
            .withLimit(Waiting.limit(Duration.ofSeconds(60)));

    private interface Part {
        void play(ProcessGroup world, Arena arena);
    }

    @Test
    void messagesGoBetweenAnyTwo() throws Exception {
        play((world, arena) -> {
            MemorySegment own = arena.allocateFrom(ValueLayout.JAVA_INT, world.rank());
            MemorySegment theirs = arena.allocate(ValueLayout.JAVA_INT);
            world.sendReceive(own, (world.rank() + FAR) % RANKS, theirs, (world.rank() + RANKS - FAR) % RANKS);
            assertThat(theirs.get(ValueLayout.JAVA_INT, 0)).isEqualTo((world.rank() + RANKS - FAR) % RANKS);

            MemorySegment sum = arena.allocateFrom(ValueLayout.JAVA_INT, world.rank());
            world.allReduce(sum, DType.INT32, ReduceOp.SUM);
            assertThat(sum.get(ValueLayout.JAVA_INT, 0)).isEqualTo(RANKS * (RANKS - 1) / 2);

            int[] rows =
                    IntStream.range(0, RANKS).map(to -> 100 * world.rank() + to).toArray();
            MemorySegment columns = arena.allocate(ValueLayout.JAVA_INT, RANKS);
            world.allToAll(arena.allocateFrom(ValueLayout.JAVA_INT, rows), columns, DType.INT32);
            assertThat(columns.toArray(ValueLayout.JAVA_INT))
                    .isEqualTo(IntStream.range(0, RANKS)
                            .map(from -> 100 * from + world.rank())
                            .toArray());
        });
    }

    @Test
    void aFarMemberThatLeavesInsteadOfComingIsNamed() {
        assertThatThrownBy(() -> play((world, arena) -> {
                    if (world.rank() == 0) {
                        world.receive(arena.allocate(ValueLayout.JAVA_INT), FAR);
                    }
                }))
                .cause()
                .isInstanceOfSatisfying(
                        GroupException.class, e -> assertThat(e.missingRanks()).contains(FAR));
    }

    private static void play(Part part) throws Exception {
        try (LocalHub hub = new LocalHub();
                ExecutorService threads = Executors.newFixedThreadPool(RANKS)) {
            List<Future<?>> ranks = IntStream.range(0, RANKS)
                    .<Future<?>>mapToObj(rank -> threads.submit(() -> {
                        try (MeshSession session = hub.join(rank, RANKS, CONFIG);
                                Arena arena = Arena.ofConfined()) {
                            part.play(session.world(), arena);
                        }
                    }))
                    .toList();
            for (Future<?> rank : ranks) {
                rank.get(Waiting.seconds(60), TimeUnit.SECONDS);
            }
        }
    }
}
