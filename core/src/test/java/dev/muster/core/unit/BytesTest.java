// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.unit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.core.Trials;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BytesTest {
    private static final BigInteger LIMIT = BigInteger.ONE.shiftLeft(64);
    private static final int TRIALS = 20_000;

    @Test
    void reachesFromZeroToTheLargestUnsignedNumber() {
        assertThat(Bytes.ZERO).hasToString("0");
        assertThat(Bytes.of(Long.MAX_VALUE)).hasToString("9223372036854775807");
        assertThat(new Bytes(Long.MIN_VALUE)).hasToString("9223372036854775808");
        assertThat(Bytes.MAX).hasToString("18446744073709551615");
        assertThat(Bytes.ZERO.isZero()).isTrue();
        assertThat(Bytes.MAX.isZero()).isFalse();
    }

    @Test
    void refusesNegativeCounts() {
        assertThatIllegalArgumentException().isThrownBy(() -> Bytes.of(-1)).withMessageContaining("-1");
        assertThatIllegalArgumentException().isThrownBy(() -> Bytes.ofKib(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> Bytes.ofMib(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> Bytes.ofGib(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> Bytes.ZERO.saturatingTimes(-1));
    }

    @Test
    void countsInPowersOf1024() {
        assertThat(Bytes.ofKib(3)).isEqualTo(Bytes.of(3_072));
        assertThat(Bytes.ofMib(3)).isEqualTo(Bytes.of(3_145_728));
        assertThat(Bytes.ofGib(3)).isEqualTo(Bytes.of(3_221_225_472L));
    }

    @Test
    void refusesUnitsThatLeaveTheRangeOfACount() {
        assertThatThrownBy(() -> Bytes.ofGib(Long.MAX_VALUE)).isInstanceOf(ArithmeticException.class);
    }

    @Test
    void ordersAsUnsignedNumbers() {
        Bytes half = new Bytes(Long.MIN_VALUE);
        assertThat(List.of(Bytes.MAX, Bytes.ZERO, half, Bytes.of(Long.MAX_VALUE)).stream()
                        .sorted())
                .containsExactly(Bytes.ZERO, Bytes.of(Long.MAX_VALUE), half, Bytes.MAX);
    }

    @Test
    void addsExactlyOrThrows() {
        Trials.run(TRIALS, random -> {
            Bytes a = anyAmount(random);
            Bytes b = anyAmount(random);
            BigInteger sum = exact(a).add(exact(b));
            if (sum.compareTo(LIMIT) < 0) {
                assertThat(exact(a.plus(b))).isEqualTo(sum);
            } else {
                assertThatThrownBy(() -> a.plus(b))
                        .isInstanceOf(ArithmeticException.class)
                        .hasMessageContaining(a.toString())
                        .hasMessageContaining(b.toString());
            }
        });
    }

    @Test
    void subtractsExactlyOrThrows() {
        Trials.run(TRIALS, random -> {
            Bytes a = anyAmount(random);
            Bytes b = anyAmount(random);
            BigInteger difference = exact(a).subtract(exact(b));
            if (difference.signum() >= 0) {
                assertThat(exact(a.minus(b))).isEqualTo(difference);
            } else {
                assertThatThrownBy(() -> a.minus(b)).isInstanceOf(ArithmeticException.class);
            }
        });
    }

    @Test
    void addsUpToTheLargestAmountAndNoFurther() {
        assertThat(Bytes.MAX.minus(Bytes.of(1)).plus(Bytes.of(1))).isEqualTo(Bytes.MAX);
        assertThat(Bytes.MAX.plus(Bytes.ZERO)).isEqualTo(Bytes.MAX);
        assertThatThrownBy(() -> Bytes.MAX.plus(Bytes.of(1))).isInstanceOf(ArithmeticException.class);
        assertThatThrownBy(() -> Bytes.ZERO.minus(Bytes.of(1))).isInstanceOf(ArithmeticException.class);
        assertThat(Bytes.MAX.minus(Bytes.MAX)).isEqualTo(Bytes.ZERO);
    }

    @Test
    void saturatingProductsStopAtTheLargestAmount() {
        Trials.run(TRIALS, random -> {
            Bytes amount = anyAmount(random);
            long count = random.nextLong() >>> (1 + random.nextInt(63));
            BigInteger product = exact(amount).multiply(BigInteger.valueOf(count));
            assertThat(exact(amount.saturatingTimes(count))).isEqualTo(product.min(LIMIT.subtract(BigInteger.ONE)));
        });
    }

    @Test
    void convertsToTheNearestDouble() {
        Trials.run(TRIALS, random -> {
            Bytes amount = anyAmount(random);
            assertThat(amount.toDouble()).isEqualTo(exact(amount).doubleValue());
            assertThat(amount.toGib())
                    .isEqualTo(new BigDecimal(exact(amount))
                            .divide(BigDecimal.valueOf(1L << 30))
                            .doubleValue());
        });
    }

    @ParameterizedTest
    @ValueSource(
            longs = {
                0,
                1,
                (1L << 53) - 1,
                (1L << 53) + 1,
                (1L << 53) + 3,
                Long.MAX_VALUE,
                Long.MIN_VALUE,
                Long.MIN_VALUE + 1,
                Long.MIN_VALUE + (1L << 10),
                Long.MIN_VALUE + (1L << 10) + 1,
                Long.MIN_VALUE + 3 * (1L << 10),
                Long.MIN_VALUE + 3 * (1L << 10) - 1,
                -1L - (1L << 10),
                -1L
            })
    void roundsTiesAndTheirNeighboursToTheNearestDouble(long bits) {
        Bytes amount = new Bytes(bits);
        assertThat(amount.toDouble()).isEqualTo(exact(amount).doubleValue());
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "1024, 1024",
        "7B, 7",
        "80G, 85899345920",
        "80GB, 80000000000",
        "80GiB, 85899345920",
        "80gib, 85899345920",
        "80 GiB, 85899345920",
        "'  80GiB ', 85899345920",
        "512MiB, 536870912",
        "512M, 536870912",
        "512MB, 512000000",
        "4K, 4096",
        "4KiB, 4096",
        "4kB, 4000",
        "1.5TiB, 1649267441664",
        "1.5T, 1649267441664",
        "1.5TB, 1500000000000",
        "0.5KiB, 512",
        "007, 7",
        "18446744073709551615, 18446744073709551615",
        "16777215TiB, 18446742974197923840"
    })
    void readsAmountsAsPeopleWriteThem(String text, String expected) {
        assertThat(Bytes.parse(text)).hasToString(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "GiB",
                "-1",
                "+1",
                "1e3",
                "1.",
                ".5",
                "1.GiB",
                "1,5GiB",
                "1_000",
                "1 000",
                "80  GiB",
                "80GiB x",
                "80XB",
                "80GiBs",
                "80Gibit",
                "0x10",
                "NaN",
                "Infinity",
                "٣GiB",
                "80ＧiB",
                "80G\nB"
            })
    void refusesWhatIsNoAmountAndSaysHowToWriteOne(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Bytes.parse(text)).withMessageContaining("80GiB");
    }

    @ParameterizedTest
    @ValueSource(strings = {"18446744073709551616", "16777216TiB", "99999999999TB", "18446744073709551615.5"})
    void refusesAmountsOutOfRange(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Bytes.parse(text)).withMessageContaining("2^64-1");
    }

    @Test
    void refusesAHugeTextInFewWords() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Bytes.parse("9".repeat(1_000_000)))
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(200));
    }

    @Test
    void refusesAnAmountWithoutAUnitWhereOneIsNeeded() {
        assertThat(Bytes.parseWithUnit(" 24GiB")).isEqualTo(Bytes.ofGib(24));
        assertThat(Bytes.parseWithUnit("24B")).hasToString("24");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Bytes.parseWithUnit("24"))
                .withMessage("'24' has no unit; write 24GiB, or 24B for bytes");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Bytes.parseWithUnit("GiB"))
                .withMessageContaining("80GiB");
    }

    @Test
    void readsBackWhatItPrints() {
        Trials.run(TRIALS, random -> {
            Bytes amount = anyAmount(random);
            assertThat(Bytes.parse(amount.toString())).isEqualTo(amount);
        });
    }

    private static Bytes anyAmount(Random random) {
        return new Bytes(random.nextLong() >>> random.nextInt(Long.SIZE));
    }

    private static BigInteger exact(Bytes amount) {
        return new BigInteger(amount.toString());
    }
}
