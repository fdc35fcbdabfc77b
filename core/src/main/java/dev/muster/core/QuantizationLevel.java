// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import java.util.Locale;

/// The number of bits of a model parameter.
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

    /// The level of a name in any case: `fp32`, `fp16`, `bf16`, `int8`, `int4`, or one that other tools use for
    /// the same, such as `f16`, `bfloat16`, `q8` or `none`.
    ///
    /// @throws IllegalArgumentException for any other name; the message says which there are
    public static QuantizationLevel parse(String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "fp32", "f32", "float32", "none" -> NONE;
            case "fp16", "f16", "float16" -> FLOAT16;
            case "bf16", "bfloat16" -> BFLOAT16;
            case "int8", "i8", "q8" -> INT8;
            case "int4", "i4", "q4" -> INT4;
            default ->
                throw new IllegalArgumentException(
                        "'" + name + "' is not a quantization level; use fp32, fp16, bf16, int8 or int4");
        };
    }

    /// The name on the command line and in Muster's documents, such as `bf16`.
    public String text() {
        return display.toLowerCase(Locale.ROOT);
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

    /// The size of a model with 32-bit parameters relative to one of this level.
    public double memoryReductionFactor() {
        return FULL_BITS / bits;
    }
}
