// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class MeasurementTest {
    private static Measurement of(double least, double median, double most) {
        return new Measurement(MeasuredQuantity.MEMORY_COPY, least, median, most, 3, "by hand");
    }

    private static Measurement timed(double amount, double... seconds) {
        return Measurement.of(MeasuredQuantity.MEMORY_COPY, amount, seconds, "by hand");
    }

    @Test
    void ratesAreAmountsPerTime() {
        assertThat(timed(100, 2, 1, 4)).isEqualTo(of(25, 50, 100));
    }

    @Test
    void ofAnEvenNumberTheMedianIsTheMeanOfTheTwoInTheMiddle() {
        Measurement measurement = timed(8, 1, 2, 4, 8);
        assertThat(measurement.median()).isEqualTo(3);
        assertThat(measurement.repeats()).isEqualTo(4);
    }

    @Test
    void distancesAreSharesOfTheMedian() {
        Measurement measurement = of(90, 100, 105);
        assertThat(measurement.percentBelow()).isCloseTo(10, within(1e-9));
        assertThat(measurement.percentAbove()).isCloseTo(5, within(1e-9));
    }

    @Test
    void impossibleValuesAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> timed(100));
        assertThatIllegalArgumentException().isThrownBy(() -> timed(0, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> timed(100, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> timed(100, Double.NaN));
        assertThatIllegalArgumentException().isThrownBy(() -> of(2, 1, 3));
    }

    @Test
    void quantitiesAreDataRatesOrOperationRates() {
        assertThat(MeasuredQuantity.MEMORY_COPY.isDataRate()).isTrue();
        assertThat(MeasuredQuantity.MATRIX_BF16.isDataRate()).isFalse();
    }
}
