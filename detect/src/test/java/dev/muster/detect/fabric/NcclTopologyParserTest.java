package dev.muster.detect.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.muster.core.PciAddress;
import dev.muster.detect.Fixtures;
import dev.muster.detect.fabric.NcclTopology.FabricLink;
import dev.muster.detect.fabric.NcclTopology.Function;
import dev.muster.detect.fabric.NcclTopology.Port;
import java.io.IOException;
import java.util.List;
import javax.xml.stream.XMLStreamException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NcclTopologyParserTest {
    private static final int BRIDGE = 0x060400;
    private static final int GPU = 0x030200;
    private static final int ACCELERATOR = 0x120000;
    private static final int AMD_GPU = 0x038000;
    private static final int INFINIBAND = 0x020700;

    private static NcclTopology nccl(String name) throws IOException, XMLStreamException {
        return NcclTopologyParser.parse(Fixtures.shared("topology/nccl/" + name));
    }

    private static NcclTopology rccl(String name) throws IOException, XMLStreamException {
        return NcclTopologyParser.parse(Fixtures.shared("amd/rccl-topo/" + name));
    }

    private static List<Function> ofClass(NcclTopology topology, int classCode) {
        return topology.functions().stream()
                .filter(function -> function.classCode() == classCode)
                .toList();
    }

    private static List<Function> gpus(NcclTopology topology) {
        return topology.functions().stream()
                .filter(function -> !function.architecture().isEmpty())
                .toList();
    }

    private static List<Long> numaNodes(NcclTopology topology) {
        return topology.functions().stream()
                .map(Function::numa)
                .distinct()
                .sorted()
                .toList();
    }

    private static List<Integer> linkCounts(NcclTopology topology) {
        return gpus(topology).stream()
                .flatMap(gpu -> gpu.links().stream())
                .map(FabricLink::count)
                .distinct()
                .sorted()
                .toList();
    }

    @Test
    void pitfall10_azureNumbersDomainsAndLeavesTheBusAtZero() throws IOException, XMLStreamException {
        NcclTopology topology = nccl("azure-ndv4-a100.xml");

        assertThat(numaNodes(topology)).containsExactly(0L, 1L, 2L, 3L);
        assertThat(ofClass(topology, GPU))
                .hasSize(8)
                .allMatch(gpu -> gpu.address().bus() == 0)
                .extracting(gpu -> gpu.address().domain())
                .containsExactlyInAnyOrder(1, 2, 3, 4, 0xb, 0xc, 0xd, 0xe);
        assertThat(ofClass(topology, INFINIBAND))
                .hasSize(8)
                .extracting(card -> card.address().domain())
                .contains(0x101, 0x108);
        assertThat(ofClass(topology, BRIDGE))
                .hasSize(4)
                .allMatch(bridge -> bridge.address().domain() == 0xffff);
        Function gpu = topology.find(new PciAddress(3, 0, 0, 0)).orElseThrow();
        assertThat(gpu.numa()).isZero();
        assertThat(gpu.above()).containsExactly(new PciAddress(0xffff, 0xff, 1, 0));
    }

    @Test
    void azureNcV4HasAGpuPerNodeAndSwitchesInTheNotationOfLinksToItself() throws IOException, XMLStreamException {
        NcclTopology topology = nccl("azure-ncv4-a100.xml");

        assertThat(gpus(topology)).hasSize(4).allMatch(gpu -> gpu.architecture().equals("80"));
        assertThat(gpus(topology)).extracting(Function::numa).containsExactly(0L, 1L, 2L, 3L);
        assertThat(gpus(topology))
                .allMatch(gpu -> gpu.linkSpeed().isEmpty() && gpu.linkWidth() == 0)
                .allMatch(gpu -> gpu.links().equals(List.of(new FabricLink(false, gpu.address(), 12))));
    }

    @Test
    void awsP4dHasTwoSwitchesASocket() throws IOException, XMLStreamException {
        NcclTopology topology = nccl("aws-p4d-24xl.xml");

        assertThat(numaNodes(topology)).containsExactly(0L, 1L);
        assertThat(ofClass(topology, BRIDGE)).hasSize(4);
        assertThat(ofClass(topology, GPU))
                .hasSize(8)
                .allMatch(gpu -> gpu.above().size() == 1);
        assertThat(ofClass(topology, 0x020000)).hasSize(4);
    }

    @Test
    void awsG5HasNoClassesAndAComment() throws IOException, XMLStreamException {
        NcclTopology topology = nccl("aws-g5-48xl.xml");

        assertThat(topology.functions()).hasSize(9).allMatch(function -> function.classCode() == -1);
        assertThat(topology.find(new PciAddress(0, 0, 0x1d, 0)).orElseThrow().numa())
                .isEqualTo(1);
    }

    @Test
    void mi300xIsAFullMesh() throws IOException, XMLStreamException {
        NcclTopology topology = rccl("topo_8p_940.xml");

        assertThat(numaNodes(topology)).containsExactly(0L, 1L);
        assertThat(ofClass(topology, ACCELERATOR))
                .hasSize(8)
                .allMatch(gpu -> gpu.architecture().equals("gfx942"))
                .allMatch(gpu -> gpu.links().size() == 7 && gpu.links().stream().allMatch(FabricLink::xgmi))
                .allMatch(gpu -> gpu.linkSpeed().equals("32.0 GT/s PCIe") && gpu.linkWidth() == 16);
        assertThat(topology.ports())
                .hasSize(8)
                .allMatch(port -> port.name().startsWith("mlx5") && port.megabits() == 400_000);
    }

    @Test
    void sixteenDiesHaveUnevenLinks() throws IOException, XMLStreamException {
        NcclTopology topology = rccl("topo_16p1h.xml");

        assertThat(numaNodes(topology)).containsExactly(0L, 1L, 2L, 3L);
        assertThat(gpus(topology))
                .hasSize(16)
                .allMatch(gpu -> gpu.architecture().equals("910"));
        assertThat(linkCounts(topology)).containsExactly(1, 2, 4);
        assertThat(topology.ports()).hasSize(8).allMatch(port -> port.megabits() == 200_000);
    }

    @Test
    void twoHivesOfFour() throws IOException, XMLStreamException {
        NcclTopology topology = rccl("topo_4p3l_2h.xml");

        assertThat(gpus(topology)).hasSize(8).allMatch(gpu -> gpu.links().size() == 3);
        assertThat(topology.ports()).extracting(Port::megabits).containsExactly(200_000L);
    }

    @Test
    void sixLinksAndSixCards() throws IOException, XMLStreamException {
        NcclTopology topology = rccl("topo_8p6l_6nic.xml");

        assertThat(gpus(topology))
                .hasSize(8)
                .allMatch(
                        gpu -> gpu.links().stream().mapToInt(FabricLink::count).sum() == 6);
        assertThat(topology.ports()).hasSize(6);
    }

    @Test
    void threeGpusWithoutAFabric() throws IOException, XMLStreamException {
        NcclTopology topology = rccl("topo_3p_pcie.xml");

        assertThat(gpus(topology)).hasSize(3).allMatch(gpu -> gpu.links().isEmpty());
    }

    @Test
    void narrowLinksAndAnEthernetPort() throws IOException, XMLStreamException {
        NcclTopology topology = rccl("topo_8p_90a.xml");

        assertThat(numaNodes(topology)).containsExactly(0L);
        assertThat(ofClass(topology, AMD_GPU)).hasSize(8);
        assertThat(topology.functions()).extracting(Function::linkWidth).contains(1L, 4L, 16L);
        assertThat(topology.ports()).containsExactly(new Port("eth0", 1000));
    }

    @Test
    void readsASmallTopology() throws XMLStreamException {
        NcclTopology topology = NcclTopologyParser.parse("""
                <system version="1">
                  <cpu numaid="-1">
                    <pci busid="0000:05:00.0" class="0x060400">
                      <pci busid="0000:07:00.0" class="0x030200" link_speed="16 GT/s" link_width="16">
                        <gpu dev="0" sm="90"><nvlink target="0000:08:00.0" count="18" tclass="0x068000"/></gpu>
                      </pci>
                    </pci>
                    <nic><net name="eth0" speed="10000"/></nic>
                  </cpu>
                </system>
                """);

        assertThat(topology.functions())
                .containsExactly(
                        new Function(
                                new PciAddress(0, 7, 0, 0),
                                -1,
                                List.of(new PciAddress(0, 5, 0, 0)),
                                GPU,
                                "16 GT/s",
                                16,
                                "90",
                                List.of(new FabricLink(false, new PciAddress(0, 8, 0, 0), 18))),
                        new Function(new PciAddress(0, 5, 0, 0), -1, List.of(), BRIDGE, "", 0, "", List.of()));
        assertThat(topology.ports()).containsExactly(new Port("eth0", 10_000));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "no xml",
                "<system>",
                "<topology/>",
                "<system><cpu><pci busid='x'/></cpu></system>",
                "<system><cpu></system>",
                "<!DOCTYPE system [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><system>&e;</system>"
            })
    void refusesWhatIsNoTopology(String text) {
        assertThatExceptionOfType(XMLStreamException.class).isThrownBy(() -> NcclTopologyParser.parse(text));
    }

    @Test
    void refusesEndlessNesting() {
        String deep = "<pci busid='0000:01:00.0'>".repeat(100);

        assertThatExceptionOfType(XMLStreamException.class)
                .isThrownBy(() -> NcclTopologyParser.parse("<system>" + deep + "</system>"))
                .withMessageContaining("more functions than a machine has");
    }
}
