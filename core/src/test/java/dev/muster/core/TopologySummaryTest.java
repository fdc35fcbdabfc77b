// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.Relation.Proximity;
import dev.muster.core.TopologySummary.Group;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TopologySummaryTest {
    private static final int TRIALS = 300;
    private static final int HOSTS = 1_024;

    @Test
    void theMatrixOfManyNodesIsWhatEachPairSays() {
        Trials.run(TRIALS, random -> {
            TopologyGraph graph = Fleet.drawn(random).registry().topology();
            List<NodeId> nodes = graph.nodes().stream().map(TopologyNode::id).toList();
            List<List<Relation>> matrix = graph.relations(nodes);
            for (int i = 0; i < nodes.size(); i++) {
                for (int j = 0; j < nodes.size(); j++) {
                    assertThat(matrix.get(i).get(j))
                            .as("%s – %s", nodes.get(i), nodes.get(j))
                            .isEqualTo(graph.relation(nodes.get(j), nodes.get(i)));
                }
            }
        });
    }

    @Test
    void theFirstHostOfAGroupStandsForAllOfIt() {
        Trials.run(TRIALS, random -> {
            AcceleratorRegistry all = Fleet.drawn(random).registry();
            for (Group group : TopologySummary.of(all).groups()) {
                List<List<Relation>> example = inside(all, group.example());
                for (String host : group.hosts()) {
                    AcceleratorRegistry one =
                            TopologySummary.findHost(all, host).orElseThrow();
                    assertThat(inside(all, one)).as(host).isEqualTo(example);
                    assertThat(inside(one, one)).as(host + " on its own").isEqualTo(example);
                }
            }
        });
    }

    /// The relations between the parts of a host, in a topology that may have other hosts too.
    private static List<List<Relation>> inside(AcceleratorRegistry asked, AcceleratorRegistry host) {
        List<NodeId> parts = host.topology().nodes().stream()
                .filter(node -> node instanceof TopologyNode.DeviceNode || node instanceof TopologyNode.Nic)
                .map(TopologyNode::id)
                .toList();
        List<List<Relation>> rows = new ArrayList<>();
        for (NodeId from : parts) {
            rows.add(parts.stream()
                    .map(to -> asked.topology().relation(from, to))
                    .toList());
        }
        return rows;
    }

    @Test
    void everyPartIsOnOneHostAndEveryHostInOneGroup() {
        Trials.run(TRIALS, random -> {
            Fleet fleet = Fleet.drawn(random);
            List<Group> groups = TopologySummary.of(fleet.registry()).groups();
            assertThat(groups.stream().flatMap(group -> group.hosts().stream()))
                    .containsExactlyInAnyOrderElementsOf(fleet.hosts());
            long devices = groups.stream()
                    .mapToLong(group -> (long) group.example().profiles().size()
                            * group.hosts().size())
                    .sum();
            assertThat(devices).isEqualTo(fleet.registry().profiles().size());
        });
    }

    @Test
    void islandsAndDomainsAreWhatPairsOfPartsSay() {
        Trials.run(TRIALS, random -> {
            Fleet fleet = Fleet.drawn(random);
            TopologySummary summary = TopologySummary.of(fleet.registry());
            if (fleet.hosts().size() > 1) {
                assertThat(summary.islands()).isEqualTo(fleet.countSets(Proximity.NETWORK));
                assertThat(summary.domains()).isEqualTo(fleet.countSets(Proximity.FABRIC));
            }
        });
    }

    @Test
    void aThousandEqualHostsAreOneGroup() {
        Fleet fleet = new Fleet();
        for (int i = 0; i < HOSTS; i++) {
            fleet.host(8, 1, true);
        }
        TopologySummary summary = TopologySummary.of(fleet.network(0, HOSTS).registry());
        assertThat(summary.groups()).hasSize(1);
        assertThat(summary.hosts()).isEqualTo(HOSTS);
        assertThat(summary.islands()).isEqualTo(1);
        assertThat(summary.domains()).isEqualTo(HOSTS);
        assertThat(summary.groups().getFirst().example().profiles()).hasSize(8);
    }

    @Test
    void devicesWithoutAPlaceAreOnNoKnownHost() {
        Fleet fleet = new Fleet();
        fleet.host(1, 0, false);
        fleet.host(1, 0, false);
        AcceleratorRegistry registry = fleet.registry();
        List<AcceleratorProfile> more = new ArrayList<>(registry.profiles());
        more.add(Fleet.device(9));
        TopologySummary summary = TopologySummary.of(
                new AcceleratorRegistry(3, more, List.of(), SystemIo.EMPTY, registry.topology(), Reading.notProbed()));
        assertThat(summary.groups()).hasSize(2);
        assertThat(summary.groups().getLast().hosts()).isEmpty();
        assertThat(summary.islands()).isEqualTo(2);
    }

    @Test
    void aHostIsFoundByItsNameAndByItsDevices() {
        Fleet fleet = new Fleet();
        fleet.host(2, 1, true);
        fleet.host(2, 1, true);
        AcceleratorRegistry all = fleet.network(0, 2).registry();
        assertThat(TopologySummary.findHost(all, "host1")).isEqualTo(TopologySummary.findHost(all, "cuda:3"));
        assertThat(TopologySummary.findHost(all, "cuda:9")).isEmpty();
        assertThat(TopologySummary.findHost(all, "host1").orElseThrow().profiles())
                .extracting(profile -> profile.id().text())
                .containsExactly("cuda:2", "cuda:3");
    }

    /// Hosts with devices and cards, put together by hand or drawn.
    private static final class Fleet {
        private final List<TopologyNode> nodes = new ArrayList<>();
        private final List<Link> links = new ArrayList<>();
        private final List<AcceleratorProfile> profiles = new ArrayList<>();
        private final List<String> hosts = new ArrayList<>();
        private final List<List<NodeId>> parts = new ArrayList<>();

        static Fleet drawn(Random random) {
            Fleet fleet = new Fleet();
            int count = 1 + random.nextInt(4);
            for (int i = 0; i < count; i++) {
                fleet.host(1 + random.nextInt(2), random.nextInt(2), random.nextBoolean());
            }
            for (int i = random.nextInt(3); i > 0; i--) {
                int first = random.nextInt(count);
                fleet.network(first, first + 1 + random.nextInt(count - first));
            }
            for (int i = random.nextInt(3); i > 0; i--) {
                fleet.fabric(random);
            }
            return fleet;
        }

        static AcceleratorProfile device(int index) {
            return AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.CUDA_GPU, index))
                    .build();
        }

        void host(int devices, int cards, boolean switched) {
            int number = hosts.size();
            NodeId host = new NodeId("h" + number);
            NodeId bridge = new NodeId("b" + number);
            NodeId joint = new NodeId("s" + number);
            hosts.add("host" + number);
            parts.add(new ArrayList<>());
            nodes.add(new TopologyNode.HostNode(host, "host" + number));
            nodes.add(new TopologyNode.PcieBridge(bridge, Reading.notProbed(), true));
            links.add(Link.of(host, bridge, LinkKind.INTERNAL));
            if (switched) {
                nodes.add(new TopologyNode.FabricSwitch(joint, "switch"));
            }
            for (int i = 0; i < devices; i++) {
                AcceleratorProfile profile = device(profiles.size());
                profiles.add(profile);
                NodeId id = part(TopologyNode.DeviceNode.of(profile.id()), bridge);
                if (switched) {
                    links.add(Link.of(id, joint, LinkKind.NVLINK));
                }
            }
            for (int i = 0; i < cards; i++) {
                part(new TopologyNode.Nic(new NodeId("n" + number + "." + i), "n" + number + "." + i), bridge);
            }
        }

        private NodeId part(TopologyNode node, NodeId above) {
            nodes.add(node);
            links.add(Link.of(above, node.id(), LinkKind.PCIE));
            parts.getLast().add(node.id());
            return node.id();
        }

        /// Joins the cards of some hosts.
        Fleet network(int first, int end) {
            NodeId joint = new NodeId("network" + nodes.size());
            nodes.add(new TopologyNode.FabricSwitch(joint, "network"));
            for (TopologyNode node : List.copyOf(nodes)) {
                String id = node.id().text();
                int host = node instanceof TopologyNode.Nic ? Integer.parseInt(id.substring(1, id.indexOf('.'))) : -1;
                if (host >= first && host < end) {
                    links.add(Link.of(node.id(), joint, LinkKind.INFINIBAND));
                }
            }
            return this;
        }

        /// Joins two devices or switches of any hosts.
        private void fabric(Random random) {
            List<NodeId> ends = nodes.stream()
                    .filter(node -> node instanceof TopologyNode.DeviceNode
                            || (node instanceof TopologyNode.FabricSwitch joint
                                    && joint.name().equals("switch")))
                    .map(TopologyNode::id)
                    .toList();
            NodeId from = ends.get(random.nextInt(ends.size()));
            NodeId to = ends.get(random.nextInt(ends.size()));
            if (!from.equals(to)) {
                Link.LinkState state = random.nextInt(4) == 0 ? Link.LinkState.DOWN : Link.LinkState.UP;
                links.add(new Link(
                        from,
                        to,
                        LinkKind.NVLINK,
                        1 + random.nextInt(18),
                        Reading.notProbed(),
                        Reading.known(state, Provenance.GIVEN)));
            }
        }

        List<String> hosts() {
            return hosts;
        }

        AcceleratorRegistry registry() {
            return new AcceleratorRegistry(
                    AcceleratorRegistry.REFERENCE_SCHEMA,
                    profiles,
                    List.of(),
                    SystemIo.EMPTY,
                    TopologyGraph.of(nodes, links),
                    Reading.notProbed());
        }

        /// Hosts with parts that stand at most so far from each other make one set, and so on.
        int countSets(Proximity furthest) {
            TopologyGraph graph = registry().topology();
            int[] sets = new int[hosts.size()];
            for (int i = 0; i < sets.length; i++) {
                sets[i] = i;
            }
            for (int a = 0; a < sets.length; a++) {
                for (int b = 0; b < a; b++) {
                    if (areJoined(graph, a, b, furthest)) {
                        int gone = sets[a];
                        int kept = sets[b];
                        for (int i = 0; i < sets.length; i++) {
                            sets[i] = sets[i] == gone ? kept : sets[i];
                        }
                    }
                }
            }
            Set<Integer> found = new HashSet<>();
            for (int set : sets) {
                found.add(set);
            }
            return found.size();
        }

        private boolean areJoined(TopologyGraph graph, int a, int b, Proximity furthest) {
            return parts.get(a).stream()
                    .anyMatch(from -> parts.get(b).stream()
                            .anyMatch(to -> graph.relation(from, to).proximity().compareTo(furthest) <= 0));
        }
    }
}
