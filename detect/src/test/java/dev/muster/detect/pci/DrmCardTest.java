// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.pci;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.Reading;
import dev.muster.core.unit.Bandwidth;
import dev.muster.detect.Contexts;
import dev.muster.detect.host.HostSketch;
import java.util.List;
import org.junit.jupiter.api.Test;

class DrmCardTest {
    @Test
    void readsAKernelsOwnWords() {
        HostSketch host = new HostSketch()
                .file(
                        "/sys/class/drm/card1/device/uevent",
                        "DRIVER=xe\nPCI_CLASS=30000\nPCI_ID=8086:E20B\nPCI_SLOT_NAME=0000:09:00.0\n")
                .folder("/sys/class/drm/card1-DP-1")
                .folder("/sys/class/drm/renderD128");

        assertThat(DrmCard.list(host.host().files()))
                .isEqualTo(List.of(new DrmCard("card1", "8086:e20b", 0x8086, "xe", "0000:09:00.0")));
    }

    @Test
    void readsSingleFilesWhereThereIsNoMore() {
        HostSketch host = new HostSketch()
                .file("/sys/class/drm/card0/device/vendor", "0x8086\n")
                .file("/sys/class/drm/card0/device/device", "0x46a6\n");

        assertThat(DrmCard.list(host.host().files()))
                .isEqualTo(List.of(new DrmCard("card0", "8086:46a6", 0x8086, "", "")));
    }

    @Test
    void cardsThatAreNotOnTheBusAreLeftOut() {
        HostSketch host = new HostSketch()
                .file("/sys/class/drm/card0/device/uevent", "DRIVER=panfrost\n")
                .file("/sys/class/drm/card1/device/vendor", "junk")
                .file("/sys/class/drm/card2/device/uevent", "PCI_ID=:\n")
                .file("/sys/class/drm/card3/device/uevent", "PCI_ID=12345:1\n");

        assertThat(DrmCard.list(host.host().files())).isEmpty();
    }

    @Test
    void devicesOfTheBusAreInTheOrderOfTheirAddresses() {
        HostSketch host = new HostSketch()
                .pci("0000:4d:00.0", "1DA3:1060", "120000", "")
                .pci("0000:33:00.0", "1DA3:1060", "120000", "")
                .pci("0000:0a:00.0", "1DA3:1060", "120000", "");

        assertThat(Contexts.of(host).pci().devices())
                .extracting(device -> device.address().toString())
                .containsExactly("0000:0a:00.0", "0000:33:00.0", "0000:4d:00.0");
    }

    @Test
    void aLinkIsAsFastAsItsFastestGenerationAndItsMostLanes() {
        HostSketch host = new HostSketch()
                .file("/d/current_link_speed", "2.5 GT/s PCIe\n")
                .file("/d/current_link_width", "8\n")
                .file("/d/max_link_speed", "16.0 GT/s PCIe\n")
                .file("/d/max_link_width", "16\n");

        PcieLink link = PcieLink.of(Contexts.of(host).folder("/d", gap -> {}));

        assertThat(link.generation().find()).contains(1L);
        assertThat(link.width().find()).contains(8L);
        assertThat(link.generationMax().find()).contains(4L);
        assertThat(link.bandwidth().find().map(Bandwidth::gigabytesPerSecond).orElse(0.0))
                .isBetween(31.50, 31.52);
        assertThat(link.isSlowest()).isFalse();
    }

    @Test
    void anUnknownSpeedIsNoGeneration() {
        assertThat(PcieRate.parseGeneration("Unknown")).isEmpty();
        assertThat(PcieRate.parseGeneration("")).isEmpty();
        assertThat(PcieRate.parseGeneration("8 GT/s")).contains(3L);
        assertThat(PcieLink.unknown("why").bandwidth()).isInstanceOf(Reading.Unknown.class);
    }
}
