package dev.muster.mesh.bench;

import dev.muster.mesh.collective.DType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Small whole numbers as elements of any type.
final class Elements {
    /// After how many elements the numbers repeat.
    static final int PERIOD = 5;

    private static final int BFLOAT16_SHIFT = 16;
    private static final long BYTE = 0xFF;
    private static final long SHORT = 0xFFFF;
    private static final long INT = 0xFFFF_FFFFL;

    private Elements() {}

    /// The number that a rank has at an index. Small, so that sums are exact in any order and any type.
    static int number(int rank, long index) {
        return (int) ((index * 7 + rank * 3L) % PERIOD);
    }

    /// The bits of a number; integers wrap around, truth values are "not zero".
    static long bits(DType type, int number) {
        return switch (type) {
            case BOOL -> number == 0 ? 0 : 1;
            case UINT8, INT8, FLOAT8_E4M3, FLOAT8_E5M2 -> number & BYTE;
            case UINT16, INT16 -> number & SHORT;
            case UINT32, INT32 -> number & INT;
            case UINT64, INT64 -> number;
            case FLOAT16 -> Float.floatToFloat16(number) & SHORT;
            case BFLOAT16 -> Float.floatToRawIntBits(number) >>> BFLOAT16_SHIFT;
            case FLOAT32 -> Float.floatToRawIntBits(number) & INT;
            case FLOAT64 -> Double.doubleToRawLongBits(number);
        };
    }

    static void write(MemorySegment segment, DType type, long index, long bits) {
        switch (type.bytes()) {
            case 1 -> segment.set(ValueLayout.JAVA_BYTE, index, (byte) bits);
            case 2 -> segment.setAtIndex(ValueLayout.JAVA_SHORT, index, (short) bits);
            case 4 -> segment.setAtIndex(ValueLayout.JAVA_INT, index, (int) bits);
            default -> segment.setAtIndex(ValueLayout.JAVA_LONG, index, bits);
        }
    }

    static long read(MemorySegment segment, DType type, long index) {
        return switch (type.bytes()) {
            case 1 -> segment.get(ValueLayout.JAVA_BYTE, index) & BYTE;
            case 2 -> segment.getAtIndex(ValueLayout.JAVA_SHORT, index) & SHORT;
            case 4 -> segment.getAtIndex(ValueLayout.JAVA_INT, index) & INT;
            default -> segment.getAtIndex(ValueLayout.JAVA_LONG, index);
        };
    }
}
