// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.Operation;
import dev.muster.mesh.collective.ProcessGroup;
import dev.muster.mesh.session.LocalHub;
import dev.muster.mesh.session.MeshSession;
import dev.muster.mesh.session.SessionConfig;
import dev.muster.mesh.store.Secret;
import dev.muster.testing.Waiting;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CollectiveBenchTest {
    private static final int CALLS = 3;

    @ParameterizedTest
    @EnumSource(DType.class)
    void everyOperationIsMeasuredAndRight(DType type) throws Exception {
        List<Operation> operations = Arrays.stream(Operation.values())
                .filter(operation -> type.isReducible() || !operation.isReduction())
                .toList();
        BenchPlan plan = plan(operations, type, List.of(1L, 24L, 1_000L), CALLS);

        List<List<BenchFigures>> all = onRanks(3, group -> measure(group, plan));

        int sized = operations.size() - 1;
        assertThat(all).hasSize(3).allSatisfy(rows -> {
            assertThat(rows).hasSize(3 * sized + 1);
            assertThat(rows).allSatisfy(row -> {
                assertThat(row.wrong()).as(row.toString()).isZero();
                assertThat(row.calls()).isEqualTo(CALLS);
                assertThat(row.min()).isPositive().isLessThanOrEqualTo(row.mean());
                assertThat(row.mean()).isLessThanOrEqualTo(row.max());
                assertThat(row.allocated()).isEqualTo(1.0 / CALLS);
            });
        });
        assertThat(all).allMatch(rows -> rows.equals(all.getFirst()));
    }

    @ParameterizedTest
    @EnumSource(Operation.class)
    void anOutputThatNobodyWroteIsWrong(Operation operation) throws Exception {
        List<Long> wrong = onRanks(2, group -> {
            try (Arena arena = Arena.ofConfined()) {
                Workload workload = new Workload(group, operation, DType.FLOAT32, 64, arena);
                workload.prepare();
                return workload.countWrong();
            }
        });

        long root = switch (operation) {
            case BARRIER, BROADCAST -> 0;
            case ALL_REDUCE, REDUCE, EXCHANGE, ALL_GATHER, GATHER, ALL_TO_ALL -> 16;
            case REDUCE_SCATTER, SCATTER -> 8;
        };
        long other = switch (operation) {
            case BARRIER, REDUCE, GATHER -> 0;
            case ALL_REDUCE, BROADCAST, EXCHANGE, ALL_GATHER, ALL_TO_ALL -> 16;
            case REDUCE_SCATTER, SCATTER -> 8;
        };
        assertThat(wrong).containsExactly(root, other);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void sizesAreWholeElementsForEachRank(int ranks) throws Exception {
        BenchPlan plan = plan(
                List.of(Operation.ALL_REDUCE, Operation.ALL_GATHER, Operation.BARRIER),
                DType.FLOAT32,
                List.of(7L, 100L),
                1);

        List<BenchFigures> rows = onRanks(ranks, group -> measure(group, plan)).getFirst();

        long pieces = 100 / 4 / ranks;
        assertThat(rows).extracting(BenchFigures::bytes).containsExactly(4L, 100L, 4L * ranks, 4L * ranks * pieces, 0L);
    }

    @Test
    void theBudgetSaysHowManyCallsAreTimed() throws Exception {
        BenchPlan plan = new BenchPlan(
                List.of(Operation.ALL_REDUCE), DType.FLOAT32, List.of(8L), 0, Duration.ZERO, Duration.ofMillis(1));

        List<List<BenchFigures>> all = onRanks(2, group -> measure(group, plan));

        assertThat(all.getFirst().getFirst().calls()).isBetween(50, BenchPlan.MOST_CALLS);
        assertThat(all.get(1)).isEqualTo(all.getFirst());
    }

    @Test
    void whatCannotBeSummedIsNotReduced() {
        assertThatThrownBy(() -> plan(List.of(Operation.REDUCE), DType.FLOAT8_E4M3, List.of(8L), 1))
                .hasMessage("reduce needs a type that can be summed; float8-e4m3 is only moved");
    }

    @Test
    void busBandwidthCountsWhatALinkCarries() {
        BenchFigures figures = new BenchFigures(Operation.ALL_REDUCE, 1_000_000, 1, 1, 1, 1, 1_000, 1, 0, 0);

        assertThat(figures.algorithmBandwidth()).isEqualTo(1e9);
        assertThat(figures.busBandwidth(4)).isEqualTo(1.5e9);
        assertThat(BenchFigures.busFactor(Operation.ALL_GATHER, 4)).isEqualTo(0.75);
        assertThat(BenchFigures.busFactor(Operation.BROADCAST, 4)).isEqualTo(1);
    }

    private static BenchPlan plan(List<Operation> operations, DType type, List<Long> sizes, int calls) {
        return new BenchPlan(operations, type, sizes, calls, Duration.ZERO, Duration.ZERO);
    }

    /// The meter says one byte more at each look, so that a call has a third of a byte.
    private static List<BenchFigures> measure(ProcessGroup group, BenchPlan plan) {
        List<BenchFigures> rows = new ArrayList<>();
        long[] looks = new long[1];
        try (CollectiveBench bench = new CollectiveBench(group, plan, () -> looks[0]++)) {
            bench.run(rows::add);
        }
        return rows;
    }

    private static <T> List<T> onRanks(int ranks, Function<ProcessGroup, T> task)
            throws ExecutionException, InterruptedException {
        SessionConfig config = SessionConfig.of(Secret.of(Secret.randomText())).withBackend("local");
        try (LocalHub hub = new LocalHub();
                ExecutorService threads = Executors.newFixedThreadPool(ranks)) {
            List<Future<T>> futures = new ArrayList<>();
            for (int rank = 0; rank < ranks; rank++) {
                int own = rank;
                Callable<T> call = () -> {
                    try (MeshSession session = hub.join(own, ranks, config)) {
                        T result = task.apply(session.world());
                        session.world().barrier();
                        return result;
                    }
                };
                futures.add(threads.submit(call));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> future : futures) {
                results.add(Waiting.result(future));
            }
            return results;
        }
    }
}
