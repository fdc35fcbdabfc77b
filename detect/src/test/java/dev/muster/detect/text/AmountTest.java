// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Hertz;
import dev.muster.core.unit.Ratio;
import dev.muster.core.unit.Watts;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AmountTest {
    @Test
    void readsAmountsOfMemoryInPowersOfTwo() {
        assertThat(Amount.bytes("96 GB")).contains(Bytes.ofGib(96));
        assertThat(Amount.bytes(" 31.25 GiB ")).contains(Bytes.parse("31.25GiB"));
        assertThat(Amount.bytes("49152MiB")).contains(Bytes.ofMib(49152));
        assertThat(Amount.bytes("1024", "KiB")).contains(Bytes.ofMib(1));
        assertThat(Amount.bytes("16384.00 MiB")).contains(Bytes.ofMib(16_384));
        assertThat(Amount.bytes("7 B")).contains(Bytes.of(7));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "-", "N/A", "GB", "-1 GB", "17 TB", "99999999999999999999 B", "5", "5 parsecs", "1e9 B"})
    void whatIsNoAmountIsNothing(String text) {
        assertThat(Amount.bytes(text)).isEmpty();
    }

    @Test
    void readsCountsWithinTheirRange() {
        assertThat(Amount.count(" 12 ", 100)).contains(12L);
        assertThat(Amount.count("100", 100)).contains(100L);
        for (String text : List.of("101", "-1", "1.0", "1 x", "", "٣", "9999999999999999999")) {
            assertThat(Amount.count(text, 100)).as(text).isEmpty();
        }
    }

    @Test
    void readsNumbersWithUnits() {
        assertThat(Amount.celsius("41.34°C")).contains(new Celsius(41.34));
        assertThat(Amount.percent("100.00%")).contains(new Ratio(1));
        assertThat(Amount.percent("25 %")).contains(new Ratio(0.25));
        assertThat(Amount.percent("101%")).isEmpty();
        assertThat(Amount.watts("87W")).contains(new Watts(87));
        assertThat(Amount.celsius("36 C")).contains(new Celsius(36));
        assertThat(Amount.celsius("-3 C")).contains(new Celsius(-3));
        assertThat(Amount.megahertz("2050 MHz")).contains(Hertz.ofMegahertz(2050));
        assertThat(Amount.watts("-3 W")).isEmpty();
        assertThat(Amount.decimal("0xffffffff")).isEmpty();
        assertThat(Amount.decimal("7.")).contains(7.0);
    }

    @Test
    void anotherUnitIsAnotherAmount() {
        assertThat(Amount.watts("87 mW")).isEmpty();
        assertThat(Amount.celsius("99 F")).isEmpty();
        assertThat(Amount.percent("5 C")).isEmpty();
        assertThat(Amount.megahertz("2 GHz")).isEmpty();
    }

    @Test
    void takesTheUnitThatWasAskedForWhereNoneIsPrinted() {
        assertThat(Amount.bytes("32", "MiB")).contains(Bytes.ofMib(32));
        assertThat(Amount.bytes("32 GiB", "MiB")).contains(Bytes.ofGib(32));
        assertThat(Amount.bytes("32", "")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "N/A", "MiB", "-", ".5", "x1", "٣ MiB"})
    void aTextWithoutANumberAtItsStartIsNone(String text) {
        assertThat(Amount.decimal(text)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"16", "16 XB", "-1 MiB", "16777217 MiB", "99999999999999999999999999 TiB", "1 MiB/s"})
    void isNoMemory(String text) {
        assertThat(Amount.bytes(text)).isEmpty();
    }

    @Test
    void aLongTextIsNoAmount() {
        assertThat(Amount.decimal("9".repeat(100_000))).isEmpty();
        assertThat(Amount.megahertz("9".repeat(60) + " MHz")).isEmpty();
        assertThat(Amount.count("9".repeat(19), Long.MAX_VALUE)).isEmpty();
    }

    @Test
    void readsTablesThatToolsDraw() {
        assertThat(PipeTable.rows("+--+--+\n| a | b |\n|---|---|\n|===|==|\n| 1 |  |\ntext\n|\n| open"))
                .containsExactly(List.of("a", "b"), List.of("1", ""), List.of("open"));
    }
}
