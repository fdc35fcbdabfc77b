package dev.muster.plan.memory;

import dev.muster.core.QuantizationLevel;
import dev.muster.core.unit.Bytes;

/// What weights take where nothing is known of a model but its size.
///
/// @since 0.1
public final class WeightEstimate {
    /// Weights at 4 and 8 bits share scales: groups of 64 weights with a scale of 16 bits and, at 4 bits, a zero point.
    private static final double SCALE_BITS = 16.0 / 64;

    private static final double ZERO_POINT_BITS = 4.0 / 64;

    private WeightEstimate() {}

    /// What the weights take at a level, with their scales.
    public static Bytes of(long parameters, QuantizationLevel level) {
        double bits = switch (level) {
            case NONE, FLOAT16, BFLOAT16 -> level.bitsPerParameter();
            case INT8 -> level.bitsPerParameter() + SCALE_BITS;
            case INT4 -> level.bitsPerParameter() + SCALE_BITS + ZERO_POINT_BITS;
        };
        return Bytes.of((long) (parameters / (double) Byte.SIZE * bits));
    }
}
