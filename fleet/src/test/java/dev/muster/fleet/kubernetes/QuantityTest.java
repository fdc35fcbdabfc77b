// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {
    @ParameterizedTest
    @CsvSource({
        "8, 8",
        "0, 0",
        "81559Mi, 85520809984",
        "80Gi, 85899345920",
        "1.5Gi, 1610612736",
        "500m, 1",
        "1500m, 2",
        "1e3, 1000",
        "1E3, 1000",
        "2k, 2000",
        "1E, 1000000000000000000",
        "12e-1, 2"
    })
    void readsWhatKubernetesWrites(String text, long amount) {
        assertThat(Quantity.find(text)).isEqualTo(OptionalLong.of(amount));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "1.2.3", "Gi", "8 ", "8gi", "1e999999999", "9e18Gi", "0x10", "١"})
    void takesNothingElse(String text) {
        assertThat(Quantity.find(text)).isEmpty();
    }
}
