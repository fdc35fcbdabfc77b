package dev.muster.cli.picture;

import static org.assertj.core.api.Assertions.assertThat;

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
}
