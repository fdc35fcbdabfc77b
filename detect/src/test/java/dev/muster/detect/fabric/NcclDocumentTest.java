// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.Interconnect;
import dev.muster.core.Link;
import dev.muster.core.LinkKind;
import dev.muster.detect.DetectBuilder;
import dev.muster.detect.Fixtures;
import dev.muster.detect.host.HostSketch;
import java.io.IOException;
import java.util.List;
import javax.xml.stream.XMLStreamException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NcclDocumentTest {
    private static AcceleratorRegistry rccl(String name) throws IOException, XMLStreamException {
        return NcclDocument.read(Fixtures.shared("amd/rccl-topo/" + name));
    }

    private static List<AcceleratorProfile> gpus(AcceleratorRegistry registry) {
        return registry.profiles().stream()
                .filter(profile -> profile.accelerator().kind() != AcceleratorKind.CPU)
                .toList();
    }

    private static List<Link> links(AcceleratorRegistry registry, LinkKind kind) {
        return registry.topology().links().stream()
                .filter(link -> link.kind() == kind)
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        "topo_8p_940.xml, 8, gfx942, 28, 28",
        "topo_4p3l_2h.xml, 8, gfx908, 12, 12",
        "topo_8p6l_6nic.xml, 8, gfx908, 24, 24",
        "topo_3p_pcie.xml, 3, gfx90a, 0, 0",
        "topo_16p1h.xml, 16, gfx90a, 28, 56"
    })
    void gpusAndTheirXgmiAreThoseOfTheFile(String file, int count, String target, int pairs, int lanes)
            throws IOException, XMLStreamException {
        AcceleratorRegistry registry = rccl(file);

        assertThat(gpus(registry)).hasSize(count).allSatisfy(gpu -> {
            assertThat(gpu.accelerator().kind()).isEqualTo(AcceleratorKind.ROCM_GPU);
            assertThat(gpu.reading(DeviceFact.COMPUTE_CAPABILITY).find()).contains(target);
            assertThat(gpu.memory().isKnown()).isFalse();
        });
        assertThat(links(registry, LinkKind.XGMI)).hasSize(pairs);
        assertThat(links(registry, LinkKind.XGMI).stream().mapToInt(Link::lanes).sum())
                .isEqualTo(lanes);
    }

    @Test
    void everyGpuOfAFullMeshHasSevenLinksAndItsNetworkCard() throws IOException, XMLStreamException {
        AcceleratorRegistry registry = rccl("topo_8p_940.xml");

        assertThat(gpus(registry)).allSatisfy(gpu -> {
            assertThat(gpu.reading(DeviceFact.FABRIC_LINKS).find()).contains(7L);
            assertThat(gpu.reading(DeviceFact.PCIE_GENERATION_MAX).find()).contains(5L);
            assertThat(gpu.reading(DeviceFact.PCI_ID).find()).contains("1002:74a1");
        });
        assertThat(registry.systemIo().interconnects())
                .filteredOn(port -> port.kind() == Interconnect.InterconnectKind.INFINIBAND)
                .hasSize(8)
                .allSatisfy(
                        port -> assertThat(port.bandwidth().find().orElseThrow().gigabytesPerSecond())
                                .isEqualTo(50));
    }

    @Test
    void linksToTheGpuItselfAreThoseToTheSwitch() throws IOException, XMLStreamException {
        AcceleratorRegistry registry = NcclDocument.read(Fixtures.shared("topology/nccl/azure-ncv4-a100.xml"));

        assertThat(gpus(registry))
                .hasSize(4)
                .extracting(gpu -> gpu.reading(DeviceFact.NUMA_NODE).find().orElseThrow())
                .containsExactly(0L, 1L, 2L, 3L);
        assertThat(links(registry, LinkKind.NVLINK)).hasSize(4).allMatch(link -> link.lanes() == 12);
        assertThat(registry.systemIo().interconnects())
                .extracting(Interconnect::name)
                .containsExactly("NVSwitch (4 GPUs)");
    }

    @Test
    void cloudsPlaceGpusAndCardsByTheirClassesAlone() throws IOException, XMLStreamException {
        AcceleratorRegistry registry = NcclDocument.read(Fixtures.shared("topology/nccl/azure-ndv4-a100.xml"));

        assertThat(gpus(registry)).hasSize(8).allMatch(gpu -> gpu.accelerator().kind() == AcceleratorKind.CUDA_GPU);
        assertThat(registry.systemIo().interconnects())
                .filteredOn(port -> port.kind() == Interconnect.InterconnectKind.INFINIBAND)
                .hasSize(8);
        assertThat(gpus(NcclDocument.read(Fixtures.shared("topology/nccl/aws-p4d-24xl.xml"))))
                .hasSize(8);
    }

    @Test
    void aFileThatPlacesDevicesAndNamesNoGpuSaysSo() throws IOException, XMLStreamException {
        AcceleratorRegistry registry = NcclDocument.read(Fixtures.shared("topology/nccl/aws-g5-48xl.xml"));

        assertThat(gpus(registry)).isEmpty();
        assertThat(registry.gaps())
                .containsExactly(new Gap.Unparsable("topology", "the file places PCI devices, but describes no GPU"));
    }

    @Test
    void xgmiOfThePublishedTopologyJoinsTheDevicesOfAHostThatDoesNotShowIt() {
        String file = "/opt/topology.xml";
        HostSketch host = new HostSketch()
                .pci("0000:01:00.0", "1002:74A1", "120000", "amdgpu")
                .pci("0000:02:00.0", "1002:74A1", "120000", "amdgpu")
                .variable("NCCL_TOPO_FILE", file)
                .file(file, """
                        <system version="2"><cpu numaid="0">
                        <pci busid="0000:01:00.0" vendor="0x1002" device="0x74a1"><gpu dev="0" sm="304" gcn="gfx942">
                        <xgmi target="0000:02:00.0" count="2" tclass="0x120000"/></gpu></pci>
                        <pci busid="0000:02:00.0" vendor="0x1002" device="0x74a1"><gpu dev="1" sm="304" gcn="gfx942">
                        <xgmi target="0000:01:00.0" count="2" tclass="0x120000"/></gpu></pci>
                        </cpu></system>
                        """);

        AcceleratorRegistry registry =
                DetectBuilder.all().build(host.host(), System.getLogger("test")).detect();

        assertThat(gpus(registry)).hasSize(2);
        assertThat(links(registry, LinkKind.XGMI))
                .singleElement()
                .satisfies(link -> assertThat(link.lanes()).isEqualTo(2));
    }
}
