// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.fake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.mesh.DeviceMesh;
import dev.muster.mesh.MeshPlanException;
import dev.muster.mesh.MeshSpec;
import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.collective.ProcessGroup;
import dev.muster.mesh.collective.ProcessGroup.Message;
import dev.muster.mesh.collective.ReduceOp;
import dev.muster.mesh.shm.LocalRegions;
import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import dev.muster.testing.Waiting;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FakeSessionTest {
    private static final long SEED = 20261115;

    private static FakeSession session(int ranks, int rank) {
        return FakeSession.of(DeviceMesh.planned(MeshSpec.parse("dp=" + ranks)), rank);
    }

    /// Threads that all hold the same are what the fake pretends: both must give the same bytes.
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 8})
    void givesWhatARealGroupGivesWhoseMembersHoldTheSame(int ranks) throws Exception {
        LocalRegions regions = new LocalRegions(2);
        List<Callable<List<String>>> tasks = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            GroupIdentity identity = GroupIdentity.world(ranks, rank, 1);
            tasks.add(() -> {
                try (ProcessGroup group = ProcessGroup.of(
                        identity, regions.open(identity), Waiting.limit(Duration.ofSeconds(30)), failure -> failure)) {
                    return results(group);
                }
            });
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(ranks)) {
            List<Future<List<String>>> real = threads.invokeAll(tasks);
            for (int rank = 0; rank < ranks; rank++) {
                try (FakeSession session = session(ranks, rank)) {
                    assertThat(results(session.world()))
                            .isEqualTo(real.get(rank).get(Waiting.seconds(60), TimeUnit.SECONDS));
                }
            }
        }
    }

    private static List<String> results(ProcessGroup group) {
        List<String> results = new ArrayList<>();
        int ranks = group.size();
        int count = 6 * ranks;
        for (DType type : DType.values()) {
            try (Arena arena = Arena.ofShared()) {
                byte[] drawn = new byte[count * type.bytes()];
                new Random(SEED + type.text().hashCode()).nextBytes(drawn);
                MemorySegment input = arena.allocate(drawn.length, 8).copyFrom(MemorySegment.ofArray(drawn));
                for (ReduceOp op : ReduceOp.values()) {
                    if (op.accepts(type)
                            && !(op == ReduceOp.AVERAGE && type.text().contains("float"))) {
                        reductions(group, type, op, input, arena, results);
                    }
                }
                movements(group, type, input, arena, results);
            }
        }
        return results;
    }

    private static void reductions(
            ProcessGroup group, DType type, ReduceOp op, MemorySegment input, Arena arena, List<String> results) {
        MemorySegment output = arena.allocate(input.byteSize(), 8);
        String what = type.text() + " " + op.text() + " ";
        group.allReduce(input, output, type, op);
        results.add(what + text(type, output));
        MemorySegment inPlace = arena.allocate(input.byteSize(), 8).copyFrom(input);
        group.allReduce(inPlace, type, op);
        results.add(what + text(type, inPlace));
        MemorySegment reduced = arena.allocate(input.byteSize(), 8);
        group.reduce(input, reduced, type, op, 0);
        results.add(what + text(type, reduced));
        MemorySegment piece = arena.allocate(input.byteSize() / group.size(), 8);
        group.reduceScatter(input, piece, type, op);
        results.add(what + text(type, piece));
    }

    private static void movements(
            ProcessGroup group, DType type, MemorySegment input, Arena arena, List<String> results) {
        int ranks = group.size();
        int root = ranks - 1;
        MemorySegment all = arena.allocate(input.byteSize() * ranks, 8);
        MemorySegment piece = arena.allocate(input.byteSize() / ranks, 8);
        MemorySegment same = arena.allocate(input.byteSize(), 8).copyFrom(input);
        group.barrier();
        group.broadcast(same, type, root);
        results.add("broadcast " + text(DType.UINT8, same));
        group.allGather(input, all, type);
        results.add("all-gather " + text(DType.UINT8, all));
        group.gather(input, all.fill((byte) 0), type, root);
        results.add("gather " + text(DType.UINT8, all));
        group.scatter(input, piece, type, root);
        if (group.rank() == root) {
            results.add("scatter " + text(DType.UINT8, piece));
        }
        group.allToAll(input, same, type);
        results.add("all-to-all " + text(DType.UINT8, same));
        group.sendReceive(input, (group.rank() + 1) % ranks, same, (group.rank() + root) % ranks);
        results.add("send-receive " + text(DType.UINT8, same));
    }

    /// The bytes; NaN counts as equal for all bit patterns.
    private static String text(DType type, MemorySegment buffer) {
        if (type == DType.FLOAT32) {
            StringBuilder text = new StringBuilder();
            for (float value : buffer.toArray(ValueLayout.JAVA_FLOAT)) {
                text.append(Integer.toHexString(Float.floatToIntBits(value))).append(' ');
            }
            return text.toString();
        }
        if (type == DType.FLOAT64) {
            StringBuilder text = new StringBuilder();
            for (double value : buffer.toArray(ValueLayout.JAVA_DOUBLE)) {
                text.append(Long.toHexString(Double.doubleToLongBits(value))).append(' ');
            }
            return text.toString();
        }
        if (type == DType.FLOAT16 || type == DType.BFLOAT16) {
            StringBuilder text = new StringBuilder();
            for (short half : buffer.toArray(ValueLayout.JAVA_SHORT)) {
                float value =
                        type == DType.FLOAT16 ? Float.float16ToFloat(half) : Float.intBitsToFloat(half << Short.SIZE);
                text.append(Integer.toHexString(Float.floatToIntBits(value))).append(' ');
            }
            return text.toString();
        }
        return HexFormat.of().formatHex(buffer.toArray(ValueLayout.JAVA_BYTE));
    }

    @Test
    void averageIsTheValue() {
        try (FakeSession session = session(3, 1);
                Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocateFrom(ValueLayout.JAVA_FLOAT, 0.1f, Float.MAX_VALUE, -7f);
            session.world().allReduce(buffer, DType.FLOAT32, ReduceOp.AVERAGE);
            assertThat(buffer.toArray(ValueLayout.JAVA_FLOAT)).containsExactly(0.1f, Float.MAX_VALUE, -7f);
        }
    }

    @Test
    void piecesOfOtherSizesRepeatTheOwnOne() {
        try (FakeSession session = session(3, 1);
                Arena arena = Arena.ofConfined()) {
            MemorySegment input = arena.allocateFrom(ValueLayout.JAVA_BYTE, (byte) 1, (byte) 2);
            MemorySegment all = arena.allocate(8).fill((byte) 9);
            session.world().allGatherUneven(input, all, new long[] {1, 2, 5}, DType.UINT8);
            assertThat(all.toArray(ValueLayout.JAVA_BYTE)).containsExactly(1, 1, 2, 1, 2, 1, 2, 1);
            MemorySegment none = arena.allocate(1).asSlice(0, 0);
            session.world().allGatherUneven(none, all, new long[] {3, 0, 5}, DType.UINT8);
            assertThat(all.toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
        }
    }

    @Test
    void lonelyReceivesAndForeignScattersLeaveTheBufferAsItIs() {
        try (FakeSession session = session(4, 2);
                Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocateFrom(ValueLayout.JAVA_BYTE, (byte) 5, (byte) 6);
            session.world().receive(buffer, 0);
            session.world().scatter(MemorySegment.NULL, buffer, DType.UINT8, 0);
            assertThat(buffer.toArray(ValueLayout.JAVA_BYTE)).containsExactly(5, 6);
        }
    }

    @Test
    void messagesPairUpInTheirOrder() {
        try (FakeSession session = session(4, 2);
                Arena arena = Arena.ofConfined()) {
            MemorySegment one = arena.allocateFrom(ValueLayout.JAVA_BYTE, (byte) 1);
            MemorySegment two = arena.allocateFrom(ValueLayout.JAVA_BYTE, (byte) 2);
            MemorySegment own = arena.allocateFrom(ValueLayout.JAVA_BYTE, (byte) 3);
            MemorySegment received = arena.allocate(3);
            session.world()
                    .exchange(List.of(
                            Message.receive(received.asSlice(0, 1), 1),
                            Message.receive(received.asSlice(1, 1), 2),
                            Message.send(own, 2),
                            Message.send(one, 3),
                            Message.receive(received.asSlice(2, 1), 0),
                            Message.send(two, 0)));
            assertThat(received.toArray(ValueLayout.JAVA_BYTE)).containsExactly(1, 3, 2);
        }
    }

    @Test
    void argumentsAreCheckedAsInARealGroup() {
        try (FakeSession session = session(4, 2);
                Arena arena = Arena.ofConfined()) {
            ProcessGroup world = session.world();
            assertThatThrownBy(() -> world.broadcast(arena.allocate(4), DType.FLOAT32, 4))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> world.allGather(arena.allocate(4), arena.allocate(4), DType.FLOAT32))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> world.allReduce(arena.allocate(3), DType.FLOAT8_E4M3, ReduceOp.SUM))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> session.group("tp_0")).isInstanceOf(MeshPlanException.class);
        }
    }

    @Test
    void closedGroupsAreOfNoUse() {
        FakeSession session = session(2, 0);
        ProcessGroup world = session.world();
        assertThat(world.engine()).isEqualTo("fake");
        session.close();
        assertThatThrownBy(world::barrier).isInstanceOf(GroupException.class);
    }

    @Test
    @Needs(Need.POSIX)
    void aRankOfAMillionFitsIntoLittleMemory() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path")
                                + ":../mesh/target/classes:../mesh/target/test-classes:../core/target/classes",
                        "dev.muster.mesh.fake.MillionRanks")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String seen = Waiting.output(process).strip();
        assertThat(Waiting.exit(process)).isZero();
        assertThat(seen)
                .isEqualTo("ranks=1000000 groups=225081 world=777777/1000000 tp_97222=1/8 pp_77777=2/10"
                        + " dp_17=9722/12500 next=777785 member=false,true sum=1000000");
    }
}
