// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench.nccl;

import dev.muster.core.foreign.NativeLibrary;
import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.collective.ProcessGroup;
import dev.muster.mesh.collective.ReduceOp;
import dev.muster.mesh.cuda.DeviceBuffer;
import dev.muster.mesh.nccl.NcclConnector;
import dev.muster.mesh.nccl.NcclKind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

/// The time that blocked operations take to end.
record NcclEnds(Findings findings) {
    private static final Duration LIMIT = Duration.ofSeconds(2);
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final long BEFORE_ABORT = TimeUnit.MILLISECONDS.toNanos(300);
    /// A deadline is looked at every 50 microseconds; the rest is for a machine that does something
    /// else.
    private static final long LATE_MILLIS = 500;

    private static final long EQUAL = 1;

    void run() {
        NcclConnector connector = NcclConnector.of(NcclKind.NCCL, 0);
        findings.say(connector.prepare());
        missingMember(connector);
        blocked(connector, "a blocked call ends at its limit", GroupError.LIMIT_EXCEEDED, LIMIT);
        blocked(connector, "a blocked call is ended by another thread", GroupError.ABORTED, LONG);
        try (ProcessGroup group = alone(connector, LONG);
                DeviceBuffer buffer = connector.device().allocate(8)) {
            group.allReduce(buffer.segment(), DType.FLOAT32, ReduceOp.SUM);
            group.barrier();
            findings.expect("the device works afterwards", true, "");
        }
    }

    private void missingMember(NcclConnector connector) {
        byte[] id = connector.makeId();
        long start = System.nanoTime();
        try {
            connector.connect(GroupIdentity.world(2, 0, 1), id, LIMIT).close();
            findings.expect("a missing second member is missed", false, "it was not");
        } catch (GroupException e) {
            timed("a missing second member is missed at the limit", e, GroupError.LIMIT_EXCEEDED, start, LIMIT);
        }
        long aborted = awaitAborts();
        findings.expect("its communicator was aborted", aborted >= 0, aborted + " ms after that");
    }

    private void timed(String what, GroupException e, GroupError expected, long start, Duration due) {
        long millis = (System.nanoTime() - start) / 1_000_000;
        boolean inTime = millis >= due.toMillis() - 1 && millis <= due.toMillis() + LATE_MILLIS;
        findings.expect(what, e.code().equals(expected) && inTime, millis + " ms: " + e.getMessage());
    }

    /// Waits for the threads that abort.
    private static long awaitAborts() {
        long start = System.nanoTime();
        while (System.nanoTime() - start < TimeUnit.SECONDS.toNanos(20)) {
            if (Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().startsWith("muster-nccl-abort"))) {
                return (System.nanoTime() - start) / 1_000_000;
            }
            LockSupport.parkNanos(1_000_000);
        }
        return -1;
    }

    private static ProcessGroup alone(NcclConnector connector, Duration limit) {
        GroupIdentity world = GroupIdentity.world(1, 0, 1);
        return ProcessGroup.of(
                world, connector.connect(world, connector.makeId(), LONG), limit, UnaryOperator.identity());
    }

    /// Lets the stream wait for a number that is not written until it is over.
    private void blocked(NcclConnector connector, String what, GroupError expected, Duration limit) {
        try (Arena arena = Arena.ofShared();
                DeviceBuffer buffer = connector.device().allocate(8)) {
            MemorySegment number = connector.device().allocatePinned(Integer.BYTES, arena);
            number.set(ValueLayout.JAVA_INT, 0, 0);
            ProcessGroup group = alone(connector, limit);
            group.allReduce(buffer.segment(), DType.FLOAT32, ReduceOp.SUM);
            connector.device().bind();
            NativeLibrary driver = NativeLibrary.load(List.of("libcuda.so.1"), IllegalStateException::new);
            String function = driver.has("cuStreamWaitValue32_v2") ? "cuStreamWaitValue32_v2" : "cuStreamWaitValue32";
            int status = driver.require(function).call(connector.stream(), number.address(), 1, EQUAL);
            findings.expect("the stream is blocked", status == 0, "status " + status);
            Thread other = Thread.ofPlatform().start(() -> {
                LockSupport.parkNanos(BEFORE_ABORT);
                if (expected.equals(GroupError.ABORTED)) {
                    group.fail(new GroupException(GroupError.ABORTED, "another thread had enough"));
                }
            });
            long start = System.nanoTime();
            try {
                group.allReduce(buffer.segment(), DType.FLOAT32, ReduceOp.SUM);
                findings.expect(what, false, "it went through");
            } catch (GroupException e) {
                boolean byOther = expected.equals(GroupError.ABORTED);
                timed(what, e, expected, start, byOther ? Duration.ofNanos(BEFORE_ABORT) : limit);
            }
            // What blocks the stream is not NCCL's: an abort waits for it, on a thread of its own.
            number.set(ValueLayout.JAVA_INT, 0, 1);
            long aborted = awaitAborts();
            findings.expect("its communicator was aborted", aborted >= 0, aborted + " ms after the stream was free");
            group.close();
            join(other);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
