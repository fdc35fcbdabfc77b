// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia.cuda;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;

/// Numbers to multiply: nearly normal, mean 0, variance 1. Matrices of zeros draw less power and so are
/// multiplied faster than real data.
final class RandomMatrix {
    private static final int SIXTEEN_BITS = 0xffff;
    private static final int PARTS = 4;
    /// The sum of four uniform numbers from 0 to 1 has the variance 4/12.
    private static final double SCALE = Math.sqrt(12.0 / PARTS);

    /// `cudaDataType` of the elements (CUDA 13.0).
    static final int FLOAT = 0;

    static final int HALF = 2;
    static final int BFLOAT16 = 14;

    private RandomMatrix() {}

    /// Fills memory with elements of a type; the same numbers each time.
    static void fill(MemorySegment memory, int dataType) {
        SplittableRandom random = new SplittableRandom(42);
        int bytes = dataType == FLOAT ? Float.BYTES : Short.BYTES;
        for (long offset = 0; offset < memory.byteSize(); offset += bytes) {
            float value = normal(random.nextLong());
            switch (dataType) {
                case FLOAT -> memory.set(ValueLayout.JAVA_FLOAT, offset, value);
                case HALF -> memory.set(ValueLayout.JAVA_SHORT, offset, Float.floatToFloat16(value));
                case BFLOAT16 -> memory.set(ValueLayout.JAVA_SHORT, offset, toBfloat16(value));
                default -> throw new IllegalArgumentException("unknown element type: " + dataType);
            }
        }
    }

    static float normal(long bits) {
        long sum = (bits & SIXTEEN_BITS)
                + ((bits >>> 16) & SIXTEEN_BITS)
                + ((bits >>> 32) & SIXTEEN_BITS)
                + ((bits >>> 48) & SIXTEEN_BITS);
        return (float) ((sum / (double) SIXTEEN_BITS - PARTS / 2.0) * SCALE);
    }

    /// The upper half of a float, rounded to nearest, ties to even.
    static short toBfloat16(float value) {
        int bits = Float.floatToRawIntBits(value);
        return (short) ((bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16);
    }
}
