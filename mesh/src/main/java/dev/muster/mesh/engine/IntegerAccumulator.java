// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.engine;

import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.ReduceOp;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Whole numbers and truth values, held in 64 bits; sums that will be divided in 128, so that they do not wrap.
final class IntegerAccumulator implements Accumulator {
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private final DType type;
    private final boolean unsigned;
    private final long[] held = new long[TILE];
    private final long[] next = new long[TILE];
    /// The upper 64 bits of what is held, for averages.
    private final long[] high = new long[TILE];

    IntegerAccumulator(DType type) {
        this.type = type;
        this.unsigned = type.equals(DType.UINT64);
    }

    @Override
    public void load(MemorySegment source, long offset, int count) {
        read(source, offset, held, count);
        int span = Math.max(count, LEAST_SPAN);
        for (int i = 0; i < span; i++) {
            high[i] = upper(held[i]);
        }
    }

    @Override
    public void fold(ReduceOp op, MemorySegment source, long offset, int count) {
        read(source, offset, next, count);
        int span = Math.max(count, LEAST_SPAN);
        switch (op) {
            case SUM -> {
                if (type.equals(DType.BOOL)) {
                    greatest(span);
                } else {
                    add(span);
                }
            }
            case PRODUCT -> multiply(span);
            case MIN -> least(span);
            case MAX -> greatest(span);
            case AVERAGE -> addWide(span);
        }
    }

    @Override
    public void settle(int count) {
        // Every whole number is one.
    }

    @Override
    public void store(ReduceOp op, int ranks, MemorySegment target, long offset, int count) {
        if (op.equals(ReduceOp.AVERAGE)) {
            for (int i = 0; i < count; i++) {
                held[i] = divide(high[i], held[i], ranks);
            }
        }
        if (count <= FEW) {
            for (int i = 0; i < count; i++) {
                write(target, offset, i);
            }
            return;
        }
        switch (type.bytes()) {
            case 1 -> writeBytes(target, offset, count);
            case 2 -> writeShorts(target, offset, count);
            case 4 -> writeInts(target, offset, count);
            default -> MemorySegment.copy(held, 0, target, LONG, offset, count);
        }
    }

    private void write(MemorySegment target, long offset, int i) {
        switch (type.bytes()) {
            case 1 -> target.set(ValueLayout.JAVA_BYTE, offset + i, (byte) held[i]);
            case 2 -> target.set(SHORT, offset + 2L * i, (short) held[i]);
            case 4 -> target.set(INT, offset + 4L * i, (int) held[i]);
            default -> target.set(LONG, offset + 8L * i, held[i]);
        }
    }

    private void writeBytes(MemorySegment target, long offset, int count) {
        for (int i = 0; i < count; i++) {
            target.set(ValueLayout.JAVA_BYTE, offset + i, (byte) held[i]);
        }
    }

    private void writeShorts(MemorySegment target, long offset, int count) {
        for (int i = 0; i < count; i++) {
            target.set(SHORT, offset + 2L * i, (short) held[i]);
        }
    }

    private void writeInts(MemorySegment target, long offset, int count) {
        for (int i = 0; i < count; i++) {
            target.set(INT, offset + 4L * i, (int) held[i]);
        }
    }

    private void read(MemorySegment source, long offset, long[] into, int count) {
        if (count > FEW) {
            readMany(source, offset, into, count);
            return;
        }
        for (int i = 0; i < count; i++) {
            into[i] = element(source, offset, i);
        }
    }

