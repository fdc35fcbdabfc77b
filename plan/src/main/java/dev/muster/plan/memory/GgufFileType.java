package dev.muster.plan.memory;

import java.util.Arrays;
import java.util.Optional;

/// What most weights of a GGUF file are stored as: `general.file_type`, llama.cpp's numbers for the recipes of its
/// quantizer (llama.h, 2026). The names are those that people choose a file by.
///
/// @since 0.1
public enum GgufFileType {
    F32(0),
    F16(1),
    Q4_0(2),
    Q4_1(3),
    Q4_1_SOME_F16(4),
    Q4_2(5),
    Q4_3(6),
    Q8_0(7),
    Q5_0(8),
    Q5_1(9),
    Q2_K(10),
    Q3_K_S(11),
    Q3_K_M(12),
    Q3_K_L(13),
    Q4_K_S(14),
    Q4_K_M(15),
    Q5_K_S(16),
    Q5_K_M(17),
    Q6_K(18),
    IQ2_XXS(19),
    IQ2_XS(20),
    Q2_K_S(21),
    IQ3_XS(22),
    IQ3_XXS(23),
    IQ1_S(24),
    IQ4_NL(25),
    IQ3_S(26),
    IQ3_M(27),
    IQ2_S(28),
    IQ2_M(29),
    IQ4_XS(30),
    IQ1_M(31),
    BF16(32),
    Q4_0_4_4(33),
    Q4_0_4_8(34),
    Q4_0_8_8(35),
    TQ1_0(36),
    TQ2_0(37),
    MXFP4_MOE(38),
    NVFP4(39),
    Q1_0(40),
    Q2_0(41);

    /// Added to the number where it was not stated and llama.cpp guessed from the tensors.
    private static final long GUESSED = 1024;

    private final int id;

    GgufFileType(int id) {
        this.id = id;
    }

    public static Optional<GgufFileType> find(long id) {
        long plain = id & ~GUESSED;
        return Arrays.stream(values()).filter(type -> type.id == plain).findFirst();
    }

    /// Whether most weights have fewer bits than they were trained with.
    public boolean isQuantized() {
        return this != F32 && this != F16 && this != BF16;
    }
}
