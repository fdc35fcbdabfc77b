package dev.muster.detect.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Hertz;
import dev.muster.core.unit.Ratio;
import dev.muster.core.unit.Watts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {
    @Test
    void readsNumbersWithUnits() {
        assertThat(Quantity.find("16384.00 MiB").flatMap(Quantity::bytes)).contains(Bytes.ofMib(16_384));
        assertThat(Quantity.find("98304MiB").flatMap(Quantity::bytes)).contains(Bytes.ofMib(98_304));
        assertThat(Quantity.find("16 GB").flatMap(Quantity::bytes)).contains(Bytes.ofGib(16));
        assertThat(Quantity.find("7 B").flatMap(Quantity::bytes)).contains(Bytes.of(7));
        assertThat(Quantity.find("87W").flatMap(Quantity::watts)).contains(new Watts(87));
        assertThat(Quantity.find("36 C").flatMap(Quantity::celsius)).contains(new Celsius(36));
        assertThat(Quantity.find("-3 C").flatMap(Quantity::celsius)).contains(new Celsius(-3));
        assertThat(Quantity.find("25 %").flatMap(Quantity::ratio)).contains(new Ratio(0.25));
        assertThat(Quantity.find("2050 MHz").flatMap(Quantity::megahertz)).contains(Hertz.ofMegahertz(2050));
    }

    @Test
    void takesTheUnitThatWasAskedForWhereNoneIsPrinted() {
        assertThat(Quantity.find("32").map(size -> size.orIn("MiB")).flatMap(Quantity::bytes))
                .contains(Bytes.ofMib(32));
        assertThat(Quantity.find("32 GiB").map(size -> size.orIn("MiB")).flatMap(Quantity::bytes))
                .contains(Bytes.ofGib(32));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "N/A", "MiB", "-", ".5", "x1", "٣ MiB"})
    void aTextWithoutANumberAtItsStartIsNone(String text) {
        assertThat(Quantity.find(text)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"16", "16 XB", "-1 MiB", "16777217 MiB", "99999999999999999999999999 TiB", "1 MiB/s"})
    void isNoMemory(String text) {
        assertThat(Quantity.find(text).flatMap(Quantity::bytes)).isEmpty();
    }

    @Test
    void aLongTextIsNoQuantity() {
        assertThat(Quantity.find("9".repeat(100_000))).isEmpty();
        assertThat(Quantity.find("9".repeat(60) + " MHz").flatMap(Quantity::megahertz))
                .isEmpty();
    }

    @Test
    void countsAreWholeAndBounded() {
        assertThat(Quantity.findCount(" 1024 ", 1024)).contains(1024L);
        assertThat(Quantity.findCount("1025", 1024)).isEmpty();
        assertThat(Quantity.findCount("-1", 1024)).isEmpty();
        assertThat(Quantity.findCount("1.0", 1024)).isEmpty();
        assertThat(Quantity.findCount("9".repeat(19), Long.MAX_VALUE)).isEmpty();
    }
}
