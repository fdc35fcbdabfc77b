// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.training;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The precision of matrix products in training.
///
/// @since 0.1
public enum TrainingPrecision {
    /// 16-bit brain floating point.
    BF16(16),
    /// 8-bit floating point, a scale for each tensor.
    FP8(8),
    /// 8-bit floating point, a scale for each 32 numbers; it came with units for 4 bits.
    MXFP8(4),
    /// 4-bit floating point, a scale for each 16 numbers.
    NVFP4(4);

    private final int unitBits;

    TrainingPrecision(int unitBits) {
        this.unitBits = unitBits;
    }

    /// Returns the bits of the smallest numbers that the units of a device must multiply.
    public int unitBits() {
        return unitBits;
    }

    /// Returns the name on the command line and in documents.
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Returns the precision with a name.
    public static Optional<TrainingPrecision> find(String label) {
        return Arrays.stream(values()).filter(one -> one.label().equals(label)).findFirst();
    }

    /// Returns all names.
    public static List<String> labels() {
        return Arrays.stream(values()).map(TrainingPrecision::label).toList();
    }
}
