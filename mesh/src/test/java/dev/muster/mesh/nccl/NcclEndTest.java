// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.nccl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.collective.ProcessGroup;
import dev.muster.mesh.collective.ReduceOp;
import dev.muster.mesh.cuda.DeviceBuffer;
import dev.muster.mesh.cuda.GpuStub;
import dev.muster.testing.Waiting;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Beginnings, ends and refusals, with the library of a stub.
class NcclEndTest {
    private static final DType TYPE = DType.INT32;

    @TempDir
    private static Path folder;

    private static GpuStub stub;
    private int live;
    private int misuses;

    @BeforeAll
    static void compile() throws IOException, InterruptedException {
        stub = GpuStub.compile(folder);
    }

    @BeforeEach
    void count() {
        live = stub.live();
        misuses = stub.misuses();
    }

    @AfterEach
    void nothingIsLeft() throws InterruptedException {
        stub.hold(false);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Waiting.seconds(20));
        while (stub.live() != live && System.nanoTime() < end) {
            Thread.sleep(5); // what a thread of its own gives back
        }
        assertThat(stub.live()).as("what is still held").isEqualTo(live);
        assertThat(stub.misuses()).as("misuses of the library").isEqualTo(misuses);
    }

    private static ProcessGroup alone(NcclConnector connector) {
        return StubRanks.group(GroupIdentity.world(1, 0, 1), connector, connector.makeId());
    }

    private static NcclConnector connector() {
        return new StubRanks(stub).connector(0);
    }

    @Test
    void theIdTravelsByValueAndTheConfigurationHasTheShapeOfTheHeader() {
        try (ProcessGroup group = alone(connector())) {
            assertThat(group.engine()).isEqualTo("nccl");
            assertThat(stub.config(0)).as("size").isEqualTo(24);
            assertThat(stub.config(1)).as("magic").isEqualTo(0xcafebeef);
            assertThat(stub.config(2)).as("version").isEqualTo(21400);
            assertThat(stub.config(3)).as("blocking").isZero();
            assertThat(stub.config(4)).as("a field that is not set").isEqualTo(Integer.MIN_VALUE);
        }
    }

    @Test
    void anIdThatNobodyMadeIsRefused() {
        NcclConnector connector = connector();
        assertThatThrownBy(() -> connector.connect(GroupIdentity.world(1, 0, 1), new byte[128], StubRanks.LIMIT))
                .isInstanceOf(GroupException.class)
                .hasMessageContaining("group world: nccl: ncclCommInitRankConfig said");
    }

    @Test
    void aMemberThatDoesNotJoinIsMissedAtTheLimit() {
        NcclConnector connector = connector();
        Duration limit = Duration.ofMillis(300);
        long start = System.nanoTime();
        byte[] id = connector.makeId();
        assertThatThrownBy(() -> connector.connect(GroupIdentity.world(2, 0, 1), id, limit))
                .isInstanceOfSatisfying(
                        GroupException.class, e -> assertThat(e.code()).isEqualTo(GroupError.LIMIT_EXCEEDED))
                .hasMessageContaining("did not end within 300 ms");
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(limit.toNanos());
    }

    @Test
    void aCallThatDoesNotEndEndsAtItsLimit() {
        NcclConnector connector = connector();
        try (DeviceBuffer buffer = connector.device().allocate(8);
                ProcessGroup group = alone(connector)) {
            stub.hold(true);
            ProcessGroup hasty = group.withLimit(Duration.ofMillis(200));
            assertThatThrownBy(() -> hasty.allReduce(buffer.segment(), TYPE, ReduceOp.SUM))
                    .isInstanceOfSatisfying(
                            GroupException.class, e -> assertThat(e.code()).isEqualTo(GroupError.LIMIT_EXCEEDED))
                    .hasMessageContaining("group world: all-reduce of 2 int32, sum #1 did not end within 200 ms");
            assertThatThrownBy(() -> group.allReduce(buffer.segment(), TYPE, ReduceOp.SUM))
                    .as("a later call")
                    .isInstanceOf(GroupException.class);
        }
    }

    @Test
    void anotherThreadEndsACall() throws InterruptedException {
        NcclConnector connector = connector();
        try (DeviceBuffer buffer = connector.device().allocate(8);
                ProcessGroup group = alone(connector)) {
            stub.hold(true);
            CountDownLatch begun = new CountDownLatch(1);
            Thread other = Thread.ofPlatform().start(() -> {
                await(begun);
                group.fail(new GroupException(GroupError.ABORTED, "enough"));
            });
            begun.countDown();
            assertThatThrownBy(() -> group.allReduce(buffer.segment(), TYPE, ReduceOp.SUM))
                    .isInstanceOfSatisfying(
                            GroupException.class, e -> assertThat(e.code()).isEqualTo(GroupError.ABORTED))
                    .hasMessageContaining("enough");
            other.join();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(Waiting.seconds(60), TimeUnit.SECONDS)).isTrue();
            Thread.sleep(50); // so that the call is under way in most runs; either way it ends
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aMemberThatStaysAwayFromACallIsMissedAtTheLimit() throws Exception {
        StubRanks ranks = new StubRanks(stub);
        CountDownLatch over = new CountDownLatch(1);
        ranks.play(2, (group, device, connector) -> {
            if (group.rank() == 1) {
                await(over);
                return;
            }
            try (DeviceBuffer buffer = device.allocate(8)) {
                ProcessGroup hasty = group.withLimit(Duration.ofMillis(200));
                assertThatThrownBy(() -> hasty.allReduce(buffer.segment(), TYPE, ReduceOp.SUM))
                        .isInstanceOfSatisfying(
                                GroupException.class, e -> assertThat(e.code()).isEqualTo(GroupError.LIMIT_EXCEEDED));
                group.close(); // the abort is over before the memory goes
            } finally {
                over.countDown();
            }
        });
    }

    @Test
    void whatIsRefusedLeavesTheGroupAsItIs() {
        NcclConnector connector = connector();
        try (Arena arena = Arena.ofConfined();
                DeviceBuffer buffer = connector.device().allocate(8);
                DeviceBuffer elsewhere = stub.device(1).allocate(8);
                ProcessGroup group = alone(connector)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> group.allReduce(buffer.segment(), DType.INT16, ReduceOp.SUM))
                    .withMessageContaining("cannot be reduced as int16; NCCL reduces int8, uint8, int32");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> group.allReduce(buffer.segment(), TYPE, ReduceOp.AVERAGE))
                    .withMessageContaining("no average of int32");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> group.allReduce(arena.allocate(8), TYPE, ReduceOp.SUM))
                    .withMessageContaining("works on device cuda:0, and a buffer of 8 bytes does not lie there");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> group.allReduce(elsewhere.segment(), TYPE, ReduceOp.SUM));
            DeviceBuffer gone = connector.device().allocate(8);
            MemorySegment kept = gone.segment();
            gone.close();
            assertThatIllegalArgumentException().isThrownBy(() -> group.broadcast(kept, TYPE, 0));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> group.send(buffer.segment(), 0))
                    .withMessageContaining("use sendReceive");
            group.allReduce(buffer.segment(), TYPE, ReduceOp.SUM);
            assertThat(group.failure()).isEmpty();
        }
    }

    @Test
    void aLibraryThatIsTooOldIsUnavailable() {
        stub.setVersion(21201);
        try {
            assertThat(connector().obstacle())
                    .contains("is version 2.12.1 and 2.14 or newer is needed; install a newer one");
        } finally {
            stub.setVersion(22803);
        }
    }

    @Test
    void aLibraryThatIsMissingIsUnavailable() {
        NcclConnector connector = new NcclConnector(
                "nccl", () -> NcclLibrary.load(List.of("libno-such.so.2"), "install it"), () -> stub.device(0));
        assertThat(connector.obstacle())
                .isEqualTo("libno-such.so.2 is not available, because the loader does not find it; install it");
    }

    @Test
    void threadsEndWithTheLastGroup() {
        NcclConnector connector = connector();
        ProcessGroup first = alone(connector);
        ProcessGroup second =
                StubRanks.group(GroupIdentity.of("second", new int[] {0}, 0, 1), connector, connector.makeId());
        first.close();
        second.barrier();
        second.close();
        second.close();
        assertThat(Thread.getAllStackTraces().keySet().stream()
                        .filter(Thread::isAlive)
                        .map(Thread::getName))
                .noneMatch(name -> name.startsWith("muster-device"));
    }
}
