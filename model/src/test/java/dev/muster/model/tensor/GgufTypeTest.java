// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.muster.model.Tensor;
import dev.muster.model.memory.GgufFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GgufTypeTest {
    /// Bits per weight from llama.cpp's tables of quantizations.
    @ParameterizedTest
    @CsvSource({
        "0, F32, 32",
        "1, F16, 16",
        "2, Q4_0, 4.5",
        "3, Q4_1, 5",
        "6, Q5_0, 5.5",
        "7, Q5_1, 6",
        "8, Q8_0, 8.5",
        "9, Q8_1, 9",
        "10, Q2_K, 2.625",
        "11, Q3_K, 3.4375",
        "12, Q4_K, 4.5",
        "13, Q5_K, 5.5",
        "14, Q6_K, 6.5625",
        "15, Q8_K, 9.125",
        "16, IQ2_XXS, 2.0625",
        "17, IQ2_XS, 2.3125",
        "18, IQ3_XXS, 3.0625",
        "19, IQ1_S, 1.5625",
        "20, IQ4_NL, 4.5",
        "21, IQ3_S, 3.4375",
        "22, IQ2_S, 2.5625",
        "23, IQ4_XS, 4.25",
        "24, I8, 8",
        "25, I16, 16",
        "26, I32, 32",
        "27, I64, 64",
        "28, F64, 64",
        "29, IQ1_M, 1.75",
        "30, BF16, 16",
        "34, TQ1_0, 1.6875",
        "35, TQ2_0, 2.0625",
        "39, MXFP4, 4.25",
        "40, NVFP4, 4.5",
        "41, Q1_0, 1.125",
        "42, Q2_0, 2.25"
    })
    void knowsEveryType(int id, String name, double bits) {
        Tensor.Type type = GgufType.find(id).orElseThrow().tensorType();

        assertThat(type.name()).isEqualTo(name);
        assertThat(type.bitsPerElement()).isEqualTo(bits, within(0.0));
    }

    @ParameterizedTest
    @CsvSource({"12, 256", "20, 32", "23, 256", "30, 1", "39, 32", "40, 64", "41, 128", "42, 64"})
    void blocksHaveTheirSize(int id, int elements) {
        assertThat(GgufType.find(id).orElseThrow().blockElements()).isEqualTo(elements);
    }

    @ParameterizedTest
    @CsvSource({"4, Q4_2", "5, Q4_3", "31, Q4_0_4_4", "33, Q4_0_8_8", "36, IQ4_NL_4_4", "38, IQ4_NL_8_8"})
    void removedTypesAreRefusedByName(int id, String name) {
        assertThat(GgufType.find(id)).isEmpty();
        assertThat(GgufType.unknown(id)).contains(name);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 43, 66, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void otherNumbersAreNoTypes(int id) {
        assertThat(GgufType.find(id)).isEmpty();
        assertThat(GgufType.unknown(id)).contains(Integer.toUnsignedString(id));
    }

    @ParameterizedTest
    @CsvSource({
        "0, F32, false",
        "1, F16, false",
        "2, Q4_0, true",
        "7, Q8_0, true",
        "10, Q2_K, true",
        "12, Q3_K_M, true",
        "15, Q4_K_M, true",
        "17, Q5_K_M, true",
        "18, Q6_K, true",
        "21, Q2_K_S, true",
        "27, IQ3_M, true",
        "30, IQ4_XS, true",
        "32, BF16, false",
        "36, TQ1_0, true",
        "38, MXFP4_MOE, true",
        "39, NVFP4, true",
        "1039, Q4_K_M, true"
    })
    void namesFileTypes(long id, String name, boolean quantized) {
        GgufFormat type = GgufFormat.find(id).orElseThrow();

        assertThat(type.name()).isEqualTo(name);
        assertThat(type.isQuantized()).isEqualTo(quantized);
    }

    @Test
    void fileTypesOfTheFutureHaveNoName() {
        assertThat(GgufFormat.find(999)).isEmpty();
        assertThat(GgufFormat.find(Long.MAX_VALUE)).isEmpty();
    }
}
