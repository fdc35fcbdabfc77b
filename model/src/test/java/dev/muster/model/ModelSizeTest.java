// SPDX-License-Identifier: Apache-2.0
package dev.muster.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ModelSizeTest {
    @ParameterizedTest
    @CsvSource({
        "70B, 70000000000", "1.5B, 1500000000", "125M, 125000000", "7e9, 7000000000", "7E9, 7000000000",
        "1.5e9, 1500000000", "8030261248, 8030261248", "1t, 1000000000000", "350k, 350000", "0.5b, 500000000",
        "7e+9, 7000000000", "1e3M, 1000000000", "1000, 1000"
    })
    void readsWhatPeopleWrite(String text, long parameters) {
        assertThat(ModelSize.parse(text).parameters()).isEqualTo(parameters);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "B",
                "x7B",
                "7BB",
                "-7B",
                "7 B",
                "1.2.3B",
                "1e",
                "1e999999999",
                "99999999999T",
                "0B",
                "0.3",
                "1.0000000001B",
                "٧B",
                "7G",
                "inf",
                "nan",
                "0x10",
                "1e-3"
            })
    void refusesTheRest(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> ModelSize.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"70", "7", "999"})
    void asksBackWhereALetterIsMissing(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ModelSize.parse(text))
                .withMessageContaining("did you mean " + text + "B?");
    }

    @ParameterizedTest
    @CsvSource({
        "8030261248, 8.03 B",
        "70553706496, 70.6 B",
        "70000000000, 70 B",
        "125000000, 125 M",
        "999, 999",
        "1026408232448, 1.03 T",
        "1500000000, 1.50 B"
    })
    void isShownShort(long parameters, String text) {
        assertThat(new ModelSize(parameters).display()).isEqualTo(text);
    }
}
