// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.picture;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MagnitudeTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "0.1, 0.1",
        "0.12345, 0.123",
        "0.9999, 1",
        "1, 1",
        "2.099, 2.1",
        "10, 10",
        "65.08, 65.1",
        "100, 100",
        "999.6, 1 k",
        "1000, 1 k",
        "3.35e12, 3.35 T",
        "989.4e12, 989 T",
        "1.979e15, 1.98 P",
        "1e21, 1000 E"
    })
    void threeDigitsAndALetter(double value, String text) {
        assertThat(Magnitude.of(value)).isEqualTo(text);
    }

    @Test
    void unitsFollowTheLetter() {
        assertThat(Magnitude.of(1.979e15, "FLOP/s")).isEqualTo("1.98 PFLOP/s");
        assertThat(Magnitude.of(10, "B")).isEqualTo("10 B");
    }

    @ParameterizedTest
    @CsvSource({"1e-8, 10 ns", "1e-6, 1 µs", "1e-4, 100 µs", "1e-3, 1 ms", "0.1, 100 ms", "1, 1 s"})
    void timesHaveTheirUnit(double seconds, String text) {
        assertThat(Magnitude.seconds(seconds)).isEqualTo(text);
    }
}
