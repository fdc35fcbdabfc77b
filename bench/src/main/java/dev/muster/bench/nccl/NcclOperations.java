package dev.muster.bench.nccl;

import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.ProcessGroup;
import dev.muster.mesh.collective.ReduceOp;
import dev.muster.mesh.cuda.DeviceBuffer;
import dev.muster.mesh.cuda.GpuDevice;
import dev.muster.mesh.cuda.GpuRuntime;
import dev.muster.mesh.session.MeshSession;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/// Every operation of a group of one rank on a device: what comes out is what went in.
final class NcclOperations {
    private static final int BYTES = 1 << 16;
    private static final long SEED = 20261116;
    /// What NCCL reduces.
    static final List<DType> REDUCED = List.of(
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

    private final Findings findings;

    NcclOperations(Findings findings) {
        this.findings = findings;
    }

    void run() {
        try (MeshSession session = NcclCheck.join();
                Arena arena = Arena.ofConfined()) {
            GpuDevice device = GpuRuntime.CUDA.deviceOfRank(session.localRank());
            findings.say("device " + device + " of " + GpuRuntime.CUDA.countDevices());
            findings.say("world goes by " + session.world().engine() + ": " + session.reason("world"));
            try (DeviceBuffer input = device.allocate(BYTES);
                    DeviceBuffer output = device.allocate(BYTES)) {
                Pair pair = new Pair(input, output, arena);
                reductions(session.world(), pair);
                moves(session.world(), pair);
                places(session.world(), pair, arena);
                parts(session, pair);
            }
        }
    }

    /// Two buffers and what was put into the first.
    private record Pair(DeviceBuffer input, DeviceBuffer output, MemorySegment sent, MemorySegment received) {
        Pair(DeviceBuffer input, DeviceBuffer output, Arena arena) {
            this(input, output, arena.allocate(BYTES, 64), arena.allocate(BYTES, 64));
            byte[] random = new byte[BYTES];
            new Random(SEED).nextBytes(random);
            // Halves and floats that are numbers, whatever the type they are read as.
            for (int i = 0; i < random.length; i++) {
                random[i] &= 0x3f;
            }
            sent.copyFrom(MemorySegment.ofArray(random));
            input.copyFrom(sent);
        }

        MemorySegment in() {
            return input.segment();
        }

        MemorySegment out() {
            return output.segment();
        }

        /// Whether the second holds what the first got; then it is emptied.
        boolean arrived() {
            output.copyTo(received);
            boolean same = received.mismatch(sent) < 0;
            output.fill((byte) 0);
            return same;
        }
    }

    private void reductions(ProcessGroup world, Pair pair) {
        for (DType type : REDUCED) {
            for (ReduceOp op : ReduceOp.values()) {
                boolean integer = !type.text().contains("float");
                if (op.equals(ReduceOp.AVERAGE) && integer) {
                    continue;
                }
                pair.output().fill((byte) 0);
                world.allReduce(pair.in(), pair.out(), type, op);
                boolean all = pair.arrived();
                world.reduce(pair.in(), pair.out(), type, op, 0);
                boolean one = pair.arrived();
                world.reduceScatter(pair.in(), pair.out(), type, op);
                boolean piece = pair.arrived();
                findings.expect(
                        "all-reduce, reduce, reduce-scatter " + type.text() + " " + op.text(), all && one && piece, "");
            }
        }
        world.allReduce(pair.in(), DType.FLOAT32, ReduceOp.SUM);
        pair.output().copyFrom(pair.input());
        findings.expect("all-reduce in place", pair.arrived(), "");
        long[] whole = {BYTES / 4};
        world.reduceScatterUneven(pair.in(), pair.out(), whole, DType.FLOAT32, ReduceOp.SUM);
        findings.expect("reduce-scatter, uneven", pair.arrived(), "");
    }

    private void moves(ProcessGroup world, Pair pair) {
        long[] whole = {BYTES / 4};
        DType type = DType.FLOAT32;
        world.broadcast(pair.in(), type, 0);
        pair.output().copyFrom(pair.input());
        findings.expect("broadcast", pair.arrived(), "");
        world.allGather(pair.in(), pair.out(), DType.FLOAT8_E4M3);
        findings.expect("all-gather of float8", pair.arrived(), "");
        world.allGatherUneven(pair.in(), pair.out(), whole, type);
        findings.expect("all-gather, uneven", pair.arrived(), "");
        world.gather(pair.in(), pair.out(), type, 0);
        findings.expect("gather", pair.arrived(), "");
        world.scatter(pair.in(), pair.out(), type, 0);
        findings.expect("scatter", pair.arrived(), "");
        world.allToAll(pair.in(), pair.out(), type);
        findings.expect("all-to-all", pair.arrived(), "");
        world.sendReceive(pair.in(), 0, pair.out(), 0);
        findings.expect("send to itself", pair.arrived(), "");
        world.barrier();
    }

    private void places(ProcessGroup world, Pair pair, Arena arena) {
        MemorySegment host = arena.allocateFrom(ValueLayout.JAVA_INT, 3, 4);
        world.allReduce(host, DType.INT32, ReduceOp.SUM);
        int[] got = host.toArray(ValueLayout.JAVA_INT);
        findings.expect("the same group reduces memory of the host", Arrays.equals(got, new int[] {3, 4}), "");
        refused("a type that NCCL lacks", () -> world.allReduce(pair.in(), DType.INT16, ReduceOp.SUM));
        refused("two places in one call", () -> world.allReduce(pair.sent(), pair.out(), DType.INT32, ReduceOp.SUM));
        refused("a message to itself alone", () -> world.send(pair.in(), 0));
        DeviceBuffer gone = pair.input().device().allocate(8);
        MemorySegment kept = gone.segment();
        gone.close();
        refused("memory that was given back", () -> world.broadcast(kept, DType.UINT8, 0));
        findings.expect("the group is as it was", world.failure().isEmpty(), "");
    }

    private void refused(String what, Runnable call) {
        try {
            call.run();
            findings.expect(what + " is refused", false, "it was not");
        } catch (IllegalArgumentException e) {
            findings.expect(what + " is refused", true, String.valueOf(e.getMessage()));
        }
    }

    private void parts(MeshSession session, Pair pair) {
        Optional<ProcessGroup> part = session.split(session.world(), 0, 0);
        part.ifPresent(group -> group.allReduce(pair.in(), pair.out(), DType.FLOAT32, ReduceOp.SUM));
        findings.expect("a part of the group", part.isPresent() && pair.arrived(), "");
        ProcessGroup other = session.open("other", 0);
        other.allReduce(pair.in(), pair.out(), DType.FLOAT32, ReduceOp.SUM);
        findings.expect("another group of the same device", pair.arrived(), "");
        session.world().allReduce(pair.in(), pair.out(), DType.FLOAT32, ReduceOp.SUM);
        findings.expect("the first group after that", pair.arrived(), "");
        findings.expect(
                "no member is in a part of no colour",
                session.split(session.world(), -1, 0).isEmpty(),
                "");
    }
}
