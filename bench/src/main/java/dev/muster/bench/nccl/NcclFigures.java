// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench.nccl;

import com.sun.management.ThreadMXBean;
import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.ProcessGroup;
import dev.muster.mesh.collective.ReduceOp;
import dev.muster.mesh.cuda.DeviceBuffer;
import dev.muster.mesh.cuda.GpuDevice;
import dev.muster.mesh.cuda.GpuRuntime;
import dev.muster.mesh.session.MeshSession;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Locale;

/// Times of calls, each from before it to when the device is done with it: what
/// `bench/native/torch_nccl.py` prints for PyTorch in the same form.
record NcclFigures(PrintStream out) {
    private static final int[] SIZES = {8, 64, 512, 4096};
    private static final int WARM_UP = 20_000;
    private static final int CALLS = 5_000;
    private static final long GIBIBYTE = 1L << 30;
    private static final int COPIES = 20;

    void allReduces(MeshSession session) {
        ProcessGroup world = session.world();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (DeviceBuffer buffer =
                        GpuRuntime.CUDA.deviceOfRank(session.localRank()).allocate(4096);
                DeviceBuffer second =
                        GpuRuntime.CUDA.deviceOfRank(session.localRank()).allocate(4096)) {
            long[] nanos = new long[CALLS];
            for (int size : SIZES) {
                MemorySegment part = buffer.segment().asSlice(0, size);
                time(world, part, part, new long[WARM_UP]);
                long before = threads.getTotalThreadAllocatedBytes();
                time(world, part, part, nanos);
                long bytes = threads.getTotalThreadAllocatedBytes() - before;
                print("all-reduce in-place", size, nanos, " garbage " + bytes / CALLS + " B/call");
                MemorySegment other = second.segment().asSlice(0, size);
                time(world, part, other, new long[WARM_UP]);
                time(world, part, other, nanos);
                print("all-reduce out-of-place", size, nanos, "");
            }
        }
    }

    private static void time(ProcessGroup world, MemorySegment input, MemorySegment output, long[] nanos) {
        for (int i = 0; i < nanos.length; i++) {
            long start = System.nanoTime();
            world.allReduce(input, output, DType.FLOAT32, ReduceOp.SUM);
            nanos[i] = System.nanoTime() - start;
        }
    }

    private void print(String what, int size, long[] nanos, String more) {
        Arrays.sort(nanos);
        double mean = Arrays.stream(nanos).average().orElse(0) / 1e3;
        out.printf(
                Locale.ROOT,
                "muster %s %d B: p50 %.2f us, mean %.2f us, min %.2f us, p99 %.2f us%s%n",
                what,
                size,
                nanos[nanos.length / 2] / 1e3,
                mean,
                nanos[0] / 1e3,
                nanos[nanos.length * 99 / 100] / 1e3,
                more);
    }

    void copies(MeshSession session) {
        GpuDevice device = GpuRuntime.CUDA.deviceOfRank(session.localRank());
        try (Arena arena = Arena.ofShared();
                DeviceBuffer first = device.allocate(GIBIBYTE);
                DeviceBuffer second = device.allocate(GIBIBYTE)) {
            MemorySegment host = device.allocatePinned(GIBIBYTE, arena);
            host.fill((byte) 1);
            warmUp(device, host.asSlice(0, Long.BYTES));
            rate("host-to-device", () -> first.copyFrom(host));
            rate("device-to-host", () -> first.copyTo(host));
            rate("device-to-device", () -> second.copyFrom(first));
        }
    }

    /// So that compiled code is measured, as with calls.
    private static void warmUp(GpuDevice device, MemorySegment host) {
        try (DeviceBuffer first = device.allocate(Long.BYTES);
                DeviceBuffer second = device.allocate(Long.BYTES)) {
            for (int i = 0; i < WARM_UP; i++) {
                first.copyFrom(host);
                first.copyTo(host);
                second.copyFrom(first);
            }
        }
    }

    private void rate(String what, Runnable copy) {
        long[] nanos = new long[COPIES];
        for (int i = -3; i < COPIES; i++) {
            long start = System.nanoTime();
            copy.run();
            if (i >= 0) {
                nanos[i] = System.nanoTime() - start;
            }
        }
        Arrays.sort(nanos);
        out.printf(
                Locale.ROOT,
                "muster copy %s 1 GiB: median %.2f GB/s, best %.2f GB/s%n",
                what,
                (double) GIBIBYTE / nanos[COPIES / 2],
                (double) GIBIBYTE / nanos[0]);
    }
}
