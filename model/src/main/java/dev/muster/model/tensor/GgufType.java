// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.tensor;

import dev.muster.model.Tensor;
import java.util.Map;
import java.util.Optional;

/// The tensor types of GGUF: ggml's numbers for them and the size of their blocks (ggml.h and gguf-py's table of
/// sizes, llama.cpp b10451, 2026), under ggml's names.
public enum GgufType {
    F32(0, 1, 4),
    F16(1, 1, 2),
    Q4_0(2, 32, 18),
    Q4_1(3, 32, 20),
    Q5_0(6, 32, 22),
    Q5_1(7, 32, 24),
    Q8_0(8, 32, 34),
    Q8_1(9, 32, 36),
    Q2_K(10, 256, 84),
    Q3_K(11, 256, 110),
    Q4_K(12, 256, 144),
    Q5_K(13, 256, 176),
    Q6_K(14, 256, 210),
    Q8_K(15, 256, 292),
    IQ2_XXS(16, 256, 66),
    IQ2_XS(17, 256, 74),
    IQ3_XXS(18, 256, 98),
    IQ1_S(19, 256, 50),
    IQ4_NL(20, 32, 18),
    IQ3_S(21, 256, 110),
    IQ2_S(22, 256, 82),
    IQ4_XS(23, 256, 136),
    I8(24, 1, 1),
    I16(25, 1, 2),
    I32(26, 1, 4),
    I64(27, 1, 8),
    F64(28, 1, 8),
    IQ1_M(29, 256, 56),
    BF16(30, 1, 2),
    TQ1_0(34, 256, 54),
    TQ2_0(35, 256, 66),
    MXFP4(39, 32, 17),
    NVFP4(40, 64, 36),
    Q1_0(41, 128, 18),
    Q2_0(42, 64, 18);

    private static final Map<Integer, String> REMOVED = Map.of(
            4, "Q4_2",
            5, "Q4_3",
            31, "Q4_0_4_4",
            32, "Q4_0_4_8",
            33, "Q4_0_8_8",
            36, "IQ4_NL_4_4",
            37, "IQ4_NL_4_8",
            38, "IQ4_NL_8_8");

    private static final GgufType[] BY_ID = byId();

    private final int id;
    private final int blockBytes;
    private final Tensor.Type tensorType;

    GgufType(int id, int blockElements, int blockBytes) {
        this.id = id;
        this.blockBytes = blockBytes;
        this.tensorType = Tensor.Type.blocks(name(), blockElements, blockBytes);
    }

    private static GgufType[] byId() {
        GgufType[] types = values();
        GgufType[] table = new GgufType[types[types.length - 1].id + 1];
        for (GgufType type : types) {
            table[type.id] = type;
        }
        return table;
    }

    /// Returns the type of a number, if there is one.
    public static Optional<GgufType> find(int id) {
        return id >= 0 && id < BY_ID.length ? Optional.ofNullable(BY_ID[id]) : Optional.empty();
    }

    /// Returns the message for a number that [#find] does not know.
    public static String unknown(int id) {
        String removed = REMOVED.get(id);
        return removed == null
                ? "tensor type " + Integer.toUnsignedString(id) + " is not known"
                : "tensor type " + removed + " was removed from the format; convert the model again";
    }

    public int id() {
        return id;
    }

    /// Returns the elements of a block; rows are whole blocks.
    public int blockElements() {
        return tensorType.blockElements();
    }

    /// Returns the bytes of a block.
    public int blockBytes() {
        return blockBytes;
    }

    /// Returns the type in the form that all formats share.
    public Tensor.Type tensorType() {
        return tensorType;
    }
}
