// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.catalogue;

/// A number format for which data sheets give a peak rate.
///
/// @since 0.1
public enum Precision {
    /// 32-bit floating point outside matrix units.
    FP32("fp32_tflops", "FP32"),
    /// 32-bit floating point with a short mantissa, in matrix units.
    TF32("tf32_tflops", "TF32"),
    /// 16-bit floating point (IEEE 754), accumulated in 32 bits.
    FP16("fp16_tflops", "FP16"),
    /// 16-bit brain floating point.
    BF16("bf16_tflops", "BF16"),
    /// 8-bit floating point.
    FP8("fp8_tflops", "FP8"),
    /// 8-bit integers.
    INT8("int8_tops", "INT8"),
    /// 4-bit floating point.
    FP4("fp4_tflops", "FP4");

    private final String column;
    private final String display;

    Precision(String column, String display) {
        this.column = column;
        this.display = display;
    }

    /// Returns the display name, such as `BF16`.
    public String display() {
        return display;
    }

    /// Returns the column of the device catalogue.
    String column() {
        return column;
    }
}
