// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.mesh.DeviceMesh;
import dev.muster.mesh.MeshSpec;
import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.ReduceOp;
import dev.muster.mesh.session.LocalHub;
import dev.muster.mesh.session.MeshSession;
import dev.muster.mesh.session.SessionConfig;
import dev.muster.mesh.store.Secret;
import dev.muster.testing.Waiting;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Placements are compared with a reference that cuts an array element by element and shares no code with the product.
class ShardedArrayTest {
    /// 1,000 cases in all; each is redistributed once among all ranks.
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "a=1; 50",
                "a=2; 150",
                "a=3; 150",
                "a=4; 100",
                "a=2,b=2; 200",
                "a=3,b=2; 100",
                "a=1,b=3; 50",
                "a=2,b=2,c=2; 100",
                "a=3,b=1,c=2; 50",
                "a=2,b=3,c=1; 50"
            })
    void everyRedistributionEqualsTheReference(String text, int cases) throws Exception {
        MeshSpec mesh = MeshSpec.parse(text);
        List<Case> drawn = new ArrayList<>();
        Random random = new Random(42);
        for (int i = 0; i < cases; i++) {
            drawn.add(Case.draw(random, mesh));
        }
        List<List<long[]>> byRank = run(mesh, session -> {
            List<long[]> results = new ArrayList<>();
            for (Case one : drawn) {
                results.add(one.redistribute(session));
            }
            return results;
        });
        for (int i = 0; i < cases; i++) {
            int number = i;
            List<long[]> results =
                    byRank.stream().map(ofRank -> ofRank.get(number)).toList();
            drawn.get(i).check(results);
        }
    }

    /// An array, two lists of placements, and what ranks have at first: values that are small enough to be exact.
    private static final class Case {
        private static final List<DType> TYPES =
                List.of(DType.INT32, DType.INT64, DType.FLOAT32, DType.FLOAT64, DType.BFLOAT16);
        /// A multiple of what every average of these meshes divides by.
        private static final int UNIT = 24;

        private final MeshSpec mesh;
        private final DType type;
        private final long[] shape;
        private final List<ArrayPlacement> from;
        private final List<ArrayPlacement> to;
        private final List<long[]> parts = new ArrayList<>();

        private Case(MeshSpec mesh, DType type, long[] shape, List<ArrayPlacement> from, List<ArrayPlacement> to) {
            this.mesh = mesh;
            this.type = type;
            this.shape = shape;
            this.from = from;
            this.to = to;
        }

        static Case draw(Random random, MeshSpec mesh) {
            DType type = TYPES.get(random.nextInt(TYPES.size()));
            long[] shape = random.longs(1 + random.nextInt(3), 0, 6).toArray();
            int axes = mesh.dimensions().size();
            List<ArrayPlacement> from = placements(random, axes, shape.length, op(random, type));
            List<ArrayPlacement> to = placements(random, axes, shape.length, op(random, type));
            long elements = 1;
            for (long size : shape) {
                elements *= size;
            }
            Case drawn = new Case(mesh, type, shape, from, to);
            for (int rank = 0; rank < mesh.worldSize(); rank++) {
                int unit = type == DType.BFLOAT16 ? 1 : UNIT;
                drawn.parts.add(random.longs(elements, -2, 3).map(v -> v * unit).toArray());
            }
            // Ranks that have the same part have the same values.
            for (int rank = 0; rank < mesh.worldSize(); rank++) {
                drawn.parts.set(rank, drawn.parts.get(drawn.representative(rank)));
            }
            return drawn;
        }

        private static ReduceOp op(Random random, DType type) {
            List<ReduceOp> ops = type == DType.BFLOAT16
                    ? List.of(ReduceOp.SUM, ReduceOp.MIN, ReduceOp.MAX)
                    : List.of(ReduceOp.values());
            return ops.get(random.nextInt(ops.size()));
        }

        private static List<ArrayPlacement> placements(Random random, int axes, int dimensions, ReduceOp op) {
            List<ArrayPlacement> all = new ArrayList<>();
            for (int axis = 0; axis < axes; axis++) {
                all.add(
                        switch (random.nextInt(4)) {
                            case 0 -> ArrayPlacement.replicate();
                            case 1 -> ArrayPlacement.partial(op);
                            default -> ArrayPlacement.shard(random.nextInt(dimensions));
                        });
            }
            return all;
        }

        /// The rank with the same coordinates along partial dimensions and zeros elsewhere: all of these have parts
        /// of one array.
        private int representative(int rank) {
            int[] coordinates = mesh.coordinates(rank);
            for (int axis = 0; axis < coordinates.length; axis++) {
                coordinates[axis] = from.get(axis).findReduction().isPresent() ? coordinates[axis] : 0;
            }
            return mesh.rank(coordinates);
        }

        long[] redistribute(MeshSession session) {
            long[] mine = cut(from, session.rank(), parts.get(session.rank()));
            try (Arena arena = Arena.ofShared()) {
                MemorySegment local = arena.allocate((long) mine.length * type.bytes());
                for (int i = 0; i < mine.length; i++) {
                    write(type, local, i, mine[i]);
                }
                ArrayPlacement[] wanted = to.toArray(ArrayPlacement[]::new);
                try (ShardedArray array =
                                ShardedArray.of(session, type, shape, local, from.toArray(ArrayPlacement[]::new));
                        ShardedArray moved = array.redistribute(wanted)) {
                    long[] result = new long[(int) (moved.local().byteSize() / type.bytes())];
                    for (int i = 0; i < result.length; i++) {
                        result[i] = read(type, moved.local(), i);
                    }
                    return result;
                }
            }
        }

        /// The elements of the whole array that a rank has, in order: each index goes to a rank if each mesh
        /// dimension, from the slowest, gives it to the rank's coordinate.
        private long[] cut(List<ArrayPlacement> placements, int rank, long[] whole) {
            List<Long> kept = new ArrayList<>();
            int[] coordinates = mesh.coordinates(rank);
            for (int index = 0; index < whole.length; index++) {
                boolean has = true;
                int rest = index;
                for (int dimension = shape.length - 1; dimension >= 0; dimension--) {
                    has &= has(placements, coordinates, dimension, rest % shape[dimension]);
                    rest /= (int) shape[dimension];
                }
                if (has) {
                    kept.add(whole[index]);
                }
            }
            return kept.stream().mapToLong(Long::longValue).toArray();
        }

        private boolean has(List<ArrayPlacement> placements, int[] coordinates, int dimension, long index) {
            List<Long> left = new ArrayList<>();
            for (long i = 0; i < shape[dimension]; i++) {
                left.add(i);
            }
            for (int axis = placements.size() - 1; axis >= 0; axis--) {
                if (!placements.get(axis).equals(ArrayPlacement.shard(dimension))) {
                    continue;
                }
                int ranks = mesh.dimensions().get(axis).size();
                List<Long> next = List.of();
                int at = 0;
                for (int member = 0; member <= coordinates[axis]; member++) {
                    int count = left.size() / ranks + (member < left.size() % ranks ? 1 : 0);
                    next = left.subList(at, at + count);
                    at += count;
                }
                left = next;
            }
            return left.contains(index);
        }

        void check(List<long[]> results) {
            long[] whole = reduced(from, parts, 0, new int[mesh.dimensions().size()]);
            for (int rank = 0; rank < mesh.worldSize(); rank++) {
                long[] has = reduced(to, results, 0, mesh.coordinates(rank));
                assertThat(has).as("%s, rank %d", this, rank).isEqualTo(cut(withoutReductions(), rank, whole));
            }
        }

        private List<ArrayPlacement> withoutReductions() {
            return to.stream()
                    .map(one -> one.findReduction().isPresent() ? ArrayPlacement.replicate() : one)
                    .toList();
        }

        /// The values along all partial dimensions, reduced.
        private long[] reduced(List<ArrayPlacement> placements, List<long[]> values, int axis, int[] at) {
            if (axis == placements.size()) {
                return values.get(mesh.rank(at));
            }
            if (placements.get(axis).findReduction().isEmpty()) {
                return reduced(placements, values, axis + 1, at);
            }
            ReduceOp op = placements.get(axis).findReduction().orElseThrow();
            int ranks = mesh.dimensions().get(axis).size();
            long[] total = {};
            for (int member = 0; member < ranks; member++) {
                int[] there = at.clone();
                there[axis] = member;
                long[] one = reduced(placements, values, axis + 1, there);
                total = member == 0 ? one.clone() : combine(op, total, one);
            }
            if (op == ReduceOp.AVERAGE) {
                for (int i = 0; i < total.length; i++) {
                    total[i] /= ranks;
                }
            }
            return total;
        }

        private static long[] combine(ReduceOp op, long[] total, long[] one) {
            long[] result = new long[total.length];
            for (int i = 0; i < result.length; i++) {
                result[i] = switch (op) {
                    case SUM, AVERAGE -> total[i] + one[i];
                    case PRODUCT -> total[i] * one[i];
                    case MIN -> Math.min(total[i], one[i]);
                    case MAX -> Math.max(total[i], one[i]);
                };
            }
            return result;
        }

        @Override
        public String toString() {
            return mesh + " " + type.text() + Arrays.toString(shape) + " " + from + " to " + to;
        }
    }

    private static void write(DType type, MemorySegment memory, long index, long value) {
        switch (type) {
            case INT32 -> memory.setAtIndex(ValueLayout.JAVA_INT, index, (int) value);
            case FLOAT32 -> memory.setAtIndex(ValueLayout.JAVA_FLOAT, index, (float) value);
            case FLOAT64 -> memory.setAtIndex(ValueLayout.JAVA_DOUBLE, index, (double) value);
            case BFLOAT16 ->
                memory.setAtIndex(
                        ValueLayout.JAVA_SHORT, index, (short) (Float.floatToRawIntBits((float) value) >> 16));
            default -> memory.setAtIndex(ValueLayout.JAVA_LONG, index, value);
        }
    }

    private static long read(DType type, MemorySegment memory, long index) {
        return switch (type) {
            case INT32 -> memory.getAtIndex(ValueLayout.JAVA_INT, index);
            case FLOAT32 -> (long) memory.getAtIndex(ValueLayout.JAVA_FLOAT, index);
            case FLOAT64 -> (long) memory.getAtIndex(ValueLayout.JAVA_DOUBLE, index);
            case BFLOAT16 -> (long) Float.intBitsToFloat(memory.getAtIndex(ValueLayout.JAVA_SHORT, index) << 16);
            default -> memory.getAtIndex(ValueLayout.JAVA_LONG, index);
        };
    }

    @Test
    void aPartSaysWhereItBelongs() throws Exception {
        MeshSpec mesh = MeshSpec.parse("tp=2,dp=2");
        List<String> parts = run(mesh, session -> {
            float[] whole = {0, 1, 2, 3, 4, 5, 6, 7, 8};
            try (ShardedArray array = ShardedArray.distribute(
                    session,
                    DType.FLOAT32,
                    new long[] {9},
                    MemorySegment.ofArray(whole),
                    ArrayPlacement.shard(0),
                    ArrayPlacement.shard(0))) {
                assertThat(array.toString()).isEqualTo("float32[9] [shard(0), shard(0)] on tp=2,dp=2");
                return array.localOffset()[0] + "+" + array.localShape()[0];
            }
        });
        assertThat(parts).containsExactly("0+3", "3+2", "5+2", "7+2");
    }

    /// A sum that began with a positive zero would lose the sign.
    @Test
    void negativeZerosStayNegative() throws Exception {
        List<Integer> bits = run(MeshSpec.parse("tp=2"), session -> {
            MemorySegment whole = MemorySegment.ofArray(new float[] {-0.0f});
            long[] shape = {1};
            try (ShardedArray array = ShardedArray.distribute(
                            session, DType.FLOAT32, shape, whole, ArrayPlacement.partial(ReduceOp.SUM));
                    ShardedArray back = array.redistribute(ArrayPlacement.replicate())) {
                return back.local().get(ValueLayout.JAVA_INT, 0);
            }
        });
        assertThat(bits).containsOnly(Float.floatToRawIntBits(-0.0f));
    }

    @Test
    void whatDoesNotFitIsRefusedBeforeOthersAreDisturbed() throws Exception {
        run(MeshSpec.parse("tp=2"), session -> {
            MemorySegment four = MemorySegment.ofArray(new float[4]);
            ArrayPlacement replicate = ArrayPlacement.replicate();
            assertThatThrownBy(() -> ShardedArray.distribute(session, DType.FLOAT32, new long[] {5}, four, replicate))
                    .hasMessage("the array of [5] has 20 bytes, not 16");
            assertThatThrownBy(() -> ShardedArray.distribute(session, DType.FLOAT32, new long[] {4}, four))
                    .hasMessageContaining("mesh tp=2 has 1 dimensions, but 0 placements");
            assertThatThrownBy(() -> ShardedArray.distribute(
                            session, DType.FLOAT32, new long[] {4}, four, ArrayPlacement.shard(1)))
                    .hasMessageContaining("shard(1): the array has 1 dimensions");
            assertThatThrownBy(() -> ShardedArray.distribute(
                            session, DType.FLOAT8_E4M3, new long[] {16}, four, ArrayPlacement.partial(ReduceOp.SUM)))
                    .hasMessage("partial(sum): elements of float8-e4m3 are moved, not reduced");
            return 0;
        });
    }

    @Test
    void axesAreTheGroupsOfThisRank() throws Exception {
        List<String> groups = run(MeshSpec.parse("tp=2,pp=1,dp=2"), session -> {
            assertThat(session.axis("tp", "pp", "dp")).isSameAs(session.world());
            assertThatThrownBy(() -> session.axis("cp")).hasMessageContaining("no dimension 'cp'");
            assertThatThrownBy(() -> session.axis("tp", "pp"))
                    .hasMessage("the plan has no groups along tp and pp together; add them with withGroupsAlong");
            return session.axis("tp").identity().worldRanks() + " "
                    + session.axis("dp").identity().worldRanks() + " "
                    + session.axis("pp").size();
        });
        assertThat(groups).containsExactly("[0, 1] [0, 2] 1", "[0, 1] [1, 3] 1", "[2, 3] [0, 2] 1", "[2, 3] [1, 3] 1");
    }

    private static <T> List<T> run(MeshSpec mesh, Function<MeshSession, T> task) throws Exception {
        int ranks = mesh.worldSize();
        SessionConfig config = SessionConfig.of(Secret.of(Secret.randomText()));
        List<Callable<T>> tasks = new ArrayList<>();
        try (LocalHub hub = new LocalHub();
                ExecutorService threads = Executors.newFixedThreadPool(ranks)) {
            for (int rank = 0; rank < ranks; rank++) {
                int own = rank;
                tasks.add(() -> {
                    try (MeshSession session = hub.join(own, ranks, config)) {
                        session.arrange(DeviceMesh.planned(mesh));
                        T result = task.apply(session);
                        session.world().barrier();
                        return result;
                    }
                });
            }
            List<T> results = new ArrayList<>();
            for (Future<T> result : threads.invokeAll(tasks)) {
                results.add(result.get(Waiting.seconds(60), TimeUnit.SECONDS));
            }
            return results;
        }
    }
}
