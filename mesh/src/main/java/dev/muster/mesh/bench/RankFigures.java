// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.bench;

import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.Operation;
import dev.muster.mesh.collective.ProcessGroup;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// The results of one rank for its calls of one size.
record RankFigures(double mean, double p50, double p99, long wrong, double allocated) {
    private static final int FIELDS = 5;
    private static final double MICRO = 1e3;

    /// @param nanos time of each call; is sorted
    static RankFigures of(long[] nanos, int calls, long wrong, long allocated) {
        long sum = 0;
        for (int i = 0; i < calls; i++) {
            sum += nanos[i];
        }
        Arrays.sort(nanos, 0, calls);
        return new RankFigures(
                sum / MICRO / calls,
                nanos[(calls - 1) / 2] / MICRO,
                nanos[Math.ceilDiv(calls * 99, 100) - 1] / MICRO,
                wrong,
                (double) allocated / calls);
    }

    /// All ranks tell the first, and the first, which sees all of them, sums up.
    BenchFigures gather(ProcessGroup group, Operation operation, long bytes, int calls) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment own = arena.allocate(ValueLayout.JAVA_DOUBLE, FIELDS);
            MemorySegment all = arena.allocate(ValueLayout.JAVA_DOUBLE, (long) FIELDS * group.size());
            double[] fields = {mean, p50, p99, wrong, allocated};
            for (int i = 0; i < FIELDS; i++) {
                own.setAtIndex(ValueLayout.JAVA_DOUBLE, i, fields[i]);
            }
            group.allGather(own, all, DType.FLOAT64);
            return sumUp(all, group.size(), operation, bytes, calls);
        }
    }

    private static BenchFigures sumUp(MemorySegment all, int ranks, Operation operation, long bytes, int calls) {
        double[] least = new double[FIELDS];
        double[] most = new double[FIELDS];
        double[] sum = new double[FIELDS];
        Arrays.fill(least, Double.MAX_VALUE);
        for (int i = 0; i < ranks * FIELDS; i++) {
            double value = all.getAtIndex(ValueLayout.JAVA_DOUBLE, i);
            int field = i % FIELDS;
            least[field] = Math.min(least[field], value);
            most[field] = Math.max(most[field], value);
            sum[field] += value;
        }
        return new BenchFigures(
                operation,
                bytes,
                calls,
                least[0],
                sum[0] / ranks,
                most[0],
                sum[1] / ranks,
                most[2],
                (long) sum[3],
                most[4]);
    }
}
