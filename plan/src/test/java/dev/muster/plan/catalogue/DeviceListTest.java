// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.unit.Bytes;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeviceListTest {
    private static final DeviceCatalogue CATALOGUE = DeviceCatalogue.builtIn();

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            h100-sxm:8         | 8 x h100-sxm
            H100-SXM           | 1 x h100-sxm
            h100-sxm:8,l4:2    | 8 x h100-sxm, 2 x l4
            ' l4:1 , mi300x '  | 1 x l4, 1 x mi300x
            l4:1024            | 1024 x l4
            l4,l4              | 1 x l4, 1 x l4
            h100:8,b200        | 8 x h100-sxm, 1 x b200-sxm
            m3-max-40c:64GiB   | 1 x m3-max-40c with 64.0 GiB
            gb10:128GiB:2      | 2 x gb10 with 128.0 GiB
            """)
    void namesAndCountsAreRead(String text, String devices) {
        assertThat(DeviceList.parse(text, CATALOGUE).display()).isEqualTo(devices);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            ""             | 1  | a device should stand here; write devices as in h100-sxm:8,l4:2
            l4,            | 4  | a device should stand here; write devices as in h100-sxm:8,l4:2
            l4,,l4         | 4  | a device should stand here; write devices as in h100-sxm:8,l4:2
            l4 l4          | 4  | a comma should stand here; write devices as in h100-sxm:8,l4:2
            l4]            | 3  | a comma should stand here; write devices as in h100-sxm:8,l4:2
            l4,h1O0-sxm:2  | 4  | unknown device 'h1O0-sxm'; did you mean h100-sxm?
            gaudi          | 1  | unknown device 'gaudi'; did you mean gaudi1 or gaudi2 or gaudi3?
            a100-80-sxm:8  | 1  | unknown device 'a100-80-sxm'; did you mean a100-sxm4-80?
            4060-ti        | 1  | '4060-ti' may be rtx-4060-ti-16 or rtx-4060-ti-8; write one of them
            h100:80GiB     | 6  | the memory of h100-sxm is 80 GB; a size can be given where processor and device \
            share one memory
            m3-max:1TiB    | 8  | the memory of m3-max-40c is at most 128 GB, not '1TiB'
            m3-max:0GiB    | 8  | the memory of m3-max-40c is at most 128 GB, not '0GiB'
            m3-max:64GiB:0 | 14 | the count of m3-max-40c is a number from 1 to 1024, not '0'
            m3-max:64zib   | 8  | '64zib' is not a memory size; write a number with KiB, MiB, GiB or TiB, as in 80GiB
            zzzzzz         | 1  | unknown device 'zzzzzz'; write a name of the device catalogue, such as \
            h100-sxm, a100-sxm4-80 or mi300x
            l4:            | 4  | the count of l4 is a number from 1 to 1024, not ''
            l4:0           | 4  | the count of l4 is a number from 1 to 1024, not '0'
            l4:1025        | 4  | the count of l4 is a number from 1 to 1024, not '1025'
            l4:99999999999 | 4  | the count of l4 is a number from 1 to 1024, not '99999999999'
            l4:-1          | 4  | the count of l4 is a number from 1 to 1024, not '-1'
            l4:٣           | 4  | the count of l4 is a number from 1 to 1024, not '٣'
            l4:1:2         | 4  | the count of l4 is a number from 1 to 1024, not '1:2'
            cpu:1TiB       | 1  | the processor stays as it is; only a made-up host has another
            l4:1024,l4:1024,l4:1024,l4:1024,l4 | 33 | these are more than 4096 devices; ask for fewer
            sn40l          | 1  | nothing can be planned for 'sn40l', since no host has such a device by \
            itself; choose another device
            """)
    void whatIsNoListIsRefusedWithItsPlace(String text, int position, String sentence) {
        assertThatThrownBy(() -> DeviceList.parse(text, CATALOGUE))
                .isInstanceOfSatisfying(
                        DeviceTextException.class, e -> assertThat(e.position()).isEqualTo(position))
                .hasMessage("character " + position + ": " + sentence);
    }

    @Test
    void anEndlessTextIsRefused() {
        assertThatThrownBy(() -> DeviceList.parse("l4,".repeat(2000), CATALOGUE))
                .hasMessage("character 4096: the text is longer than 4096 characters; describe fewer devices");
        assertThatThrownBy(() -> DeviceList.parse("y".repeat(100), CATALOGUE))
                .hasMessageContaining("'" + "y".repeat(40) + "…'");
    }

    @Test
    void numbersThatAreTakenAreLeftOut() {
        AcceleratorRegistry others = AcceleratorRegistry.of(
                List.of(AcceleratorProfile.cuda(1, Bytes.ofGib(8)), AcceleratorProfile.rocm(0, Bytes.ofGib(8))));

        assertThat(DeviceList.parse("l4:3,mi300x", CATALOGUE).toProfiles(others))
                .extracting(profile -> profile.id().text())
                .containsExactly("cuda:0", "cuda:2", "cuda:3", "rocm:1");
    }

    @Test
    void devicesByThemselvesHaveNoFabric() {
        AcceleratorRegistry none = AcceleratorRegistry.of(List.of());

        assertThat(DeviceList.parse("h100-sxm:2", CATALOGUE).toProfiles(none)).allSatisfy(device -> {
            assertThat(device.reading(DeviceFact.FABRIC_BANDWIDTH).isKnown()).isFalse();
            assertThat(device.memory().isKnown()).isTrue();
        });
    }
}
