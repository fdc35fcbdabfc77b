// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.normalise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Link;
import dev.muster.core.LinkKind;
import dev.muster.core.NodeId;
import dev.muster.core.Partition;
import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.TopologyGraph;
import dev.muster.core.TopologyNode;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.pci.PciPath;
import dev.muster.detect.text.CpuSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopologyAssemblyTest {
    private static AcceleratorProfile gpu(int index) {
        return AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.CUDA_GPU, index))
                .build();
    }

    private static NumaNode node(long number, String cpus) {
        return new NumaNode(
                number,
                Reading.known(Bytes.ofGib(256), Provenance.GIVEN),
                CpuSet.parseList(cpus).orElseThrow());
    }

    private static PciPlace place(long numa, String path) {
        return PciPlace.of(
                Reading.known(numa, Provenance.GIVEN),
                PciPath.parse("/sys/devices/" + path).orElseThrow());
    }

    private static NodeId id(String text) {
        return new NodeId(text);
    }

    /// Two sockets: below the first a switch with two GPUs and a card, a second switch below the first with a GPU, a
    /// GPU at another port of the same root, and one at another root; below the other socket a GPU.
    private static TopologyGraph twoSockets() {
        TopologyAssembly topology = new TopologyAssembly(List.of(node(0, "0-31"), node(1, "32-63")));
        String top = "pci0000:10/0000:10:01.0/0000:11:00.0";
        topology.add(gpu(0), place(0, top + "/0000:12:00.0/0000:13:00.0"));
        topology.add(gpu(1), place(0, top + "/0000:12:01.0/0000:14:00.0"));
        topology.addCard("mlx5_0", place(0, top + "/0000:12:02.0/0000:15:00.0"));
        topology.addCard("mlx5_1", place(0, top + "/0000:12:02.0/0000:15:00.1"));
        topology.add(gpu(2), place(0, top + "/0000:12:03.0/0000:16:00.0/0000:17:00.0/0000:18:00.0"));
        topology.add(gpu(3), place(0, "pci0000:10/0000:10:02.0/0000:20:00.0"));
        topology.add(gpu(4), place(0, "pci0000:30/0000:30:01.0/0000:31:00.0"));
        topology.add(gpu(5), place(1, "pci0000:80/0000:80:01.0/0000:81:00.0"));
        topology.addCard("mlx5_2", place(1, "pci0000:80/0000:80:02.0/0000:82:00.0"));
        topology.addCard("mlx5_3", place(1, "pci0000:80/0000:80:02.0/0000:82:00.1"));
        return topology.build(List.of(), List.of());
    }

    @ParameterizedTest
    @CsvSource({
        "device:cuda:0, device:cuda:1, PIX",
        "device:cuda:0, nic:mlx5_0, PIX",
        "nic:mlx5_0, nic:mlx5_1, PIX",
        "nic:mlx5_2, nic:mlx5_3, PIX",
        "device:cuda:0, device:cuda:2, PXB",
        "device:cuda:2, nic:mlx5_1, PXB",
        "device:cuda:0, device:cuda:3, PHB",
        "device:cuda:5, nic:mlx5_2, PHB",
        "device:cuda:0, device:cuda:4, NODE",
        "device:cuda:3, device:cuda:4, NODE",
        "device:cuda:0, device:cuda:5, SYS",
        "nic:mlx5_0, nic:mlx5_2, SYS"
    })
    void speaksTheWordsOfNvidiaSmi(String from, String to, String word) {
        TopologyGraph graph = twoSockets();

        assertThat(graph.relation(id(from), id(to)).word()).isEqualTo(word);
        assertThat(graph.relation(id(to), id(from)).word()).isEqualTo(word);
    }

    @Test
    void onlyBridgesThatLeadSomewhereAreThere() {
        assertThat(twoSockets().nodes().stream()
                        .filter(TopologyNode.PcieBridge.class::isInstance)
                        .map(bridge -> bridge.id().text()))
                .containsExactlyInAnyOrder(
                        "pci:0000:10",
                        "pci:0000:10:01.0",
                        "pci:0000:11:00.0",
                        "pci:0000:16:00.0",
                        "pci:0000:10:02.0",
                        "pci:0000:30",
                        "pci:0000:30:01.0",
                        "pci:0000:80",
                        "pci:0000:80:01.0",
                        "pci:0000:80:02.0");
    }

    @Test
    void theRootIsTheHostsOwnAndPortsHaveAddresses() {
        TopologyGraph graph = twoSockets();

        assertThat(graph.findNode(id("pci:0000:10")))
                .hasValueSatisfying(node ->
                        assertThat(((TopologyNode.PcieBridge) node).root()).isTrue());
        assertThat(graph.findNode(id("pci:0000:10:01.0"))).hasValueSatisfying(node -> {
            assertThat(((TopologyNode.PcieBridge) node).root()).isFalse();
            assertThat(((TopologyNode.PcieBridge) node).address().find()).contains(new PciAddress(0, 0x10, 1, 0));
        });
    }

    @Test
    void nodesWithProcessorsAreJoinedAndMemoryOnItsOwnIsNot() {
        TopologyGraph graph = new TopologyAssembly(List.of(node(0, "0-3"), node(8, "4-7"), node(250, "")))
                .build(List.of(), List.of());

        assertThat(graph.links().stream().filter(link -> link.kind() == LinkKind.SOCKET))
                .containsExactly(Link.of(id("numa:0"), id("numa:8"), LinkKind.SOCKET));
        assertThat(graph.neighbours(id("numa:250"))).containsExactly(id("host"));
    }

    @Test
    void whatSitsOnNoBusHangsAtItsNodeOrAtTheHost() {
        TopologyAssembly topology = new TopologyAssembly(List.of(node(0, "0-3")));
        topology.add(gpu(0).toBuilder()
                .with(DeviceFact.NUMA_NODE, Reading.known(0L, Provenance.GIVEN))
                .build());
        topology.add(gpu(1));
        topology.addCard("scif0");
        TopologyGraph graph = topology.build(List.of(), List.of());

        assertThat(graph.neighbours(id("device:cuda:0"))).containsExactly(id("numa:0"));
        assertThat(graph.neighbours(id("device:cuda:1"))).containsExactly(id("host"));
        assertThat(graph.neighbours(id("nic:scif0"))).containsExactly(id("host"));
    }

    @Test
    void aNodeThatOnlyADeviceKnowsIsThereToo() {
        TopologyAssembly topology = new TopologyAssembly(List.of());
        topology.add(gpu(0), place(3, "pci0000:00/0000:00:04.0"));

        assertThat(topology.build(List.of(), List.of()).findNode(id("numa:3"))).isPresent();
    }

    @Test
    void aPartitionSitsWhereItsParentDoes() {
        AcceleratorProfile whole = gpu(0);
        AcceleratorProfile slice = whole.toBuilder()
                .partition(new Partition(whole.id(), "MIG-1", "1g.10gb"))
                .build();
        TopologyAssembly topology = new TopologyAssembly(List.of());
        topology.add(whole, place(0, "pci0000:10/0000:10:01.0/0000:13:00.0"));
        topology.add(slice);

        TopologyGraph graph = topology.build(List.of(), List.of());
        assertThat(graph.neighbours(TopologyNode.DeviceNode.idOf(slice.id()))).containsExactly(id("pci:0000:10:01.0"));
    }

    @Test
    void keepsWhatProbesAddAndDropsLinksThatEndNowhere() {
        TopologyAssembly topology = new TopologyAssembly(List.of());
        topology.add(gpu(0));
        TopologyNode fabric = new TopologyNode.FabricSwitch(id("nvswitch:0"), "NVSwitch 0");
        Link good = Link.of(id("device:cuda:0"), fabric.id(), LinkKind.NVLINK);
        Link bad = Link.of(id("device:cuda:0"), id("device:cuda:9"), LinkKind.NVLINK);

        TopologyGraph graph = topology.build(List.of(fabric, fabric), List.of(good, bad));

        assertThat(graph.links()).contains(good).doesNotContain(bad);
        assertThat(graph.findNode(fabric.id())).contains(fabric);
    }
}