    private long element(MemorySegment source, long offset, int i) {
        return switch (type) {
            case BOOL -> source.get(ValueLayout.JAVA_BYTE, offset + i) != 0 ? 1 : 0;
            case UINT8 -> source.get(ValueLayout.JAVA_BYTE, offset + i) & 0xff;
            case INT8 -> source.get(ValueLayout.JAVA_BYTE, offset + i);
            case UINT16 -> source.get(SHORT, offset + 2L * i) & 0xffff;
            case INT16 -> source.get(SHORT, offset + 2L * i);
            case UINT32 -> source.get(INT, offset + 4L * i) & 0xffff_ffffL;
            case INT32 -> source.get(INT, offset + 4L * i);
            case UINT64, INT64 -> source.get(LONG, offset + 8L * i);
            case FLOAT16, BFLOAT16, FLOAT32, FLOAT64, FLOAT8_E4M3, FLOAT8_E5M2 ->
                throw new IllegalStateException(type.text() + " is not an integer type");
        };
    }

    private void readMany(MemorySegment source, long offset, long[] into, int count) {
        switch (type) {
            case BOOL -> {
                for (int i = 0; i < count; i++) {
                    into[i] = source.get(ValueLayout.JAVA_BYTE, offset + i) != 0 ? 1 : 0;
                }
            }
            case UINT8 -> {
                for (int i = 0; i < count; i++) {
                    into[i] = source.get(ValueLayout.JAVA_BYTE, offset + i) & 0xff;
                }
            }
            case INT8 -> {
                for (int i = 0; i < count; i++) {
                    into[i] = source.get(ValueLayout.JAVA_BYTE, offset + i);
                }
            }
            case UINT16 -> {
                for (int i = 0; i < count; i++) {
                    into[i] = source.get(SHORT, offset + 2L * i) & 0xffff;
                }
            }
            case INT16 -> {
                for (int i = 0; i < count; i++) {
                    into[i] = source.get(SHORT, offset + 2L * i);
                }
            }
            case UINT32 -> {
                for (int i = 0; i < count; i++) {
                    into[i] = source.get(INT, offset + 4L * i) & 0xffff_ffffL;
                }
            }
            case INT32 -> {
                for (int i = 0; i < count; i++) {
                    into[i] = source.get(INT, offset + 4L * i);
                }
            }
            case UINT64, INT64 -> MemorySegment.copy(source, LONG, offset, into, 0, count);
            case FLOAT16, BFLOAT16, FLOAT32, FLOAT64, FLOAT8_E4M3, FLOAT8_E5M2 ->
                throw new IllegalStateException(type.text() + " is not an integer type");
        }
    }

    private long upper(long value) {
        return unsigned ? 0 : value >> 63;
    }

    private void add(int count) {
        for (int i = 0; i < count; i++) {
            held[i] += next[i];
        }
    }

    private void addWide(int count) {
        for (int i = 0; i < count; i++) {
            long sum = held[i] + next[i];
            int carry = Long.compareUnsigned(sum, held[i]) < 0 ? 1 : 0;
            high[i] += upper(next[i]) + carry;
            held[i] = sum;
        }
    }

    private void multiply(int count) {
        for (int i = 0; i < count; i++) {
            held[i] *= next[i];
        }
    }

    private void least(int count) {
        for (int i = 0; i < count; i++) {
            held[i] = isLess(next[i], held[i]) ? next[i] : held[i];
        }
    }

    private void greatest(int count) {
        for (int i = 0; i < count; i++) {
            held[i] = isLess(held[i], next[i]) ? next[i] : held[i];
        }
    }

    private boolean isLess(long one, long other) {
        return unsigned ? Long.compareUnsigned(one, other) < 0 : one < other;
    }

    /// Divides 128 bits by a small number, towards zero, 32 bits at a time; the quotient of a sum by its number
    /// of terms has 64 bits again.
    private long divide(long high, long low, int divisor) {
        boolean negative = !unsigned && high < 0;
        long top = negative ? ~high + (low == 0 ? 1 : 0) : high;
        long bottom = negative ? -low : low;
        long first = (top << 32) | (bottom >>> 32);
        long second = ((first % divisor) << 32) | (bottom & 0xffff_ffffL);
        long quotient = ((first / divisor) << 32) | (second / divisor);
        return negative ? -quotient : quotient;
    }
}
