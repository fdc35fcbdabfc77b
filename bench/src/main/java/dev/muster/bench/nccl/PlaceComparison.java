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
import java.util.stream.LongStream;

/// Does every operation twice, with memory of the host and with memory of the device, and holds the results against
/// each other, bit by bit. Elements are small whole numbers, so that the order of sums does not count.
final class PlaceComparison {
    /// Of each rank's piece; no power of two.
    private static final int PIECE = 1_003;

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

    /// What is done in either place.
    private interface Errand {
        void run(ProcessGroup group, MemorySegment input, MemorySegment output);
    }

    void run() {
        ProcessGroup world = session.world();
        int root = ranks - 1;
        for (DType type : NcclOperations.REDUCED) {
            for (ReduceOp op : ReduceOp.values()) {
                boolean whole = !type.text().contains("float");
                if (!(op.equals(ReduceOp.AVERAGE) && whole)) {
                    String what = type.text() + " " + op.text();
                    compare(world, "all-reduce " + what, type, (group, in, out) -> group.allReduce(in, out, type, op));
                    compare(
                            world,
                            "reduce " + what,
                            type,
                            (group, in, out) ->
                                    group.reduce(in, group.rank() == root ? out : out.asSlice(0, 0), type, op, root));
                    compare(
                            world,
                            "reduce-scatter " + what,
                            type,
                            (group, in, out) ->
                                    group.reduceScatter(in, out.asSlice(0, in.byteSize() / group.size()), type, op));
                }
            }
        }
        moves(world, root);
        ProcessGroup part =
                session.split(world, session.rank() % 2, -session.rank()).orElseThrow();
        compare(
                part,
                "all-reduce of a part",
                DType.FLOAT32,
                (group, in, out) -> group.allReduce(in, out, DType.FLOAT32, ReduceOp.SUM));
        compare(
                part,
                "all-gather of a part",
                DType.INT32,
                (group, in, out) -> group.allGather(
                        in.asSlice(0, 4L * PIECE), out.asSlice(0, 4L * PIECE * group.size()), DType.INT32));
        compare(
                world,
                "all-reduce of the world after that",
                DType.INT64,
                (group, in, out) -> group.allReduce(in, out, DType.INT64, ReduceOp.SUM));
        world.barrier();
        findings.expect(compared + " operations of " + ranks + " ranks were held against those of the host", true, "");
    }

    private void moves(ProcessGroup world, int root) {
        DType type = DType.INT32;
        long piece = 4L * PIECE;
        long[] counts = LongStream.range(0, ranks).map(rank -> rank + 1).toArray();
        long all = 4L * LongStream.of(counts).sum();
        for (int from = 0; from < ranks; from++) {
            int source = from;
            compare(world, "broadcast of rank " + from, type, (group, in, out) -> {
                if (group.rank() == source) {
                    group.broadcast(in, type, source);
                } else {
                    group.broadcast(out, type, source);
                }
            });
        }
        compare(world, "all-gather", type, (group, in, out) -> group.allGather(in.asSlice(0, piece), out, type));
        compare(
                world,
                "all-gather, uneven",
                type,
                (group, in, out) -> group.allGatherUneven(
                        in.asSlice(0, 4 * counts[group.rank()]), out.asSlice(0, all), counts, type));
        compare(
                world,
                "gather",
                type,
                (group, in, out) ->
                        group.gather(in.asSlice(0, piece), group.rank() == root ? out : out.asSlice(0, 0), type, root));
        compare(
                world,
                "scatter",
                type,
                (group, in, out) ->
                        group.scatter(group.rank() == root ? in : in.asSlice(0, 0), out.asSlice(0, piece), type, root));
        compare(world, "all-to-all", type, (group, in, out) -> group.allToAll(in, out, type));
        compare(
                world,
                "send and receive in a ring",
                type,
                (group, in, out) ->
                        group.sendReceive(in, (group.rank() + 1) % ranks, out, (group.rank() + ranks - 1) % ranks));
        compare(
                world,
                "reduce-scatter, uneven",
                type,
                (group, in, out) -> group.reduceScatterUneven(
                        in.asSlice(0, all), out.asSlice(0, 4 * counts[group.rank()]), counts, type, ReduceOp.MAX));
    }

    private void compare(ProcessGroup group, String what, DType type, Errand errand) {
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
            errand.run(group, hostInput, hostOutput);
            errand.run(group, input.segment(), output.segment());
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
