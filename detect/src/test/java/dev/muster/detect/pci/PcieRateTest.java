// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.pci;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.unit.Bandwidth;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PcieRateTest {
    @ParameterizedTest
    @CsvSource({
        "2.5 GT/s PCIe, 1, 0.25, 1",
        "5 GT/s, 8, 4.0, 2",
        "8.0 GT/s PCIe, 16, 15.75, 3",
        "16.0 GT/s PCIe, 16, 31.51, 4",
        "32.0 GT/s PCIe, 16, 63.02, 5",
        "64.0 GT/s PCIe, 16, 126.03, 6"
    })
    void computesTheRateOfALink(String speed, String width, double rate, long generation) {
        PcieRate link = new PcieRate(
                PcieRate.parseSpeed(speed).orElseThrow(),
                PcieRate.parseWidth(width).orElseThrow());

        assertThat(link.bandwidth()).isEqualTo(new Bandwidth(rate));
        assertThat(PcieRate.parseGeneration(speed)).contains(generation);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Unknown", "", "Unknown speed", "0", "-5 GT/s", "NaN", "1e99"})
    void anUnknownSpeedIsNone(String text) {
        assertThat(PcieRate.parseSpeed(text)).isEmpty();
        assertThat(PcieRate.parseGeneration(text)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "255", "", "x16", "-1"})
    void aPortWithoutALinkHasNoWidth(String text) {
        assertThat(PcieRate.parseWidth(text)).isEmpty();
    }
}
