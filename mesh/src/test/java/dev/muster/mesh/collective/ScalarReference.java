// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.collective;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.util.Random;

/// The expected result of a reduction, element by element and rank by rank, written as plainly as can be.
final class ScalarReference {
    private ScalarReference() {}

    /// Elements that make differences visible: wrapping, signs, zeros, infinities, things that are not numbers.
    static MemorySegment draw(DType type, int count, Random random) {
        byte[] bytes = new byte[count * type.bytes()];
        random.nextBytes(bytes);
        MemorySegment drawn = MemorySegment.ofArray(bytes);
        for (int i = 0; i < count; i++) {
            boolean special = random.nextInt(20) == 0;
            float value = special
                    ? new float[] {Float.NaN, Float.POSITIVE_INFINITY, -0.0f, 0.0f, 65504f}[random.nextInt(5)]
                    : (float) random.nextGaussian();
            switch (type) {
                case FLOAT64 ->
                    drawn.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, 8L * i, special ? value : random.nextGaussian());
                case FLOAT32 -> drawn.set(ValueLayout.JAVA_FLOAT_UNALIGNED, 4L * i, value);
                case FLOAT16 -> drawn.set(ValueLayout.JAVA_SHORT_UNALIGNED, 2L * i, Float.floatToFloat16(value));
                case BFLOAT16 ->
                    drawn.set(ValueLayout.JAVA_SHORT_UNALIGNED, 2L * i, (short) (Float.floatToRawIntBits(value) >> 16));
                case BOOL -> drawn.set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt(3));
                default -> {}
            }
        }
        return drawn;
    }

    /// The reduction of one element of all ranks, as its bits.
    static long reduce(DType type, ReduceOp op, MemorySegment[] inputs, long index) {
        return switch (type) {
            case FLOAT64 -> ofDoubles(op, inputs, index);
            case FLOAT32, FLOAT16, BFLOAT16 -> ofFloats(type, op, inputs, index);
            case BOOL -> ofTruths(op, inputs, index);
            default -> ofWholes(type, op, inputs, index);
        };
    }

    /// The bits of an element; all that are not numbers look the same.
    static long bits(DType type, MemorySegment buffer, long index) {
        return switch (type) {
            case FLOAT64 -> Double.doubleToLongBits(buffer.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, 8 * index));
            case FLOAT32 -> Float.floatToIntBits(buffer.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 4 * index));
            case FLOAT16, BFLOAT16 -> Float.floatToIntBits(toFloat(type, buffer, index));
            default -> raw(type, buffer, index);
        };
    }

    /// The number that the bits of a float or double stand for.
    static double value(DType type, long bits) {
        return type == DType.FLOAT32 ? Float.intBitsToFloat((int) bits) : Double.longBitsToDouble(bits);
    }

    private static long raw(DType type, MemorySegment buffer, long index) {
        return switch (type.bytes()) {
            case 1 -> buffer.get(ValueLayout.JAVA_BYTE, index) & 0xff;
            case 2 -> buffer.get(ValueLayout.JAVA_SHORT_UNALIGNED, 2 * index) & 0xffff;
            case 4 -> buffer.get(ValueLayout.JAVA_INT_UNALIGNED, 4 * index) & 0xffff_ffffL;
            default -> buffer.get(ValueLayout.JAVA_LONG_UNALIGNED, 8 * index);
        };
    }

    private static long ofDoubles(ReduceOp op, MemorySegment[] inputs, long index) {
        double held = inputs[0].get(ValueLayout.JAVA_DOUBLE_UNALIGNED, 8 * index);
        for (int rank = 1; rank < inputs.length; rank++) {
            double next = inputs[rank].get(ValueLayout.JAVA_DOUBLE_UNALIGNED, 8 * index);
            held = switch (op) {
                case SUM, AVERAGE -> held + next;
                case PRODUCT -> held * next;
                case MIN -> Math.min(held, next);
                case MAX -> Math.max(held, next);
            };
        }
        return Double.doubleToLongBits(op == ReduceOp.AVERAGE ? held / inputs.length : held);
    }

    private static float toFloat(DType type, MemorySegment buffer, long index) {
        return switch (type) {
            case FLOAT16 -> Float.float16ToFloat(buffer.get(ValueLayout.JAVA_SHORT_UNALIGNED, 2 * index));
            case BFLOAT16 -> Float.intBitsToFloat(buffer.get(ValueLayout.JAVA_SHORT_UNALIGNED, 2 * index) << 16);
            default -> buffer.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 4 * index);
        };
    }

    private static long ofFloats(DType type, ReduceOp op, MemorySegment[] inputs, long index) {
        float held = toFloat(type, inputs[0], index);
        for (int rank = 1; rank < inputs.length; rank++) {
            float next = toFloat(type, inputs[rank], index);
            held = switch (op) {
                case SUM, AVERAGE -> held + next;
                case PRODUCT -> held * next;
                case MIN -> Math.min(held, next);
                case MAX -> Math.max(held, next);
            };
        }
        float result = op == ReduceOp.AVERAGE ? held / inputs.length : held;
        return Float.floatToIntBits(
                switch (type) {
                    case FLOAT16 -> Float.float16ToFloat(Float.floatToFloat16(result));
                    case BFLOAT16 -> nearestBfloat16(result);
                    default -> result;
                });
    }

    /// The nearer of the two neighbours, of two equally near ones the even.
    private static float nearestBfloat16(float value) {
        if (Float.isNaN(value) || Float.isInfinite(value)) {
            return value;
        }
        int lower = Float.floatToRawIntBits(value) & 0xffff_0000;
        float below = Float.intBitsToFloat(lower);
        float above = Float.intBitsToFloat(lower + 0x1_0000);
        double down = Math.abs((double) value - below);
        double up = Math.abs((Float.isInfinite(above) ? Math.copySign(0x1p128, value) : above) - (double) value);
        boolean even = (lower & 0x1_0000) == 0;
        return down < up || (down == up && even) ? below : above;
    }

    private static long ofTruths(ReduceOp op, MemorySegment[] inputs, long index) {
        boolean any = false;
        boolean all = true;
        for (MemorySegment input : inputs) {
            boolean truth = input.get(ValueLayout.JAVA_BYTE, index) != 0;
            any |= truth;
            all &= truth;
        }
        boolean result = (op == ReduceOp.SUM || op == ReduceOp.MAX) ? any : all;
        return result ? 1 : 0;
    }

    private static BigInteger whole(DType type, MemorySegment buffer, long index) {
        long raw = raw(type, buffer, index);
        boolean signed = type.name().startsWith("INT");
        int unused = 64 - 8 * type.bytes();
        return signed || unused > 0
                ? BigInteger.valueOf(signed ? raw << unused >> unused : raw)
                : new BigInteger(Long.toUnsignedString(raw));
    }

    private static long ofWholes(DType type, ReduceOp op, MemorySegment[] inputs, long index) {
        BigInteger held = whole(type, inputs[0], index);
        for (int rank = 1; rank < inputs.length; rank++) {
            BigInteger next = whole(type, inputs[rank], index);
            held = switch (op) {
                case SUM, AVERAGE -> held.add(next);
                case PRODUCT -> held.multiply(next);
                case MIN -> held.min(next);
                case MAX -> held.max(next);
            };
        }
        long low = (op == ReduceOp.AVERAGE ? held.divide(BigInteger.valueOf(inputs.length)) : held).longValue();
        int unused = 64 - 8 * type.bytes();
        return low << unused >>> unused;
    }
}
