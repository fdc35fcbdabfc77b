// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.Trials;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FixedTextTest {
    @ParameterizedTest
    @CsvSource({
        "0.15, 1, 0.1",
        "0.25, 1, 0.2",
        "0.35, 1, 0.3",
        "0.75, 1, 0.8",
        "2.5, 0, 2",
        "3.5, 0, 4",
        "0.5, 0, 0",
        "1.5, 0, 2",
        "1.005, 2, 1.00",
        "-0.25, 1, -0.2",
        "-0.15, 1, -0.1",
        "0, 1, 0.0",
        "42, 0, 42",
        "99.95, 1, 100.0",
        "0.1, 20, 0.10000000000000000555",
        "1e22, 1, 10000000000000000000000.0",
        "123456789.125, 2, 123456789.12",
        "4.9e-324, 3, 0.000"
    })
    void roundsTheBinaryValueAndTiesToEven(double value, int decimals, String text) {
        assertThat(FixedText.of(value, decimals)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"-0.04, 1, -0.0", "-0.0, 1, -0.0", "-0.5, 0, -0", "-1e-300, 2, -0.00"})
    void keepsTheSignOfWhatRoundsToZero(double value, int decimals, String text) {
        assertThat(FixedText.of(value, decimals)).isEqualTo(text);
    }

    @Test
    void writesTheDigitsOfTheExactValue() {
        Trials.run(5_000, random -> {
            // Near halves of a digit, where a rounded product would decide wrongly.
            int decimals = random.nextInt(6);
            double half = (random.nextLong(1L << 40) + 0.5) / Math.pow(10, decimals);
            double value = random.nextBoolean() ? half : Math.nextUp(half);

            assertThat(FixedText.of(value, decimals))
                    .isEqualTo(new BigDecimal(value)
                            .setScale(decimals, RoundingMode.HALF_EVEN)
                            .toPlainString());
        });
    }

    @Test
    void isNeverFurtherOffThanHalfADigit() {
        Trials.run(5_000, random -> {
            double value = (random.nextDouble() - 0.5) * Math.pow(10, random.nextInt(12));
            BigDecimal error = new BigDecimal(FixedText.of(value, 3))
                    .subtract(new BigDecimal(value))
                    .abs();
            assertThat(error).isLessThanOrEqualTo(new BigDecimal("0.0005"));
        });
    }
}
