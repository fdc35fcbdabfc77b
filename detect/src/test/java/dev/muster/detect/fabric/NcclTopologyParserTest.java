// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.muster.core.PciAddress;
import dev.muster.detect.Fixtures;
import dev.muster.detect.fabric.NcclTopologyParser.Function;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import javax.xml.stream.XMLStreamException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NcclTopologyParserTest {
    private static Map<PciAddress, Function> nccl(String name) throws IOException, XMLStreamException {
        return NcclTopologyParser.parse(Fixtures.shared("topology/nccl/" + name))
                .functions();
    }

    private static Map<PciAddress, Function> rccl(String name) throws IOException, XMLStreamException {
        return NcclTopologyParser.parse(Fixtures.shared("amd/rccl-topo/" + name))
                .functions();
    }

    private static List<Long> numaNodes(Map<PciAddress, Function> topology) {
        return topology.values().stream()
                .map(Function::numa)
                .distinct()
                .sorted()
                .toList();
    }

    @Test
    void pitfall10_azureNumbersDomainsAndLeavesTheBusAtZero() throws IOException, XMLStreamException {
        Map<PciAddress, Function> topology = nccl("azure-ndv4-a100.xml");

        assertThat(numaNodes(topology)).containsExactly(0L, 1L, 2L, 3L);
        assertThat(topology.keySet())
                .filteredOn(address -> address.bus() == 0)
                .extracting(PciAddress::domain)
                .contains(1, 2, 3, 4, 0xb, 0xc, 0xd, 0xe, 0x101, 0x108);
        assertThat(topology.keySet())
                .filteredOn(address -> address.domain() == 0xffff)
                .hasSize(4);
        assertThat(topology)
                .containsEntry(
                        new PciAddress(3, 0, 0, 0), new Function(0, List.of(new PciAddress(0xffff, 0xff, 1, 0))));
    }

    @Test
    void awsP4dHasTwoSwitchesASocket() throws IOException, XMLStreamException {
        Map<PciAddress, Function> topology = nccl("aws-p4d-24xl.xml");

        assertThat(numaNodes(topology)).containsExactly(0L, 1L);
        assertThat(topology.values())
                .filteredOn(function -> function.above().isEmpty())
                .hasSize(4);
    }

    @Test
    void awsG5HasNoClassesAndAComment() throws IOException, XMLStreamException {
        Map<PciAddress, Function> topology = nccl("aws-g5-48xl.xml");

        assertThat(topology).hasSize(9);
        assertThat(topology.get(new PciAddress(0, 0, 0x1d, 0))).isEqualTo(new Function(1, List.of()));
    }

    @Test
    void readsTheFormOfRccl() throws IOException, XMLStreamException {
        assertThat(numaNodes(rccl("topo_8p_940.xml"))).containsExactly(0L, 1L);
        assertThat(numaNodes(rccl("topo_16p1h.xml"))).containsExactly(0L, 1L, 2L, 3L);
        assertThat(numaNodes(rccl("topo_8p_90a.xml"))).containsExactly(0L);
    }

    @Test
    void readsASmallTopology() throws XMLStreamException {
        assertThat(NcclTopologyParser.parse("""
                <system version="1">
                  <cpu numaid="-1">
                    <pci busid="0000:05:00.0" class="0x060400">
                      <pci busid="0000:06:00.0"><pci busid="0000:07:00.0" class="0x030200" link_width="16">
                        <gpu dev="0" sm="90"><nvlink target="0000:08:00.0" count="18" tclass="0x068000"/></gpu>
                      </pci></pci>
                    </pci>
                    <nic><net name="eth0" speed="10000"/></nic>
                  </cpu>
                </system>
                """).functions())
                .containsExactly(
                        Map.entry(
                                new PciAddress(0, 7, 0, 0),
                                new Function(-1, List.of(new PciAddress(0, 5, 0, 0), new PciAddress(0, 6, 0, 0)))),
                        Map.entry(new PciAddress(0, 6, 0, 0), new Function(-1, List.of(new PciAddress(0, 5, 0, 0)))),
                        Map.entry(new PciAddress(0, 5, 0, 0), new Function(-1, List.of())));
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
