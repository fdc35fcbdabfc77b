// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench.nccl;

import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import dev.muster.mesh.collective.ProcessGroup;
import dev.muster.mesh.collective.ReduceOp;
import dev.muster.mesh.cuda.DeviceBuffer;
import dev.muster.mesh.cuda.GpuDevice;
import dev.muster.mesh.cuda.GpuRuntime;
import dev.muster.mesh.launch.LaunchContext;
import dev.muster.mesh.session.MeshSession;

/// One of several ranks that share a GPU; [SharedGpu] starts it.
///
/// `operations` does every operation with memory of the device and of the host and holds the results against each
/// other; `loop` calls until it fails. Ends with 1 if something is wrong.
public final class DeviceRank {
    static final String LOOPING = "looping";
    private static final int CALLS_BEFORE = 50;
    private static final int BYTES = 1 << 16;
    /// The time that a survivor may take beyond the limit.
    private static final long LATE_MILLIS = 2_000;

    private DeviceRank() {}

    /// Runs one of `operations` and `loop`.
    public static void main(String[] arguments) {
        Findings findings = new Findings(System.out);
        try (MeshSession session = MeshSession.join(LaunchContext.from(System.getenv()))) {
            GpuDevice device = GpuRuntime.CUDA.deviceOfRank(session.localRank());
            if (arguments[0].equals("loop")) {
                loop(session.world(), device, findings);
            } else {
                findings.say("world goes by " + session.world().engine());
                new PlaceComparison(session, device, findings).run();
            }
        } catch (GroupException e) {
            findings.expect("no failure", false, e.code().text() + ": " + e.getMessage());
        }
        System.exit(findings.areGood() ? 0 : 1);
    }

    private static void loop(ProcessGroup world, GpuDevice device, Findings findings) {
        long start = System.nanoTime();
        try (DeviceBuffer buffer = device.allocate(BYTES)) {
            buffer.fill((byte) 0);
            for (int call = 0; ; call++) {
                if (call == CALLS_BEFORE) {
                    findings.print(LOOPING);
                }
                start = System.nanoTime();
                world.allReduce(buffer.segment(), DType.FLOAT32, ReduceOp.SUM);
            }
        } catch (GroupException e) {
            long millis = (System.nanoTime() - start) / 1_000_000;
            findings.expect(
                    "the call ends",
                    e.code().equals(GroupError.PEER_LOST) && millis <= SharedGpu.LIMIT.toMillis() + LATE_MILLIS,
                    millis + " ms after it began, after call #" + CALLS_BEFORE + " of all: "
                            + e.code().text() + " " + e.missingRanks() + ": " + e.getMessage());
        }
    }
}
