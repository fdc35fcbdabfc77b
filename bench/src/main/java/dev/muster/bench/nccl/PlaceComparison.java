// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench.nccl;

import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.ProcessGroup;
import dev.muster.mesh.collective.ReduceOp;
import dev.muster.mesh.cuda.DeviceBuffer;
import dev.muster.mesh.cuda.GpuDevice;
import dev.muster.mesh.session.MeshSession;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.stream.LongStream;

/// Does every operation twice, with memory of the host and with memory of the device, and holds the results against
/// each other, bit by bit. Elements are small whole numbers, so that the order of sums does not count.
final class PlaceComparison {
    /// Of each rank's piece; no power of two.
    private static final int PIECE = 1_003;

    /// The types that NCCL reduces.
    private static final List<DType> REDUCED = List.of(
            DType.INT8,
            DType.UINT8,
            DType.INT32,
            DType.UINT32,
            DType.INT64,
            DType.UINT64,
            DType.FLOAT16,
            DType.BFLOAT16,
            DType.FLOAT32,
            DType.FLOAT64);

    private final MeshSession session;
    private final GpuDevice device;
    private final Findings findings;
    private final int ranks;
    private int compared;

    PlaceComparison(MeshSession session, GpuDevice device, Findings findings) {
        this.session = session;
        this.device = device;
        this.findings = findings;
        this.ranks = session.worldSize();
    }

    /// A task in either memory.
    private interface Task {
        void run(ProcessGroup group, MemorySegment input, MemorySegment output);
    }

    void run() {
        for (DType type : REDUCED) {
            for (ReduceOp op : ReduceOp.values()) {
                boolean whole = !type.text().contains("float");
                if (!(op.equals(ReduceOp.AVERAGE) && whole)) {
                    reductions(type, op, type.text() + " " + op.text());
                }
            }
        }
        moves(DType.INT32);
        ProcessGroup world = session.world();
        ProcessGroup part =
                session.split(world, session.rank() % 2, -session.rank()).orElseThrow();
        sum(part, "all-reduce of a part");
        compare(part, "all-gather of a part", DType.INT32, (group, in, out) -> {
            long piece = 4L * PIECE;
            group.allGather(in.asSlice(0, piece), out.asSlice(0, piece * group.size()), DType.INT32);
        });
        sum(world, "all-reduce of the world after that");
        world.barrier();
        findings.expect(compared + " operations of " + ranks + " ranks were held against those of the host", true, "");
    }

    private void reductions(DType type, ReduceOp op, String what) {
        int root = ranks - 1;
        compare("all-reduce " + what, type, (group, in, out) -> group.allReduce(in, out, type, op));
        compare("all-reduce in place " + what, type, (group, in, out) -> {
            group.allReduce(in, type, op);
            group.allToAll(in, out, type);
        });
        compare("reduce " + what, type, (group, in, out) -> group.reduce(in, atRoot(group, out), type, op, root));
        compare("reduce-scatter " + what, type, (group, in, out) -> {
            group.reduceScatter(in, out.asSlice(0, in.byteSize() / group.size()), type, op);
        });
    }

    /// All of the memory on the last rank, nothing of it on the others.
    private static MemorySegment atRoot(ProcessGroup group, MemorySegment memory) {
        return group.rank() == group.size() - 1 ? memory : memory.asSlice(0, 0);
    }

    private void moves(DType type) {
        int root = ranks - 1;
        long piece = 4L * PIECE;
        long[] counts = LongStream.range(0, ranks).map(rank -> rank + 1).toArray();
        long own = 4 * counts[session.rank()];
        long all = 4L * LongStream.of(counts).sum();
        for (int from = 0; from < ranks; from++) {
            int source = from;
            compare("broadcast of rank " + from, type, (group, in, out) -> {
                group.broadcast(group.rank() == source ? in : out, type, source);
            });
        }
        compare("all-gather", type, (group, in, out) -> group.allGather(in.asSlice(0, piece), out, type));
        compare("all-gather of float8", DType.FLOAT8_E4M3, (group, in, out) -> {
            group.allGather(in.asSlice(0, PIECE), out, DType.FLOAT8_E4M3);
        });
        compare("all-gather, uneven", type, (group, in, out) -> {
            group.allGatherUneven(in.asSlice(0, own), out.asSlice(0, all), counts, type);
        });
        compare("gather", type, (group, in, out) -> {
            group.gather(in.asSlice(0, piece), atRoot(group, out), type, root);
        });
        compare("scatter", type, (group, in, out) -> {
            group.scatter(atRoot(group, in), out.asSlice(0, piece), type, root);
        });
        compare("all-to-all", type, (group, in, out) -> group.allToAll(in, out, type));
        compare("send and receive in a ring", type, (group, in, out) -> {
            group.sendReceive(in, (group.rank() + 1) % ranks, out, (group.rank() + ranks - 1) % ranks);
        });
        compare("reduce-scatter, uneven", type, (group, in, out) -> {
            group.reduceScatterUneven(in.asSlice(0, all), out.asSlice(0, own), counts, type, ReduceOp.MAX);
        });
    }

    void sum(ProcessGroup group, String what) {
        compare(group, what, DType.FLOAT32, (one, in, out) -> one.allReduce(in, out, DType.FLOAT32, ReduceOp.SUM));
    }

    private void compare(String what, DType type, Task task) {
        compare(session.world(), what, type, task);
    }

    private void compare(ProcessGroup group, String what, DType type, Task task) {
        long bytes = (long) type.bytes() * PIECE * ranks;
        try (Arena arena = Arena.ofConfined();
                DeviceBuffer input = device.allocate(bytes);
                DeviceBuffer output = device.allocate(bytes)) {
            MemorySegment hostInput = arena.allocate(bytes, 8);
            MemorySegment hostOutput = arena.allocate(bytes, 8);
            for (int i = 0; i < PIECE * ranks; i++) {
                write(hostInput, type, i, 1 + (i + session.rank()) % 3);
            }
            input.copyFrom(hostInput);
            output.fill((byte) 0);
            task.run(group, hostInput, hostOutput);
            task.run(group, input.segment(), output.segment());
            MemorySegment received = arena.allocate(bytes, 8);
            output.copyTo(received);
            long wrong = received.mismatch(hostOutput);
            if (wrong >= 0) {
                findings.expect(what, false, "the device differs from the host from byte " + wrong + " on");
            }
            compared++;
        }
    }

    private static void write(MemorySegment segment, DType type, long index, int number) {
        switch (type) {
            case FLOAT64 -> segment.setAtIndex(ValueLayout.JAVA_DOUBLE, index, number);
            case FLOAT32 -> segment.setAtIndex(ValueLayout.JAVA_FLOAT, index, number);
            case FLOAT16 -> segment.setAtIndex(ValueLayout.JAVA_SHORT, index, Float.floatToFloat16(number));
            case BFLOAT16 ->
                segment.setAtIndex(ValueLayout.JAVA_SHORT, index, (short) (Float.floatToRawIntBits(number) >>> 16));
            case INT64, UINT64 -> segment.setAtIndex(ValueLayout.JAVA_LONG, index, number);
            case INT32, UINT32 -> segment.setAtIndex(ValueLayout.JAVA_INT, index, number);
            case INT16, UINT16 -> segment.setAtIndex(ValueLayout.JAVA_SHORT, index, (short) number);
            case INT8, UINT8, BOOL, FLOAT8_E4M3, FLOAT8_E5M2 ->
                segment.set(ValueLayout.JAVA_BYTE, index, (byte) number);
        }
    }
}
