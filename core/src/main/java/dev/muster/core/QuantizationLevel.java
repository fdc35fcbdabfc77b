package dev.muster.core;

/// How many bits a model parameter takes.
///
/// @since 0.1
public enum QuantizationLevel {
    /// 32-bit floating point: not quantized.
    NONE("None", "FP32", 32),
    /// 16-bit floating point (IEEE 754).
    FLOAT16("Float16", "FP16", 16),
    /// 16-bit brain floating point.
    BFLOAT16("BFloat16", "BF16", 16),
    /// 8-bit integer.
    INT8("Int8", "INT8", 8),
    /// 4-bit integer.
    INT4("Int4", "INT4", 4);

    private static final double FULL_BITS = 32.0;

    private final String referenceName;
    private final String display;
    private final int bits;

    QuantizationLevel(String referenceName, String display, int bits) {
        this.referenceName = referenceName;
        this.display = display;
        this.bits = bits;
    }

    /// The level of a bit width: 32, 16 (IEEE half precision), 8 or 4.
    ///
    /// @throws IllegalArgumentException for any other width
    public static QuantizationLevel ofBits(long bits) {
        for (QuantizationLevel level : values()) {
            if (level.bits == bits) {
                return level;
            }
        }
        throw new IllegalArgumentException("no quantization level has " + bits + " bits; there are 32, 16, 8 and 4");
    }

    /// The name in documents of ai-hwaccel, such as `BFloat16`.
    public String referenceName() {
        return referenceName;
    }

    /// The name for people, such as `BF16`.
    public String display() {
        return display;
    }

    /// Bits per parameter.
    public int bitsPerParameter() {
        return bits;
    }

    /// How many times smaller a model is than with 32-bit parameters.
    public double memoryReductionFactor() {
        return FULL_BITS / bits;
    }
}
