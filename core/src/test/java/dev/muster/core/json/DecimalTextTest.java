// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.RandomRegistry;
import dev.muster.core.Trials;
import dev.muster.core.json.JsonValue.JsonNumber;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DecimalTextTest {
    private static final int TRIALS = 200;
    private static final int NUMBERS_EACH = 1_000;

    @ParameterizedTest
    @CsvSource({
        "0, 0.0",
        "-0.0, -0.0",
        "1, 1.0",
        "-1, -1.0",
        "0.1, 0.1",
        "-0.1, -0.1",
        "0.3, 0.3",
        "0.30000000000000004, 0.30000000000000004",
        "52, 52.0",
        "254.8, 254.8",
        "3352.3, 3352.3",
        "0.001, 0.001",
        "0.0015, 0.0015",
        "0.00001, 0.00001",
        "0.000012345, 0.000012345",
        "-0.00001, -0.00001",
        "0.00000999, 9.99e-6",
        "1e-6, 1e-6",
        "1e-7, 1e-7",
        "1.5e-10, 1.5e-10",
        "123456789.125, 123456789.125",
        "999999999999.999, 999999999999.999",
        "1000000000000.001, 1000000000000.001",
        "1e12, 1000000000000.0",
        "1e15, 1000000000000000.0",
        "-1e15, -1000000000000000.0",
        "9007199254740993, 9007199254740992.0",
        "9999999999999998, 9999999999999998.0",
        "1234567890123456.7, 1234567890123456.8",
        "1e16, 1e16",
        "-1e16, -1e16",
        "12345678901234567, 1.2345678901234568e16",
        "1e20, 1e20",
        "1e21, 1e21",
        "2e23, 2e23",
        "1.5e300, 1.5e300",
        "1.7976931348623157e308, 1.7976931348623157e308",
        "2.2250738585072014e-308, 2.2250738585072014e-308"
    })
    void writesDoublesAsTheReferenceDoes(double value, String text) {
        assertThat(JsonNumber.of(value).text()).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"4.9e-324, 5e-324", "9.9e-324, 1e-323", "4.9e-323, 5e-323"})
    void oneDigitIsEnoughForTheSmallestDoubles(double value, String text) {
        assertThat(JsonNumber.of(value).text()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void writesNullForWhatIsNotFinite(double value) {
        assertThat(new JsonWriter(false).number(value)).hasToString("null");
    }

    @Test
    void anyDoubleReadsBackTheSame() {
        Trials.run(TRIALS, random -> {
            for (int i = 0; i < NUMBERS_EACH; i++) {
                double value = RandomRegistry.finiteDouble(random);
                String text = JsonNumber.of(value).text();
                assertSameBits(value, text, Double.parseDouble(text));
            }
        });
    }

    @Test
    void doublesOfEverydaySizeReadBackTheSame() {
        Trials.run(TRIALS, random -> {
            for (int i = 0; i < NUMBERS_EACH / 4; i++) {
                double value = everydayNumber(random);
                String text = JsonNumber.of(value).text();
                assertSameBits(value, text, Double.parseDouble(text));
                assertSameBits(value, text, JsonReader.of(text).nextDouble());
            }
        });
    }

    @Test
    void noShorterTextReadsBackTheSame() {
        Trials.run(TRIALS, random -> {
            for (int i = 0; i < NUMBERS_EACH / 50; i++) {
                double value = Math.abs(everydayNumber(random)) + Double.MIN_NORMAL;
                BigDecimal written = new BigDecimal(JsonNumber.of(value).text()).stripTrailingZeros();
                assertThat(written.precision()).isLessThanOrEqualTo(shortestPrecision(value));
            }
        });
    }

    /// Without AssertJ, for speed.
    private static void assertSameBits(double value, String text, double read) {
        if (Double.doubleToRawLongBits(read) != Double.doubleToRawLongBits(value)) {
            throw new AssertionError(value + " was written as " + text + " and read as " + read);
        }
    }

    /// Whole numbers, tenths, thousandths, and any digits, of either sign.
    private static double everydayNumber(Random random) {
        double size = Math.pow(10, random.nextInt(20) - 2);
        double any = (random.nextDouble() - 0.5) * size;
        return switch (random.nextInt(4)) {
            case 0 -> Math.rint(any);
            case 1 -> Math.rint(any * 10) / 10;
            case 2 -> Math.rint(any * 1000) / 1000;
            default -> any;
        };
    }

    private static int shortestPrecision(double value) {
        for (int digits = 1; digits < 17; digits++) {
            BigDecimal rounded = new BigDecimal(value).round(new MathContext(digits));
            if (rounded.doubleValue() == value) {
                return digits;
            }
        }
        return 17;
    }
}
