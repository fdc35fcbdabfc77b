// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import static dev.muster.core.TwoSocketHost.id;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.Relation.Proximity;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RelationTest {
    private static final int TRIALS = 300;

    private static String word(TopologyGraph graph, String from, String to) {
        return graph.relation(id(from), id(to)).word();
    }

    @ParameterizedTest
    @CsvSource({
        "gpu0, gpu0, X",
        "gpu0, gpu4, NV12",
        "gpu0, gpu1, PIX",
        "gpu2, nic0, PIX",
        "gpu4, nic2, PIX",
        "gpu0, gpu2, PXB",
        "gpu1, nic0, PXB",
        "gpu1, nic1, PHB",
        "gpu2, nic1, PHB",
        "gpu1, gpu3, NODE",
        "gpu3, nic0, NODE",
        "gpu1, gpu4, SYS",
        "gpu3, gpu4, SYS",
        "nic1, nic2, SYS"
    })
    void speaksTheWordsOfNvidiaSmi(String from, String to, String word) {
        TopologyGraph graph = new TwoSocketHost()
                .nvlink("gpu0", "gpu4", TwoSocketHost.LANES, Link.LinkState.UP)
                .graph();
        assertThat(word(graph, from, to)).isEqualTo(word);
        assertThat(word(graph, to, from)).isEqualTo(word);
    }

    @Test
    void aDeadFabricLeavesTheWayThroughTheHost() {
        TopologyGraph graph = new TwoSocketHost()
                .nvlink("gpu0", "gpu4", TwoSocketHost.LANES, Link.LinkState.DOWN)
                .graph();
        assertThat(word(graph, "gpu0", "gpu4")).isEqualTo("SYS");
    }

    @Test
    void devicesOnOneFabricSwitchAreJoinedByIt() {
        TopologyGraph graph = new TwoSocketHost()
                .fabricSwitch("nvswitch")
                .nvlink("gpu0", "nvswitch", 18, Link.LinkState.UP)
                .nvlink("gpu4", "nvswitch", 12, Link.LinkState.UP)
                .graph();
        assertThat(graph.relation(id("gpu0"), id("gpu4")))
                .isEqualTo(new Relation(Proximity.FABRIC, LinkKind.NVLINK, 12));
        assertThat(graph.relation(id("gpu4"), id("gpu0")))
                .isEqualTo(new Relation(Proximity.FABRIC, LinkKind.NVLINK, 12));
    }

    @Test
    void linksOverEveryCommonSwitchAddUp() {
        TopologyGraph graph = new TwoSocketHost()
                .fabricSwitch("a")
                .fabricSwitch("b")
                .nvlink("gpu0", "a", 5, Link.LinkState.UP)
                .nvlink("gpu4", "a", 5, Link.LinkState.UP)
                .nvlink("gpu0", "b", 4, Link.LinkState.UP)
                .nvlink("gpu4", "b", 4, Link.LinkState.UP)
                .graph();

        assertThat(word(graph, "gpu0", "gpu4")).isEqualTo("NV9");
    }

    @Test
    void nodesThatNothingJoinsStandInNoKnownRelation() {
        TopologyNode a = TopologyNode.DeviceNode.of(new DeviceId("cuda:0"));
        TopologyNode b = TopologyNode.DeviceNode.of(new DeviceId("cuda:1"));
        TopologyGraph graph = TopologyGraph.of(List.of(a, b), List.of());
        assertThat(graph.relation(a.id(), b.id())).isEqualTo(new Relation(Proximity.UNKNOWN, null, 0));
        assertThat(graph.relation(a.id(), b.id()).word()).isEqualTo("?");
        assertThat(graph.relation(a.id(), id("nowhere")).proximity()).isEqualTo(Proximity.UNKNOWN);
    }

    @Test
    void aFabricDoesNotReachThroughAnotherDevice() {
        TopologyGraph graph = new TwoSocketHost()
                .nvlink("gpu0", "gpu1", 4, Link.LinkState.UP)
                .nvlink("gpu1", "gpu4", 4, Link.LinkState.UP)
                .graph();
        assertThat(word(graph, "gpu0", "gpu1")).isEqualTo("NV4");
        assertThat(word(graph, "gpu0", "gpu4")).as("gpu1 forwards nothing").isEqualTo("SYS");
    }

    @Test
    void aFarNicIsNotNearBecauseAnotherGpuIsNearIt() {
        TopologyGraph graph = new TwoSocketHost()
                .fabricSwitch("nvswitch")
                .nvlink("gpu0", "nvswitch", 12, Link.LinkState.UP)
                .nvlink("gpu4", "nvswitch", 12, Link.LinkState.UP)
                .graph();
        assertThat(word(graph, "gpu4", "nic2")).isEqualTo("PIX");
        assertThat(word(graph, "gpu0", "nic2")).isEqualTo("SYS");
    }

    @Test
    void devicesOfTwoHostsAreNotNearThroughTheNetwork() {
        List<TopologyNode> nodes = new ArrayList<>();
        List<Link> links = new ArrayList<>();
        for (String side : List.of("a", "b")) {
            nodes.add(new TopologyNode.DeviceNode(id(side + "-gpu"), new DeviceId(side + "/cuda:0")));
            nodes.add(new TopologyNode.PcieBridge(id(side + "-sw"), Reading.notProbed(), false));
            nodes.add(new TopologyNode.Nic(id(side + "-nic"), "mlx5_0"));
            links.add(Link.of(id(side + "-gpu"), id(side + "-sw"), LinkKind.PCIE));
            links.add(Link.of(id(side + "-nic"), id(side + "-sw"), LinkKind.PCIE));
        }
        links.add(Link.of(id("a-nic"), id("b-nic"), LinkKind.INFINIBAND));
        TopologyGraph graph = TopologyGraph.of(nodes, links);
        assertThat(graph.relation(id("a-gpu"), id("b-gpu")).word()).isEqualTo("NET");
    }

    @Test
    void isTheSameBothWaysBetweenDevices() {
        Trials.run(TRIALS, random -> {
            TopologyGraph graph = randomHost(random);
            List<NodeId> devices = graph.nodes().stream()
                    .filter(TopologyNode.DeviceNode.class::isInstance)
                    .map(TopologyNode::id)
                    .toList();
            assertSymmetric(graph, devices);
        });
    }

    @Test
    void isTheSameBothWaysBetweenAllNodes() {
        Trials.run(TRIALS, random -> {
            TopologyGraph graph = randomHost(random);
            assertSymmetric(graph, graph.nodes().stream().map(TopologyNode::id).toList());
        });
    }

    private static void assertSymmetric(TopologyGraph graph, List<NodeId> nodes) {
        for (NodeId a : nodes) {
            for (NodeId b : nodes) {
                assertThat(graph.relation(a, b)).as("%s – %s", a, b).isEqualTo(graph.relation(b, a));
            }
        }
    }

    /// The two-socket host with a few fabric links and switches anywhere.
    private static TopologyGraph randomHost(Random random) {
        TwoSocketHost host = new TwoSocketHost();
        List<String> ends = new ArrayList<>(List.of("gpu0", "gpu1", "gpu2", "gpu3", "gpu4"));
        for (int i = random.nextInt(3); i > 0; i--) {
            host.fabricSwitch("switch" + i);
            ends.add("switch" + i);
        }
        for (int i = random.nextInt(8); i > 0; i--) {
            String from = ends.get(random.nextInt(ends.size()));
            String to = ends.get(random.nextInt(ends.size()));
            if (!from.equals(to)) {
                host.nvlink(
                        from,
                        to,
                        1 + random.nextInt(18),
                        random.nextInt(4) == 0 ? Link.LinkState.DOWN : Link.LinkState.UP);
            }
        }
        return host.graph();
    }
}
