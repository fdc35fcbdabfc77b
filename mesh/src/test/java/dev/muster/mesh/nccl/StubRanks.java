// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.nccl;

import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.collective.ProcessGroup;
import dev.muster.mesh.cuda.DeviceBuffer;
import dev.muster.mesh.cuda.GpuDevice;
import dev.muster.mesh.cuda.GpuStub;
import dev.muster.testing.Waiting;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/// Ranks that are threads, each with a device of the stub.
final class StubRanks {
    static final Duration LIMIT = Waiting.limit(Duration.ofSeconds(30));

    private final GpuStub stub;

    StubRanks(GpuStub stub) {
        this.stub = stub;
    }

    NcclConnector connector(int rank) {
        return new NcclConnector("nccl", this::library, () -> stub.device(rank));
    }

    NcclLibrary library() {
        return NcclLibrary.load(List.of(stub.file().toString()), "");
    }

    /// The part of a rank.
    interface Part {
        void play(ProcessGroup group, GpuDevice device, NcclConnector connector);
    }

    /// Plays all ranks of a group at once.
    void play(int ranks, Part part) throws Exception {
        byte[] id = connector(0).makeId();
        List<Callable<Boolean>> tasks = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            int own = rank;
            tasks.add(() -> {
                NcclConnector connector = connector(own);
                try (ProcessGroup group = group(GroupIdentity.world(ranks, own, 1), connector, id)) {
                    part.play(group, connector.device(), connector);
                }
                return true;
            });
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(ranks)) {
            for (Future<Boolean> done : threads.invokeAll(tasks, LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                done.get();
            }
        }
    }

    static ProcessGroup group(GroupIdentity identity, NcclConnector connector, byte[] id) {
        return ProcessGroup.of(identity, connector.connect(identity, id, LIMIT), LIMIT, UnaryOperator.identity());
    }

    static DeviceBuffer buffer(GpuDevice device, int... values) {
        DeviceBuffer buffer = device.allocate(Math.max(1, values.length) * (long) Integer.BYTES);
        try (Arena arena = Arena.ofConfined()) {
            buffer.copyFrom(arena.allocateFrom(ValueLayout.JAVA_INT, values));
        }
        return buffer;
    }

    static int[] read(DeviceBuffer buffer) {
        try (Arena arena = Arena.ofConfined()) {
            var host = arena.allocate(buffer.byteSize());
            buffer.copyTo(host);
            return host.toArray(ValueLayout.JAVA_INT);
        }
    }
}
