// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.core.QuantizationLevel;
import dev.muster.core.unit.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemoryRuleTest {
    @ParameterizedTest
    @CsvSource({
        "0, FLOAT16, 0",
        "1, NONE, 4",
        "3, NONE, 14",
        "5, FLOAT16, 12",
        "1, INT4, 0",
        "7000000000, BFLOAT16, 16800000000",
        "70000000000, INT4, 42000000000",
        "1000000000000, NONE, 4800000000000"
    })
    void isTheWeightsAndAFifthMore(long parameters, QuantizationLevel level, long bytes) {
        assertThat(MemoryRule.estimate(parameters, level)).isEqualTo(Bytes.of(bytes));
    }

    @ParameterizedTest
    @CsvSource({
        "NONE, 576460752303423488",
        "FLOAT16, 1152921504606846976",
        "INT8, 2305843009213693952",
        "INT4, 4611686018427387904"
    })
    void theFirstModelThatIsTooLargeIsAnError(QuantizationLevel level, long parameters) {
        assertThat(MemoryRule.estimate(parameters - 1, level)).isGreaterThan(Bytes.ZERO);
        assertThatThrownBy(() -> MemoryRule.estimate(parameters, level))
                .isInstanceOf(ArithmeticException.class)
                .hasMessageContaining(parameters + " parameters at " + level.display());
    }

    @Test
    void countsAreUnsigned() {
        assertThatThrownBy(() -> MemoryRule.estimate(-1, QuantizationLevel.INT4))
                .hasMessageContaining("18446744073709551615 parameters");
    }
}
