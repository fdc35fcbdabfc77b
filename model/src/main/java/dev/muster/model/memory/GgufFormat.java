// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.memory;

import java.util.Locale;
import java.util.Optional;

/// A mixture of types in a GGUF file, read by llama.cpp and what is built on it: the type of most weights, by
/// llama.cpp's names for the recipes of its quantizer, in the order of their numbers in `general.file_type` (llama.h,
/// 2026).
///
/// @since 0.1
public enum GgufFormat implements WeightFormat {
    F32,
    F16,
    Q4_0,
    Q4_1,
    Q4_1_SOME_F16,
    Q4_2,
    Q4_3,
    Q8_0,
    Q5_0,
    Q5_1,
    Q2_K,
    Q3_K_S,
    Q3_K_M,
    Q3_K_L,
    Q4_K_S,
    Q4_K_M,
    Q5_K_S,
    Q5_K_M,
    Q6_K,
    IQ2_XXS,
    IQ2_XS,
    Q2_K_S,
    IQ3_XS,
    IQ3_XXS,
    IQ1_S,
    IQ4_NL,
    IQ3_S,
    IQ3_M,
    IQ2_S,
    IQ2_M,
    IQ4_XS,
    IQ1_M,
    BF16,
    Q4_0_4_4,
    Q4_0_4_8,
    Q4_0_8_8,
    TQ1_0,
    TQ2_0,
    MXFP4_MOE,
    NVFP4,
    Q1_0,
    Q2_0;

    /// Added to the number if it was not stated and llama.cpp guessed from the tensors.
    private static final long GUESSED = 1024;

    private static final GgufFormat[] BY_ID = values();

    private final String label = name().toLowerCase(Locale.ROOT);

    /// Returns the format with a number of `general.file_type`, if there is one.
    public static Optional<GgufFormat> find(long id) {
        long plain = id & ~GUESSED;
        return plain >= 0 && plain < BY_ID.length ? Optional.of(BY_ID[(int) plain]) : Optional.empty();
    }

    /// Reports whether most weights have fewer bits than they were trained with.
    public boolean isQuantized() {
        return this != F32 && this != F16 && this != BF16;
    }

    @Override
    public String label() {
        return label;
    }

    @Override
    public int weightBits() {
        int digit = 0;
        while (digit < label.length() && !Character.isDigit(label.charAt(digit))) {
            digit++;
        }
        return label.endsWith("16")
                ? 16
                : label.endsWith("32") ? 32 : digit < label.length() ? label.charAt(digit) - '0' : 4;
    }

    @Override
    public String toString() {
        return label;
    }
}
