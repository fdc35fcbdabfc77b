// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import static dev.muster.core.TwoSocketHost.device;
import static dev.muster.core.TwoSocketHost.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TopologyGraphTest {
    private static TopologyGraph host() {
        return new TwoSocketHost().graph();
    }

    @Test
    void refusesTwoNodesOfOneName() {
        TopologyNode node = TopologyNode.DeviceNode.of(new DeviceId("cuda:0"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TopologyGraph.of(List.of(node, node), List.of()))
                .withMessageContaining("device:cuda:0");
    }

    @Test
    void refusesALinkToNowhere() {
        TopologyNode node = TopologyNode.DeviceNode.of(new DeviceId("cuda:0"));
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        TopologyGraph.of(List.of(node), List.of(Link.of(node.id(), id("nowhere"), LinkKind.PCIE))))
                .withMessageContaining("nowhere");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        TopologyGraph.of(List.of(node), List.of(Link.of(id("nowhere"), node.id(), LinkKind.PCIE))));
    }

    @Test
    void keepsItsOwnCopyInTheOrderGiven() {
        TopologyNode a = TopologyNode.DeviceNode.of(new DeviceId("z:0"));
        TopologyNode b = TopologyNode.DeviceNode.of(new DeviceId("a:0"));
        List<TopologyNode> nodes = new ArrayList<>(List.of(a, b));
        List<Link> links = new ArrayList<>(List.of(Link.of(a.id(), b.id(), LinkKind.XGMI)));
        TopologyGraph graph = TopologyGraph.of(nodes, links);
        nodes.clear();
        links.clear();
        assertThat(graph.nodes()).containsExactly(a, b);
        assertThat(graph.links()).hasSize(1);
    }

    @Test
    void anEmptyGraphHasNothing() {
        assertThat(TopologyGraph.EMPTY.isEmpty()).isTrue();
        assertThat(TopologyGraph.EMPTY.domains()).isEmpty();
        assertThat(TopologyGraph.EMPTY.findNode(id("a"))).isEmpty();
        assertThat(TopologyGraph.EMPTY.linksOf(id("a"))).isEmpty();
        assertThat(TopologyGraph.EMPTY.neighbours(id("a"))).isEmpty();
        assertThat(TopologyGraph.EMPTY.findPath(id("a"), id("b"))).isEmpty();
        assertThat(host().isEmpty()).isFalse();
    }

    @Test
    void equalGraphsHaveEqualNodesAndLinks() {
        assertThat(host()).isEqualTo(host()).hasSameHashCodeAs(host());
        assertThat(host()).isNotEqualTo(TopologyGraph.EMPTY);
        assertThat(host())
                .isNotEqualTo(new TwoSocketHost()
                        .join("gpu0", "gpu1", LinkKind.NVLINK)
                        .graph());
        assertThat(host()).hasToString("18 nodes, 18 links");
    }

    @Test
    void findsNodesByName() {
        assertThat(host().findNode(id("gpu1"))).contains(new TopologyNode.DeviceNode(id("gpu1"), device("gpu1")));
        assertThat(host().findNode(id("gpu9"))).isEmpty();
    }

    @Test
    void neighboursAreOneLiveLinkAway() {
        TopologyGraph graph = new TwoSocketHost()
                .nvlink("gpu0", "gpu1", 4, Link.LinkState.DOWN)
                .nvlink("gpu0", "gpu2", 4, Link.LinkState.UP)
                .graph();
        assertThat(graph.neighbours(id("gpu0"))).containsExactlyInAnyOrder(id("left"), id("gpu2"));
        assertThat(graph.linksOf(id("gpu0"))).as("links that are down are kept").hasSize(3);
        assertThat(graph.links()).hasSize(20);
    }

    @Test
    void aSwitchMakesADomain() {
        TopologyGraph graph = new TwoSocketHost()
                .fabricSwitch("nvswitch")
                .nvlink("gpu0", "nvswitch", 12, Link.LinkState.UP)
                .nvlink("gpu2", "nvswitch", 12, Link.LinkState.UP)
                .nvlink("nvswitch", "gpu4", 12, Link.LinkState.UP)
                .nvlink("gpu1", "nvswitch", 12, Link.LinkState.DOWN)
                .graph();
        assertThat(graph.domains()).containsExactly(Set.of(device("gpu0"), device("gpu2"), device("gpu4")));
    }

    @Test
    void separateFabricsAreSeparateDomains() {
        TopologyGraph graph = new TwoSocketHost()
                .nvlink("gpu0", "gpu1", 4, Link.LinkState.UP)
                .nvlink("gpu4", "gpu3", 4, Link.LinkState.UP)
                .graph();
        assertThat(graph.domains())
                .containsExactlyInAnyOrder(
                        Set.of(device("gpu0"), device("gpu1")), Set.of(device("gpu3"), device("gpu4")));
    }

    @Test
    void pcieMakesNoDomain() {
        assertThat(host().domains()).isEmpty();
    }

    @Test
    void removedDevicesTakeTheirLinksWithThem() {
        TopologyGraph graph = new TwoSocketHost()
                .nvlink("gpu0", "gpu1", 4, Link.LinkState.UP)
                .graph()
                .withoutDevices(device("gpu0")::equals);
        assertThat(graph.findNode(id("gpu0"))).isEmpty();
        assertThat(graph.links()).noneMatch(link -> link.touches(id("gpu0")));
        assertThat(graph.nodes()).hasSize(17);
        assertThat(graph.links()).hasSize(17);
        assertThat(graph.withoutDevices(_ -> true).nodes())
                .as("the host itself stays")
                .hasSize(13)
                .noneMatch(TopologyNode.DeviceNode.class::isInstance);
    }

    @Test
    void aPathIsAChainOfLinksFromEndToEnd() {
        List<Link> path = host().findPath(id("gpu0"), id("gpu2"));
        assertThat(ends(id("gpu0"), path)).containsExactly(id("left"), id("top"), id("right"), id("gpu2"));
        assertThat(host().findPath(id("gpu0"), id("gpu0"))).isEmpty();
    }

    @Test
    void aPathNeverTravelsALinkThatIsDown() {
        TopologyGraph graph = new TwoSocketHost()
                .nvlink("gpu0", "gpu4", 12, Link.LinkState.DOWN)
                .graph();
        assertThat(graph.findPath(id("gpu0"), id("gpu4")))
                .noneMatch(Link::isDown)
                .hasSizeGreaterThan(1);
    }

    @Test
    void ofTwoShortestPathsTheFabricWins() {
        TopologyGraph graph = new TwoSocketHost()
                .fabricSwitch("nvswitch")
                .nvlink("gpu0", "nvswitch", 12, Link.LinkState.UP)
                .nvlink("gpu1", "nvswitch", 12, Link.LinkState.UP)
                .graph();
        assertThat(graph.findPath(id("gpu0"), id("gpu1"))).hasSize(2).allMatch(link -> link.kind() == LinkKind.NVLINK);
    }

    private static List<NodeId> ends(NodeId from, List<Link> path) {
        List<NodeId> nodes = new ArrayList<>();
        NodeId here = from;
        for (Link link : path) {
            here = link.otherEnd(here);
            nodes.add(here);
        }
        return nodes;
    }
}
