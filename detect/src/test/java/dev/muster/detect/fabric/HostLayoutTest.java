// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.detect.Contexts;
import dev.muster.detect.Fixtures;
import dev.muster.detect.host.HostSketch;
import dev.muster.detect.normalise.PciPlace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HostLayoutTest {
    private static final String TOPOLOGY = """
            <system version="1">
              <cpu numaid="2">
                <pci busid="ffff:ff:01.0" class="0x060400">
                  <pci busid="0003:00:00.0" class="0x030200"/>
                </pci>
              </cpu>
            </system>
            """;

    private final List<Gap> gaps = new ArrayList<>();

    private HostLayout layout(HostSketch host) {
        return HostLayout.of(Contexts.of(host), gaps::add);
    }

    private static PciAddress at(String address) {
        return PciAddress.find(address).orElseThrow();
    }

    private static HostSketch hwloc(String archive, String root) throws IOException {
        return new HostSketch().tar(Fixtures.sharedTar("topology/hwloc-sysfs/" + archive), root, "");
    }

    private static Optional<Long> numa(HostLayout layout, String address) {
        return layout.findPlace(at(address)).flatMap(place -> place.numa().find());
    }

    @Test
    void findsPlacesInARealTree() throws IOException {
        HostSketch host = hwloc("32em64t-2n8c-dax-nvme-mic-dimms.tar.bz2", "32em64t-2n8c+1mic");
        HostLayout layout = layout(host);

        PciPlace card = layout.findPlace(at("0000:82:00.0")).orElseThrow();
        assertThat(card.numa().find()).contains(1L);
        assertThat(card.hostBridge()).isEqualTo("0000:80");
        assertThat(card.bridges()).containsExactly(at("0000:80:02.2"));
        assertThat(numa(layout, "0000:00:02.0"))
                .as("numa_node is -1, but its processors are those of node 0")
                .contains(0L);
        assertThat(new NetworkProbe().probe(Contexts.of(host)).cards())
                .extracting(NetworkReport.Card::name)
                .containsExactly("mlx4_0", "scif0");
        assertThat(Contexts.of(host)
                        .pci()
                        .find(at("0000:82:00.0"))
                        .orElseThrow()
                        .id())
                .isEqualTo("15b3:1003");
        assertThat(Contexts.of(host).pci().devices().stream()
                        .filter(device -> device.hasClass(0x0b40))
                        .filter(device ->
                                numa(layout, device.address().toString()).equals(Optional.of(1L)))
                        .map(device -> device.id()))
                .containsExactly("8086:225c");
    }

    @Test
    void whereEveryProcessorIsNearNoNodeIsNamed() throws IOException {
        HostSketch host = hwloc("40intel64-2g2n4c-pcilocality.tar.bz2", "40intel64-2g2n4c+pci");
        HostLayout layout = layout(host);

        assertThat(new NetworkProbe().probe(Contexts.of(host)).cards())
                .extracting(card -> card.name() + " " + card.address().find().orElseThrow())
                .containsExactly("qib0 0000:43:00.0");
        long silent = Contexts.of(host).pci().devices().stream()
                .filter(device -> numa(layout, device.address().toString()).isEmpty())
                .count();
        assertThat(silent).isEqualTo(Contexts.of(host).pci().devices().size() - 1);
        assertThat(numa(layout, "0000:43:00.0"))
                .as("the one device with a node")
                .contains(2L);
    }

    @Test
    void pitfall10_aPublishedTopologyPlacesWhatTheMachineHides() {
        HostLayout layout = layout(new HostSketch().file("/var/run/nvidia-topologyd/virtualTopology.xml", TOPOLOGY));

        PciPlace gpu = layout.findPlace(new PciAddress(3, 0, 0, 0)).orElseThrow();

        assertThat(gpu.numa().find()).contains(2L);
        assertThat(gpu.bridges()).containsExactly(at("ffff:ff:01.0"));
        assertThat(layout.findPlace(at("0004:00:00.0"))).isEmpty();
    }

    @Test
    void aVariableNamesThePublishedTopology() {
        HostLayout layout = layout(
                new HostSketch().variable("NCCL_TOPO_FILE", "/opt/topo.xml").file("/opt/topo.xml", TOPOLOGY));

        assertThat(layout.findPlace(new PciAddress(3, 0, 0, 0))).isPresent();
        assertThat(gaps).isEmpty();
    }

    @Test
    void aBrokenTopologyIsAGapAndNotAFailure() {
        HostLayout layout = layout(
                new HostSketch().file("/var/run/nvidia-topologyd/virtualTopology.xml", "<system><cpu></system>"));

        assertThat(layout.findPlace(new PciAddress(3, 0, 0, 0))).isEmpty();
        assertThat(gaps).hasSize(1).first().isInstanceOf(Gap.Unparsable.class);
    }

    @Test
    void completesADeviceWithTheNodeOfItsProcessors() {
        HostSketch host = new HostSketch()
                .pci("0000:01:00.0", "10DE:2684", "30000", "nvidia")
                .file("/sys/bus/pci/devices/0000:01:00.0/numa_node", "-1\n")
                .file("/sys/bus/pci/devices/0000:01:00.0/local_cpulist", "4-7\n")
                .file("/sys/devices/system/node/node0/cpulist", "0-3\n")
                .file("/sys/devices/system/node/node1/cpulist", "4-7\n");
        AcceleratorProfile gpu = AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.CUDA_GPU, 0))
                .with(DeviceFact.PCI_ADDRESS, Reading.known(at("0000:01:00.0"), Provenance.GIVEN))
                .build();

        assertThat(layout(host).complete(gpu).reading(DeviceFact.NUMA_NODE).find())
                .contains(1L);
        assertThat(gaps).isEmpty();
    }
}
