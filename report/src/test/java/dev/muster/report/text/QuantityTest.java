// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorFamily;
import dev.muster.core.DeviceId;
import dev.muster.core.PciAddress;
import dev.muster.core.ProcessList;
import dev.muster.core.ProcessList.DeviceProcess;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Hertz;
import dev.muster.core.unit.Ratio;
import dev.muster.core.unit.Watts;
import java.util.List;
import org.junit.jupiter.api.Test;

class QuantityTest {
    @Test
    void memoryIsShownInBinaryUnits() {
        assertThat(Quantity.of(Bytes.ofMib(81_559))).isEqualTo("79.6 GiB");
        assertThat(Quantity.of(Bytes.ofGib(1))).isEqualTo("1.0 GiB");
        assertThat(Quantity.of(Bytes.ofGib(2048))).isEqualTo("2048.0 GiB");
        assertThat(Quantity.of(Bytes.ofMib(512))).isEqualTo("512.0 MiB");
        assertThat(Quantity.of(Bytes.ofKib(512))).isEqualTo("512.0 KiB");
        assertThat(Quantity.of(Bytes.ZERO)).isEqualTo("0.0 GiB");
        assertThat(Quantity.of(Bytes.MAX)).isEqualTo("17179869184.0 GiB");
    }

    @Test
    void ratesAreShownInDecimalUnits() {
        assertThat(Quantity.of(new Bandwidth(3352))).isEqualTo("3352 GB/s");
        assertThat(Quantity.of(new Bandwidth(31.5))).isEqualTo("32 GB/s");
        assertThat(Quantity.of(new Bandwidth(7.04))).isEqualTo("7.0 GB/s");
        assertThat(Quantity.of(new Bandwidth(0.06))).isEqualTo("0.1 GB/s");
    }

    @Test
    void otherQuantitiesHaveTheirUnits() {
        assertThat(Quantity.of(new Celsius(41))).isEqualTo("41 C");
        assertThat(Quantity.of(new Watts(70.6))).isEqualTo("71 W");
        assertThat(Quantity.of(new Ratio(0.07))).isEqualTo("7 %");
        assertThat(Quantity.of(new Ratio(1))).isEqualTo("100 %");
        assertThat(Quantity.of(132L)).isEqualTo("132");
    }

    @Test
    void wordsArePlain() {
        assertThat(Quantity.of(AcceleratorFamily.AI_ASIC)).isEqualTo("AI ASIC");
        assertThat(Quantity.of(true)).isEqualTo("yes");
        assertThat(Quantity.of(false)).isEqualTo("no");
        assertThat(Quantity.of(new Availability(true))).isEqualTo("ok");
        assertThat(Quantity.of(new Availability(false))).isEqualTo("unavailable");
        assertThat(Quantity.base(new Availability(false))).isEqualTo("false");
        assertThat(Quantity.of(new DeviceId("cuda:0"))).isEqualTo("cuda:0");
        assertThat(Quantity.of("a\u001b[31mb")).isEqualTo("a?[31mb");
    }

    @Test
    void bareNumbersStayInTheUnitThatPeopleSee() {
        assertThat(Quantity.bare(Bytes.ofMib(512))).isEqualTo("0.5");
        assertThat(Quantity.bare(new Bandwidth(3352))).isEqualTo("3352");
        assertThat(Quantity.bare(new Ratio(0.5))).isEqualTo("50");
    }

    @Test
    void machinesGetBaseUnits() {
        assertThat(Quantity.base(Bytes.ofMib(81_559))).isEqualTo("85520809984");
        assertThat(Quantity.base(Bytes.MAX)).isEqualTo("18446744073709551615");
        assertThat(Quantity.base(new Bandwidth(478.125))).isEqualTo("478125000000");
        assertThat(Quantity.base(new Celsius(41))).isEqualTo("41");
        assertThat(Quantity.base(new Celsius(41.5))).isEqualTo("41.5");
        assertThat(Quantity.base(new Watts(70.25))).isEqualTo("70.25");
        assertThat(Quantity.base(new Ratio(0.07))).isEqualTo("0.07");
        assertThat(Quantity.base(AcceleratorFamily.AI_ASIC)).isEqualTo("ai-asic");
        assertThat(Quantity.base(true)).isEqualTo("true");
        assertThat(Quantity.base(7L)).isEqualTo("7");
        assertThat(Quantity.base(PciAddress.find("3b:00.0").orElseThrow())).isEqualTo("0000:3b:00.0");
    }

    @Test
    void clocksAreMegahertzForPeopleAndHertzForMachines() {
        Hertz clock = Hertz.ofMegahertz(1980);

        assertThat(Quantity.of(clock)).isEqualTo("1980 MHz");
        assertThat(Quantity.bare(clock)).isEqualTo("1980");
        assertThat(Quantity.base(clock)).isEqualTo("1980000000");
        assertThat(Quantity.exact(clock)).isEqualTo("1980000000 Hz");
        assertThat(Quantity.json(clock)).isEqualTo(new JsonNumber("1980000000"));
    }

    @Test
    void aPartOfAWholeHasOneUnit() {
        assertThat(Quantity.of(new Share(Bytes.ofMib(72_909), Bytes.ofMib(81_559))))
                .isEqualTo("71.2 of 79.6 GiB");
        assertThat(Quantity.of(new Share(Bytes.ofMib(100), Bytes.ofMib(512)))).isEqualTo("100.0 of 512.0 MiB");
        assertThat(Quantity.of(new Share(null, Bytes.ofGib(80)))).isEqualTo("? of 80.0 GiB");
        assertThat(Quantity.of(new Share(new Watts(321), new Watts(700)))).isEqualTo("321 of 700 W");
        assertThat(Quantity.bare(new Share(new Watts(321), new Watts(700)))).isEqualTo("321 of 700");
    }

    @Test
    void programsAreNamedForPeopleAndListedForMachines() {
        ProcessList list = new ProcessList(
                List.of(new DeviceProcess(1204, "python3", Bytes.ofGib(1)), new DeviceProcess(7, null, null)));

        assertThat(Quantity.of(list)).isEqualTo("1204 python3, 7");
        assertThat(Quantity.of(new ProcessList(List.of()))).isEqualTo("none");
        assertThat(Quantity.json(list).toText())
                .isEqualTo("[{\"pid\":1204,\"name\":\"python3\",\"memoryBytes\":1073741824},{\"pid\":7}]");
    }

    @Test
    void aRateForMachinesIsAsExactAsInJson() {
        // 9 digits behind the point of GB/s are whole bytes; the document writes 25781250000 for this one.
        assertThat(Quantity.base(new Bandwidth(25.78125))).isEqualTo("25781250000");
        assertThat(Quantity.base(new Bandwidth(0.1))).isEqualTo("100000000");
        assertThat(Quantity.base(new Bandwidth(1.1))).isEqualTo("1100000000");
    }

    @Test
    void jsonHasNumbersForQuantitiesAndTextForWords() {
        assertThat(Quantity.json(Bytes.ofGib(1))).isEqualTo(new JsonNumber("1073741824"));
        assertThat(Quantity.json(new Ratio(0.5))).isEqualTo(new JsonNumber("0.5"));
        assertThat(Quantity.json(8L)).isEqualTo(new JsonNumber("8"));
        assertThat(Quantity.json("550.90.07")).isEqualTo(new JsonString("550.90.07"));
    }
}
