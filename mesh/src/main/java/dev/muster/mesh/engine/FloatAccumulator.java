// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.engine;

import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.ReduceOp;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Floats, and halves of both kinds, which are held as floats and rounded once in the end.
final class FloatAccumulator implements Accumulator {
    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;

    private final DType type;
    private final float[] held = new float[TILE];
    private final float[] next = new float[TILE];
    private final short[] halves;

    FloatAccumulator(DType type) {
        this.type = type;
        this.halves = new short[type.isNarrow() ? TILE : 0];
    }

    @Override
    public void load(MemorySegment source, long offset, int count) {
        read(source, offset, held, count);
    }

    @Override
    public void fold(ReduceOp op, MemorySegment source, long offset, int count) {
        read(source, offset, next, count);
        if (count <= FEW) {
            foldFew(op, count);
            return;
        }
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
            if (Float.isNaN(held[i])) {
                held[i] = Float.NaN;
            }
        }
    }

    @Override
    public void store(ReduceOp op, int ranks, MemorySegment target, long offset, int count) {
        if (op.equals(ReduceOp.AVERAGE)) {
            divide(held, ranks, Math.max(count, LEAST_SPAN));
        }
        if (type.equals(DType.FLOAT32)) {
            write(target, offset, count);
            return;
        }
        if (type.equals(DType.FLOAT16)) {
            toFloat16(held, halves, Math.max(count, LEAST_SPAN));
        } else {
            toBfloat16(held, halves, Math.max(count, LEAST_SPAN));
        }
        MemorySegment.copy(halves, 0, target, SHORT, offset, count);
    }

    private void read(MemorySegment source, long offset, float[] into, int count) {
        if (type.equals(DType.FLOAT32)) {
            if (count <= FEW) {
                for (int i = 0; i < count; i++) {
                    into[i] = source.get(FLOAT, offset + 4L * i);
                }
            } else {
                MemorySegment.copy(source, FLOAT, offset, into, 0, count);
            }
            return;
        }
        MemorySegment.copy(source, SHORT, offset, halves, 0, count);
        if (type.equals(DType.FLOAT16)) {
            fromFloat16(halves, into, Math.max(count, LEAST_SPAN));
        } else {
            fromBfloat16(halves, into, Math.max(count, LEAST_SPAN));
        }
    }

    private void write(MemorySegment target, long offset, int count) {
        if (count <= FEW) {
            for (int i = 0; i < count; i++) {
                target.set(FLOAT, offset + 4L * i, held[i]);
            }
        } else {
            MemorySegment.copy(held, 0, target, FLOAT, offset, count);
        }
    }

    private void foldFew(ReduceOp op, int count) {
        for (int i = 0; i < count; i++) {
            held[i] = switch (op) {
                case SUM, AVERAGE -> held[i] + next[i];
                case PRODUCT -> held[i] * next[i];
                case MIN -> Math.min(held[i], next[i]);
                case MAX -> Math.max(held[i], next[i]);
            };
        }
    }

    private static void add(float[] held, float[] next, int count) {
        for (int i = 0; i < count; i++) {
            held[i] += next[i];
        }
    }

    private static void multiply(float[] held, float[] next, int count) {
        for (int i = 0; i < count; i++) {
            held[i] *= next[i];
        }
    }

    private static void least(float[] held, float[] next, int count) {
        for (int i = 0; i < count; i++) {
            held[i] = Math.min(held[i], next[i]);
        }
    }

    private static void greatest(float[] held, float[] next, int count) {
        for (int i = 0; i < count; i++) {
            held[i] = Math.max(held[i], next[i]);
        }
    }

    private static void divide(float[] held, int ranks, int count) {
        for (int i = 0; i < count; i++) {
            held[i] /= ranks;
        }
    }

    private static void fromFloat16(short[] halves, float[] into, int count) {
        for (int i = 0; i < count; i++) {
            into[i] = Float.float16ToFloat(halves[i]);
        }
    }

    private static void toFloat16(float[] held, short[] halves, int count) {
        for (int i = 0; i < count; i++) {
            halves[i] = Float.floatToFloat16(held[i]);
        }
    }

    private static void fromBfloat16(short[] halves, float[] into, int count) {
        for (int i = 0; i < count; i++) {
            into[i] = Float.intBitsToFloat(halves[i] << 16);
        }
    }

    private static void toBfloat16(float[] held, short[] halves, int count) {
        for (int i = 0; i < count; i++) {
            halves[i] = bfloat16(held[i]);
        }
    }

    /// Rounds to the nearest, ties to even; what is not a number stays so, however little of it is left.
    static short bfloat16(float value) {
        int bits = Float.floatToRawIntBits(value);
        int rounded = (bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16;
        return (short) (Float.isNaN(value) ? (bits >>> 16) | 0x40 : rounded);
    }
}
