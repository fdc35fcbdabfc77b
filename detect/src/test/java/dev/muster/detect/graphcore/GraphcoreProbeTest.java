// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.graphcore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.PciAddress;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.Contexts;
import dev.muster.detect.Fixtures;
import dev.muster.detect.host.HostSketch;
import dev.muster.detect.probe.ProbeReport;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GraphcoreProbeTest {
    @Test
    void pitfall21_groupsOfIpusAreNoFurtherDevices() throws IOException {
        ProbeReport report =
                probe(new HostSketch().tool("gc-info -l", Fixtures.shared("graphcore/gc-info-l.16ipu-pcie.txt")));

        assertThat(report.profiles()).hasSize(16);
        assertThat(report.profiles())
                .extracting(device -> device.accelerator().deviceId())
                .containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L, 12L, 13L, 14L, 15L);
        assertThat(report.profiles().getFirst().reading(DeviceFact.PCI_ADDRESS).find())
                .isEqualTo(PciAddress.find("0000:1a:00.0"));
        assertThat(report.profiles().getLast().reading(DeviceFact.PCI_ADDRESS).find())
                .isEqualTo(PciAddress.find("0000:bb:00.0"));
        assertThat(report.profiles()).noneMatch(device -> device.memory().isKnown());
        assertThat(report.gaps()).isEmpty();
    }

    @Test
    void countsSinglesOfAWrittenListing() {
        assertThat(GcListParser.parse("""
                -+- Id:  [0], type:      [PCIe], PCI Domain: [0000:1a:00.0]
                -+- Id:  [1], type:    [Fabric], IPUoF
                -+- Id:  [2], type: [Multi IPU]
                |--- PCIe Id:  [0], DNC Id: [0], PCI Domain: [0000:1a:00.0]
                -+- Id: [x], type: [PCIe]
                -+- Id:
                """)).containsOnlyKeys(0L, 1L).containsEntry(1L, "");
    }

    @Test
    void believesADescriptionWithoutAListing() {
        ProbeReport report = probe(new HostSketch()
                .tool("gc-info -d 0 -i", "{\"memory\": 943718400}\n")
                .tool("gc-info *", 3, "", "no such option"));

        assertThat(report.profiles()).hasSize(1);
        assertThat(report.profiles().getFirst().memory().find()).contains(Bytes.of(943718400));
        assertThat(report.profiles()
                        .getFirst()
                        .reading(DeviceFact.COMPUTE_CAPABILITY)
                        .find())
                .contains("IPU");
        assertThat(report.gaps()).isEmpty();
    }

    @Test
    void readsTheMemoryOfADescription() {
        assertThat(GcListParser.parseMemory("{\"memory\":\"x\",\"sram_size\":7}"))
                .contains(Bytes.of(7));
        assertThat(GcListParser.parseMemory("memory none\nmemory 5mb")).contains(Bytes.ofMib(5));
        assertThat(GcListParser.parseMemory("Memory 900MB 1GB")).contains(Bytes.ofMib(900));
        assertThat(GcListParser.parseMemory("sram 900 MB")).isEmpty();
        assertThat(GcListParser.parseMemory("[1]")).isEmpty();
        assertThat(GcListParser.parseMemory("{\"tile memory\":\"624KB\",\"memory 5MB\""))
                .isEmpty();
    }

    @Test
    void findsCardsOnTheBusWithoutTheTool() {
        HostSketch host = new HostSketch()
                .pci("0000:1a:00.0", "1D95:0003", "120000", "ipu")
                .pci("0000:1b:00.0", "1D95:0003", "120000", "ipu");

        ProbeReport report = probe(host);

        assertThat(report.profiles()).hasSize(2);
        AcceleratorProfile second = report.profiles().get(1);
        assertThat(second.reading(DeviceFact.PCI_ID).find()).contains("1d95:0003");
        assertThat(second.memory().isKnown()).isFalse();
    }

    @Test
    void d37_camerasAreNoIpus() {
        HostSketch camera =
                new HostSketch().file("/dev/ipu-psys0", "").pci("0000:00:05.0", "8086:A75D", "048000", "intel-ipu6");
        HostSketch misleading =
                new HostSketch().file("/dev/ipu0", "").pci("0000:00:05.0", "8086:A75D", "048000", "intel-ipu6");

        assertThat(new GraphcoreProbe().hasSigns(Contexts.of(camera))).isFalse();
        assertThat(new GraphcoreProbe().hasSigns(Contexts.of(misleading))).isFalse();
        assertThat(new GraphcoreProbe().hasSigns(Contexts.of(new HostSketch().file("/dev/ipu0", ""))))
                .isTrue();
    }

    @Test
    void saysThatTheToolFails() {
        ProbeReport report = probe(new HostSketch().file("/dev/ipu0", "").tool("gc-info *", 1, "", "no driver"));

        assertThat(report.profiles()).hasSize(1);
        assertThat(report.gaps()).singleElement().isInstanceOf(Gap.ToolFailed.class);
    }

    private static ProbeReport probe(HostSketch host) {
        return new GraphcoreProbe().probe(Contexts.of(host));
    }

    @Test
    void ipusOfAnM2000AreReachedByAFabric() throws IOException {
        String listing = Fixtures.own("graphcore/gc-info/m2000-x2__2.5__synthetic.txt");

        assertThat(GcListParser.parse(listing)).containsExactly(Map.entry(0L, ""), Map.entry(1L, ""));
    }
}
