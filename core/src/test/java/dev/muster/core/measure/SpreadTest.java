// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.muster.core.measure.Measurement.Spread;
import org.junit.jupiter.api.Test;

class SpreadTest {
    @Test
    void theMedianIsTheMiddleOne() {
        assertThat(Spread.of(new double[] {5, 1, 3})).isEqualTo(new Spread(1, 3, 5));
    }

    @Test
    void ofAnEvenNumberTheMedianIsTheMeanOfTheTwoInTheMiddle() {
        assertThat(Spread.of(new double[] {4, 1, 2, 8})).isEqualTo(new Spread(1, 3, 8));
    }

    @Test
    void distancesAreSharesOfTheMedian() {
        Spread spread = new Spread(90, 100, 105);
        assertThat(spread.percentBelow()).isCloseTo(10, within(1e-9));
        assertThat(spread.percentAbove()).isCloseTo(5, within(1e-9));
    }

    @Test
    void whatIsNoMeasurementIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> Spread.of(new double[0]));
        assertThatIllegalArgumentException().isThrownBy(() -> Spread.of(new double[] {0}));
        assertThatIllegalArgumentException().isThrownBy(() -> Spread.of(new double[] {Double.NaN}));
        assertThatIllegalArgumentException().isThrownBy(() -> Spread.of(new double[] {Double.POSITIVE_INFINITY}));
        assertThatIllegalArgumentException().isThrownBy(() -> new Spread(2, 1, 3));
    }

    @Test
    void ratesAreAmountsPerTime() {
        Measurement measurement = Measurement.of(MeasuredQuantity.MEMORY_COPY, 100, new double[] {2, 1, 4}, "by hand");
        assertThat(measurement.spread()).isEqualTo(new Spread(25, 50, 100));
        assertThat(measurement.repeats()).isEqualTo(3);
        assertThat(measurement.unit()).isEqualTo(MeasuredQuantity.Unit.BYTES_PER_SECOND);
    }
}
