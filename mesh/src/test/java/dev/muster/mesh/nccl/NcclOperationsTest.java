// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.nccl;

import static dev.muster.mesh.nccl.StubRanks.buffer;
import static dev.muster.mesh.nccl.StubRanks.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.Engine;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.collective.ProcessGroup;
import dev.muster.mesh.collective.ProcessGroup.Message;
import dev.muster.mesh.collective.ReduceOp;
import dev.muster.mesh.cuda.DeviceBuffer;
import dev.muster.mesh.cuda.GpuDevice;
import dev.muster.mesh.cuda.GpuStub;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Every operation among several ranks, which one GPU cannot show: the library is a stub, the calls are
/// the real ones.
class NcclOperationsTest {
    private static final DType TYPE = DType.INT32;

    @TempDir
    private static Path folder;

    private static GpuStub stub;

    @BeforeAll
    static void compile() throws IOException, InterruptedException {
        stub = GpuStub.compile(folder);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void reductionsReachWhomTheyShould(int ranks) throws Exception {
        check(ranks, (group, device, connector) -> {
            int own = group.rank();
            int sum = ranks * (ranks + 1) / 2;
            try (DeviceBuffer some = buffer(device, own + 1, 10);
                    DeviceBuffer other = buffer(device, -1, -1)) {
                group.allReduce(some.segment(), other.segment(), TYPE, ReduceOp.SUM);
                assertThat(read(other)).containsExactly(sum, 10 * ranks);
                group.allReduce(some.segment(), other.segment(), TYPE, ReduceOp.MAX);
                assertThat(read(other)).containsExactly(ranks, 10);
                group.allReduce(some.segment(), other.segment(), TYPE, ReduceOp.MIN);
                assertThat(read(other)).containsExactly(1, 10);
                int root = ranks - 1;
                group.reduce(
                        some.segment(), own == root ? other.segment() : MemorySegment.NULL, TYPE, ReduceOp.SUM, root);
                assertThat(read(other)).containsExactly(own == root ? new int[] {sum, 10 * ranks} : new int[] {1, 10});
                group.allReduce(some.segment(), TYPE, ReduceOp.SUM);
                assertThat(read(some)).containsExactly(sum, 10 * ranks);
                group.allReduce(some.segment().asSlice(0, 0), TYPE, ReduceOp.SUM);
            }
            group.barrier();
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void piecesOfReductionsReachTheirRanks(int ranks) throws Exception {
        check(ranks, (group, device, connector) -> {
            int own = group.rank();
            int[] input = IntStream.range(0, 2 * ranks).map(i -> i + own).toArray();
            int base = ranks * (ranks - 1) / 2;
            try (DeviceBuffer all = buffer(device, input);
                    DeviceBuffer piece = buffer(device, 0, 0)) {
                group.reduceScatter(all.segment(), piece.segment(), TYPE, ReduceOp.SUM);
                assertThat(read(piece)).containsExactly(2 * own * ranks + base, (2 * own + 1) * ranks + base);
                assertThat(read(all)).containsExactly(input);
            }
            long[] counts = IntStream.range(0, ranks).mapToLong(rank -> rank).toArray();
            int total = base;
            int before = own * (own - 1) / 2;
            try (DeviceBuffer all = buffer(
                            device, IntStream.range(0, Math.max(total, 1)).toArray());
                    DeviceBuffer piece = buffer(device, new int[Math.max(own, 1)])) {
                group.reduceScatterUneven(
                        all.segment().asSlice(0, 4L * total),
                        piece.segment().asSlice(0, 4L * own),
                        counts,
                        TYPE,
                        ReduceOp.SUM);
                int[] expected = IntStream.range(before, before + own)
                        .map(i -> i * ranks)
                        .toArray();
                assertThat(IntStream.of(read(piece)).limit(own).toArray()).containsExactly(expected);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void whatIsGatheredScatteredAndBroadcastIsWhole(int ranks) throws Exception {
        check(ranks, (group, device, connector) -> {
            int own = group.rank();
            int last = ranks - 1;
            try (DeviceBuffer one = buffer(device, 100 + own);
                    DeviceBuffer all = buffer(device, new int[ranks])) {
                group.allGather(one.segment(), all.segment(), TYPE);
                int[] expected = IntStream.range(100, 100 + ranks).toArray();
                assertThat(read(all)).containsExactly(expected);
                all.fill((byte) 0);
                group.gather(one.segment(), own == last ? all.segment() : MemorySegment.NULL, TYPE, last);
                assertThat(read(all)).containsExactly(own == last ? expected : new int[ranks]);
                group.scatter(own == last ? all.segment() : MemorySegment.NULL, one.segment(), TYPE, last);
                assertThat(read(one)).containsExactly(100 + own);
                group.broadcast(one.segment(), TYPE, last);
                assertThat(read(one)).containsExactly(100 + last);
            }
            unevenly(group, device, ranks);
        });
    }

    private static void unevenly(ProcessGroup group, GpuDevice device, int ranks) {
        int own = group.rank();
        long[] counts = IntStream.range(0, ranks).mapToLong(rank -> rank + 1).toArray();
        int total = ranks * (ranks + 1) / 2;
        int[] mine = IntStream.range(0, own + 1).map(i -> own * 10 + i).toArray();
        int[] expected = IntStream.range(0, ranks)
                .flatMap(rank -> IntStream.range(0, rank + 1).map(i -> rank * 10 + i))
                .toArray();
        try (DeviceBuffer piece = buffer(device, mine);
                DeviceBuffer all = buffer(device, new int[total])) {
            group.allGatherUneven(piece.segment(), all.segment(), counts, TYPE);
            assertThat(read(all)).containsExactly(expected);
            group.gatherUneven(piece.segment(), own == 0 ? all.segment() : MemorySegment.NULL, counts, TYPE, 0);
            assertThat(read(all)).containsExactly(expected);
            piece.fill((byte) 0);
            group.scatterUneven(own == 0 ? all.segment() : MemorySegment.NULL, piece.segment(), counts, TYPE, 0);
            assertThat(read(piece)).containsExactly(mine);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void allSendToAllAlsoInPlace(int ranks) throws Exception {
        check(ranks, (group, device, connector) -> {
            int own = group.rank();
            int[] sent = IntStream.range(0, ranks).map(to -> own * 10 + to).toArray();
            int[] expected =
                    IntStream.range(0, ranks).map(from -> from * 10 + own).toArray();
            try (DeviceBuffer in = buffer(device, sent);
                    DeviceBuffer out = buffer(device, new int[ranks])) {
                group.allToAll(in.segment(), out.segment(), TYPE);
                assertThat(read(out)).containsExactly(expected);
                group.allToAll(in.segment(), in.segment(), TYPE);
                assertThat(read(in)).containsExactly(expected);
            }
            long[] sends = IntStream.range(0, ranks).mapToLong(to -> own + to).toArray();
            int[] pieces = IntStream.range(0, ranks)
                    .flatMap(to -> IntStream.range(0, own + to).map(i -> own * 100 + to * 10 + i))
                    .toArray();
            int[] received = IntStream.range(0, ranks)
                    .flatMap(from -> IntStream.range(0, own + from).map(i -> from * 100 + own * 10 + i))
                    .toArray();
            try (DeviceBuffer in = buffer(device, pieces);
                    DeviceBuffer out = buffer(device, new int[Math.max(1, received.length)])) {
                MemorySegment input = in.segment().asSlice(0, 4L * pieces.length);
                MemorySegment output = out.segment().asSlice(0, 4L * received.length);
                group.allToAllUneven(input, sends, output, sends, TYPE);
                assertThat(IntStream.of(read(out)).limit(received.length).toArray())
                        .containsExactly(received);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void messagesArriveAlsoFromItself(int ranks) throws Exception {
        check(ranks, (group, device, connector) -> {
            int own = group.rank();
            int next = (own + 1) % ranks;
            int previous = (own + ranks - 1) % ranks;
            try (DeviceBuffer sent = buffer(device, own);
                    DeviceBuffer received = buffer(device, new int[2 * ranks])) {
                group.sendReceive(sent.segment(), next, received.segment().asSlice(0, 4), previous);
                assertThat(read(received)[0]).isEqualTo(previous);
                List<Message> messages = new ArrayList<>();
                for (int rank = 0; rank < ranks; rank++) {
                    messages.add(Message.send(sent.segment(), rank));
                    messages.add(Message.receive(received.segment().asSlice(4L * rank, 4), rank));
                }
                group.exchange(messages);
                assertThat(IntStream.of(read(received)).limit(ranks).toArray())
                        .containsExactly(IntStream.range(0, ranks).toArray());
                if (ranks > 1 && own == 0) {
                    group.send(sent.segment(), 1);
                } else if (ranks > 1 && own == 1) {
                    group.receive(received.segment().asSlice(0, 4), 0);
                }
            }
        });
    }

    @Test
    void aCommunicatorDividesByColourAndKey() throws Exception {
        check(4, (group, device, connector) -> {
            int own = group.rank();
            int colour = own == 3 ? -1 : own % 2;
            connector.divide(group.identity(), colour, -own, StubRanks.LIMIT);
            int[] members = own % 2 == 0 ? new int[] {2, 0} : new int[] {1};
            if (colour < 0) {
                return;
            }
            GroupIdentity part = GroupIdentity.of("part-" + colour, members, own, 1);
            try (ProcessGroup divided = StubRanks.group(part, connector, new byte[0]);
                    DeviceBuffer some = buffer(device, own + 1)) {
                divided.broadcast(some.segment(), TYPE, 0);
                assertThat(read(some)).containsExactly(members[0] + 1);
            }
        });
    }

    @Test
    void buffersInBothPlacesAreRefused() throws Exception {
        check(1, (group, device, connector) -> {
            GroupIdentity own = group.identity();
            Engine first = connector.connect(own, connector.makeId(), StubRanks.LIMIT);
            Engine second = connector.connect(own, connector.makeId(), StubRanks.LIMIT);
            Engine both = PlacedEngine.of("both", first, second, "a test");
            try (ProcessGroup placed = ProcessGroup.of(own, both, StubRanks.LIMIT, UnaryOperator.identity());
                    DeviceBuffer there = buffer(device, 1)) {
                MemorySegment here = Arena.ofAuto().allocate(Integer.BYTES);
                assertRefused(placed, here, there.segment());
                assertRefused(placed, there.segment(), here);
                placed.allReduce(there.segment(), there.segment().asSlice(0), TYPE, ReduceOp.SUM);
            }
        });
    }

    private static void assertRefused(ProcessGroup group, MemorySegment input, MemorySegment output) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> group.allReduce(input, output, TYPE, ReduceOp.SUM))
                .withMessageStartingWith("some buffers of the call lie on a device and some in the host's memory");
    }

    private static void check(int ranks, StubRanks.Part part) throws Exception {
        int live = stub.live();
        int misuses = stub.misuses();
        new StubRanks(stub).play(ranks, part);
        assertThat(stub.misuses()).as("misuses of the library").isEqualTo(misuses);
        assertThat(stub.live()).as("what is still held").isEqualTo(live);
    }
}
