// SPDX-License-Identifier: Apache-2.0
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

/// Every operation of a group of one rank on a device, what is refused, and other groups beside it.
record NcclOperations(Findings findings) {
    void run() {
        try (MeshSession session = NcclCheck.join()) {
            GpuDevice device = GpuRuntime.CUDA.deviceOfRank(session.localRank());
            findings.say("device " + device + " of " + GpuRuntime.CUDA.countDevices());
            findings.say("world goes by " + session.world().engine() + ": " + session.reason("world"));
            PlaceComparison comparison = new PlaceComparison(session, device, findings);
            comparison.run();
            places(session.world(), device);
            comparison.sum(session.open("other", 0), "all-reduce of another group of the same device");
            comparison.sum(session.world(), "all-reduce of the first group after that");
            boolean none = session.split(session.world(), -1, 0).isEmpty();
            findings.expect("no member is in a part of no colour", none, "");
        }
    }

    private void places(ProcessGroup world, GpuDevice device) {
        try (Arena arena = Arena.ofConfined();
                DeviceBuffer buffer = device.allocate(Long.BYTES)) {
            MemorySegment there = buffer.segment();
            MemorySegment host = arena.allocateFrom(ValueLayout.JAVA_INT, 3, 4);
            world.allReduce(host, DType.INT32, ReduceOp.SUM);
            int[] got = host.toArray(ValueLayout.JAVA_INT);
            findings.expect("the same group reduces memory of the host", Arrays.equals(got, new int[] {3, 4}), "");
            refused("a type that NCCL lacks", () -> world.allReduce(there, DType.INT16, ReduceOp.SUM));
            refused("two places in one call", () -> world.allReduce(host, there, DType.INT32, ReduceOp.SUM));
            refused("a message to itself alone", () -> world.send(there, 0));
            DeviceBuffer gone = device.allocate(Long.BYTES);
            MemorySegment kept = gone.segment();
            gone.close();
            refused("memory that was given back", () -> world.broadcast(kept, DType.UINT8, 0));
            findings.expect("the group is as it was", world.failure().isEmpty(), "");
        }
    }

    private void refused(String what, Runnable call) {
        try {
            call.run();
            findings.expect(what + " is refused", false, "it was not");
        } catch (IllegalArgumentException e) {
            findings.expect(what + " is refused", true, String.valueOf(e.getMessage()));
        }
    }
}
