package dev.muster.detect.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Ratio;
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
        assertThat(Amount.percent("101%")).isEmpty();
        assertThat(Amount.watts("-3 W")).isEmpty();
        assertThat(Amount.decimal("0xffffffff")).isEmpty();
        assertThat(Amount.decimal("7.")).contains(7.0);
    }

    @Test
    void readsTablesThatToolsDraw() {
        assertThat(PipeTable.rows("+--+--+\n| a | b |\n|---|---|\n|===|==|\n| 1 |  |\ntext\n|\n| open"))
                .containsExactly(List.of("a", "b"), List.of("1", ""), List.of("open"));
    }
}
