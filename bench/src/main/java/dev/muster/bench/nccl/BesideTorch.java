// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench.nccl;

import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.collective.ProcessGroup;
import dev.muster.mesh.collective.ReduceOp;
import dev.muster.mesh.cuda.DeviceBuffer;
import dev.muster.mesh.nccl.NcclConnector;
import dev.muster.mesh.nccl.NcclKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

/// A rank in a communicator whose other rank is PyTorch's: `bench/native/torch_nccl.py beside`. The one with rank 0
/// makes the id and leaves it in a file.
record BesideTorch(Findings findings, Path file) {
    private static final int ID_BYTES = 128;
    private static final int COUNT = 1_000;
    private static final int MINE = 7;
    private static final int THEIRS = 5;

    void run(int rank) {
        NcclConnector connector = NcclConnector.of(NcclKind.NCCL, 0);
        findings.say("Java as rank " + rank + " with " + connector.prepare());
        GroupIdentity world = GroupIdentity.world(2, rank, 1);
        byte[] id = rank == 0 ? leave(connector.makeId()) : await();
        try (ProcessGroup group = ProcessGroup.of(
                        world,
                        connector.connect(world, id, SharedGpu.LIMIT),
                        SharedGpu.LIMIT,
                        UnaryOperator.identity());
                DeviceBuffer buffer = connector.device().allocate(4L * COUNT);
                DeviceBuffer both = connector.device().allocate(8L * COUNT)) {
            fill(buffer, MINE);
            group.allReduce(buffer.segment(), DType.FLOAT32, ReduceOp.SUM);
            expect("all-reduce of a Java rank and a PyTorch rank", buffer, 0, COUNT, MINE + THEIRS);
            fill(buffer, MINE);
            group.broadcast(buffer.segment(), DType.FLOAT32, 1 - rank);
            expect("broadcast of the PyTorch rank", buffer, 0, COUNT, THEIRS);
            fill(buffer, MINE);
            group.broadcast(buffer.segment(), DType.FLOAT32, rank);
            group.allGather(buffer.segment(), both.segment(), DType.FLOAT32);
            expect("all-gather, the Java rank's piece", both, rank * COUNT, COUNT, MINE);
            expect("all-gather, the PyTorch rank's piece", both, (1 - rank) * COUNT, COUNT, THEIRS);
            group.reduceScatter(both.segment(), buffer.segment(), DType.FLOAT32, ReduceOp.MAX);
            expect("reduce-scatter", buffer, 0, COUNT, MINE);
        }
    }

    private byte[] leave(byte[] id) {
        try {
            Path part = Files.write(file.resolveSibling(file.getFileName() + ".part"), id);
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
            return id;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private byte[] await() {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        try {
            while (!Files.exists(file) || Files.size(file) < ID_BYTES) {
                if (System.nanoTime() > end) {
                    throw new IllegalStateException("no id was written to " + file);
                }
                LockSupport.parkNanos(1_000_000);
            }
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void fill(DeviceBuffer buffer, float value) {
        float[] values = new float[COUNT];
        Arrays.fill(values, value);
        try (Arena arena = Arena.ofConfined()) {
            buffer.copyFrom(arena.allocateFrom(ValueLayout.JAVA_FLOAT, values));
        }
    }

    private void expect(String what, DeviceBuffer buffer, int from, int count, float value) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment host = arena.allocate(4L * count, 4);
            buffer.copyTo(host, 4L * from);
            float[] got = host.toArray(ValueLayout.JAVA_FLOAT);
            float[] expected = new float[count];
            Arrays.fill(expected, value);
            findings.expect(what, Arrays.equals(got, expected), "first " + got[0] + ", last " + got[count - 1]);
        }
    }
}
