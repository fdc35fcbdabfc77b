// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.muster.core.unit.Bytes;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceSelectionTest {
    private static final List<AcceleratorProfile> DEVICES = Stream.of(
                    AcceleratorProfile.cpu(Bytes.ofGib(64)),
                    AcceleratorProfile.cuda(0, Bytes.ofGib(80)),
                    AcceleratorProfile.cuda(1, Bytes.ofGib(80)),
                    named(AcceleratorProfile.rocm(0, Bytes.ofGib(16)), "Radeon 3-4 Pro"))
            .toList();

    private static AcceleratorProfile named(AcceleratorProfile profile, String name) {
        return profile.toBuilder()
                .with(DeviceFact.DEVICE_NAME, Reading.known(name, Provenance.GIVEN))
                .build();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | cpu:0",
                "3 | rocm:0",
                "1-2 | cuda:0 cuda:1",
                "2-2 | cuda:1",
                "0-999999999 | cpu:0 cuda:0 cuda:1 rocm:0",
                "2-9 | cuda:1 rocm:0",
                "2,0 | cpu:0 cuda:1",
                "0,0,cpu:0 | cpu:0",
                "cuda:1 | cuda:1",
                " rocm:0 , 1 | cuda:0 rocm:0",
                "radeon | rocm:0",
                "3-4 PRO | rocm:0"
            })
    void selectsInTheOrderOfTheRegistryAndOnce(String text, String ids) {
        assertThat(DeviceSelection.parse(text).select(DEVICES))
                .extracting(profile -> profile.id().text())
                .containsExactly(ids.split(" "));
        assertThat(DeviceSelection.parse(text).findUnmatched(DEVICES)).isEmpty();
    }

    @Test
    void namesTheItemsThatMeanNoDevice() {
        DeviceSelection selection = DeviceSelection.parse("0, 7,cuda:9 ,4-5,Tesla,1000000000,1-2-3");
        assertThat(selection.select(DEVICES)).containsExactly(DEVICES.getFirst());
        assertThat(selection.findUnmatched(DEVICES))
                .containsExactly("7", "cuda:9", "4-5", "Tesla", "1000000000", "1-2-3");
    }

    @Test
    void anEmptyRegistryLeavesEverythingUnmatched() {
        assertThat(DeviceSelection.parse("0").select(List.of())).isEmpty();
        assertThat(DeviceSelection.parse("0").findUnmatched(List.of())).containsExactly("0");
    }

    @Test
    void refusesARangeThatRunsBackwardsAndTurnsItRound() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DeviceSelection.parse("0,3-2"))
                .withMessageContaining("'3-2'")
                .withMessageContaining("write 2-3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", ",", "0,", ",0", "0,,1", "0, ,1"})
    void refusesAnEmptyItem(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DeviceSelection.parse(text))
                .withMessageContaining("empty item");
    }
}
