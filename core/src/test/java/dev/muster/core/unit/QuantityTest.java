// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.unit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {
    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void refusesWhatIsNotFinite(double value) {
        assertThatIllegalArgumentException().isThrownBy(() -> new Bandwidth(value));
        assertThatIllegalArgumentException().isThrownBy(() -> new Celsius(value));
        assertThatIllegalArgumentException().isThrownBy(() -> new Ratio(value));
        assertThatIllegalArgumentException().isThrownBy(() -> new Watts(value));
    }

    @ParameterizedTest
    @ValueSource(doubles = {-273.15, -0.0, 0, Double.MIN_VALUE, 1.5, Double.MAX_VALUE})
    void keepsEveryFiniteValue(double value) {
        assertThat(new Bandwidth(value).gigabytesPerSecond()).isEqualTo(value);
        assertThat(new Celsius(value).degrees()).isEqualTo(value);
        assertThat(new Ratio(value).value()).isEqualTo(value);
        assertThat(new Watts(value).value()).isEqualTo(value);
    }

    @Test
    void ordersByValue() {
        assertThat(new Bandwidth(2)).isGreaterThan(new Bandwidth(-3)).isEqualByComparingTo(new Bandwidth(2));
        assertThat(new Celsius(2)).isGreaterThan(new Celsius(-3)).isEqualByComparingTo(new Celsius(2));
        assertThat(new Ratio(2)).isGreaterThan(new Ratio(-3)).isEqualByComparingTo(new Ratio(2));
        assertThat(new Watts(2)).isGreaterThan(new Watts(-3)).isEqualByComparingTo(new Watts(2));
    }
}
