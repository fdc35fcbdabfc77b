// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.unit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OperationRateTest {
    @Test
    void ratesCompare() {
        assertThat(new OperationRate(989.4)).isGreaterThan(new OperationRate(312));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
    void aRateIsAboveZero(double value) {
        assertThatThrownBy(() -> new OperationRate(value)).isInstanceOf(IllegalArgumentException.class);
    }
}
