// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.engine;

import dev.muster.mesh.collective.ReduceOp;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Doubles.
final class DoubleAccumulator implements Accumulator {
    private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED;

    private final double[] held = new double[TILE];
    private final double[] next = new double[TILE];

    @Override
    public void load(MemorySegment source, long offset, int count) {
        MemorySegment.copy(source, DOUBLE, offset, held, 0, count);
    }

    @Override
    public void fold(ReduceOp op, MemorySegment source, long offset, int count) {
        MemorySegment.copy(source, DOUBLE, offset, next, 0, count);
        int span = Math.max(count, LEAST_SPAN);
        switch (op) {
            case SUM, AVERAGE -> add(held, next, span);
            case PRODUCT -> multiply(held, next, span);
            case MIN -> least(held, next, span);
            case MAX -> greatest(held, next, span);
        }
    }

    @Override
    public void settle(int count) {
        for (int i = 0; i < count; i++) {
            if (Double.isNaN(held[i])) {
                held[i] = Double.NaN;
            }
        }
    }

    @Override
    public void store(ReduceOp op, int ranks, MemorySegment target, long offset, int count) {
        if (op.equals(ReduceOp.AVERAGE)) {
            divide(held, ranks, Math.max(count, LEAST_SPAN));
        }
        MemorySegment.copy(held, 0, target, DOUBLE, offset, count);
    }

    private static void add(double[] held, double[] next, int count) {
        for (int i = 0; i < count; i++) {
            held[i] += next[i];
        }
    }

    private static void multiply(double[] held, double[] next, int count) {
        for (int i = 0; i < count; i++) {
            held[i] *= next[i];
        }
    }

    private static void least(double[] held, double[] next, int count) {
        for (int i = 0; i < count; i++) {
            held[i] = Math.min(held[i], next[i]);
        }
    }

    private static void greatest(double[] held, double[] next, int count) {
        for (int i = 0; i < count; i++) {
            held[i] = Math.max(held[i], next[i]);
        }
    }

    private static void divide(double[] held, int ranks, int count) {
        for (int i = 0; i < count; i++) {
            held[i] /= ranks;
        }
    }
}
