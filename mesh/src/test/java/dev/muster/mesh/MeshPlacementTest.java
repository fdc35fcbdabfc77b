// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.muster.mesh.MeshPlacement.Crossing;
import dev.muster.mesh.MeshPlacement.CrossingRule;
import dev.muster.mesh.MeshPlacement.HybridSplit;
import dev.muster.mesh.MeshPlacement.PlacementFit;
import dev.muster.mesh.MeshPlanException.MeshPlanError;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class MeshPlacementTest {
    private static List<MeshDevice> hosts(int... sizes) {
        List<MeshDevice> devices = new ArrayList<>();
        for (int host = 0; host < sizes.length; host++) {
            for (int i = 0; i < sizes[host]; i++) {
                devices.add(MeshDevice.of(i, "GPU", DeviceBackend.CUDA).on("node" + host));
            }
        }
        return devices;
    }

    private static MeshPlacement place(String spec, List<MeshDevice> devices) {
        return MeshPlacement.of(MeshSpec.parse(spec), devices, PlacementFit.EXACT, CrossingRule.WARN);
    }

    @Test
    void tensorParallelGroupsStayInsideTheirHost() {
        MeshPlacement placement = place("tp=4,pp=2,dp=2", hosts(8, 8));
        assertThat(placement.crossing("tp")).isEqualTo(new Crossing("tp", 4, 0, 0, 0));
        assertThat(placement.warnings()).isEmpty();
        assertThat(placement.ranksByHost()).containsOnlyKeys("node0", "node1");
    }

    // The order of ranks says who is next to whom in number; the placement, who is next to whom in metal.
    @Test
    void theDimensionThatTalksMostIsInnermostWhateverTheOrderOfRanks() {
        MeshPlacement placement = place("dp=4,tp=4", hosts(8, 8));
        assertThat(placement.communicationOrder()).containsExactly("tp", "dp");
        assertThat(placement.crossing("tp").hosts()).isZero();
        assertThat(placement.crossing("dp").hosts()).isEqualTo(4);
        assertThat(placement.devices().get(0).label()).isEqualTo("node0/cuda:0");
        assertThat(placement.devices().get(4).label()).isEqualTo("node0/cuda:1");
        assertThat(placement.devices().get(2).label()).isEqualTo("node1/cuda:0");
        assertThat(placement.mesh().devices()).isEqualTo(placement.devices());
    }

    @Test
    void ranksOnEqualLinksKeepTheOrderOfDevices() {
        List<MeshDevice> devices = hosts(8, 8).stream()
                .map(device -> device.on(device.host(), device.host() + "/nvswitch"))
                .toList();

        MeshPlacement flat = place("tp=2,pp=2,dp=2", devices.subList(0, 8));
        assertThat(flat.devices()).isEqualTo(devices.subList(0, 8));

        MeshPlacement two = place("dp=4,tp=4", devices);
        assertThat(two.crossing("tp").hosts()).isZero();
        List<Integer> ranks = List.of(0, 1, 4, 5, 8, 9, 12, 13);
        assertThat(two.ranksByHost()).containsEntry("node0", ranks);
        assertThat(ranks.stream().map(two.devices()::get).toList()).isEqualTo(devices.subList(0, 8));
    }

    @Test
    void hostsMayBeShuffledAndStillStandTogether() {
        List<MeshDevice> mixed = new ArrayList<>(hosts(4, 4, 4));
        Collections.rotate(mixed, 2);
        assertThat(place("tp=4,dp=3", mixed).crossing("tp").hosts()).isZero();
    }

    @Test
    void devicesThatFillNoGroupAreLeftOverWhereOthersSuffice() {
        MeshPlacement placement = MeshPlacement.of(
                MeshSpec.parse("tp=4,dp=2"), hosts(6, 6), PlacementFit.SURPLUS_ALLOWED, CrossingRule.REFUSE);
        assertThat(placement.crossing("tp").hosts()).isZero();
        assertThat(placement.idle())
                .extracting(MeshDevice::label)
                .containsExactly("node0/cuda:4", "node0/cuda:5", "node1/cuda:4", "node1/cuda:5");
        assertThat(placement.mesh().findIdleRanks()).contains(RankSequence.range(8, 4));
    }

    @Test
    void crossingHostsIsWarnedAboutOrRefused() {
        MeshPlacement placement = place("tp=8,dp=2", hosts(4, 4, 4, 4));
        assertThat(placement.crossing("tp")).isEqualTo(new Crossing("tp", 2, 2, 2, 0));
        assertThat(placement.warnings())
                .containsExactly(
                        "2 of 2 groups along tp cross hosts, and tp communicates most: choose a size that divides"
                                + " the devices of a host");
        assertThatExceptionOfType(MeshPlanException.class)
                .isThrownBy(() -> MeshPlacement.of(
                        MeshSpec.parse("tp=8,dp=2"), hosts(4, 4, 4, 4), PlacementFit.EXACT, CrossingRule.REFUSE))
                .extracting(MeshPlanException::code)
                .isEqualTo(MeshPlanError.CROSSES_HOSTS);
    }

    @Test
    void aFabricThatJoinsHostsIsAnIsland() {
        List<MeshDevice> rack = new ArrayList<>();
        for (MeshDevice device : hosts(4, 4)) {
            rack.add(device.on(device.host(), "nvl"));
        }
        MeshPlacement placement =
                MeshPlacement.of(MeshSpec.parse("tp=8"), rack, PlacementFit.EXACT, CrossingRule.REFUSE);
        assertThat(placement.crossing("tp")).isEqualTo(new Crossing("tp", 1, 1, 0, 0));
        assertThat(placement.warnings()).isEmpty();
    }

    @Test
    void pipelinesAndReplicasMayCrossHosts() {
        assertThat(place("dp=4", hosts(2, 2)).warnings()).isEmpty();
        assertThat(place("pp=4", hosts(2, 2)).warnings()).isEmpty();
        assertThat(place("cp=4", hosts(2, 2)).warnings()).hasSize(1);
    }

    @Test
    void aHostCutsTheMeshInTwo() {
        HybridSplit split = place("dp=4,tp=4", hosts(8, 8)).findHybridSplit().orElseThrow();
        assertThat(split.inner()).hasToString("tp=4,dp=2");
        assertThat(split.outer()).hasToString("tp=1,dp=2");
        assertThat(place("tp=3,dp=2", hosts(2, 2, 2)).findHybridSplit()).isEmpty();
        assertThat(place("tp=2,dp=3", hosts(4, 2)).findHybridSplit()).isEmpty();
        assertThat(place("tp=2,dp=3", hosts(6)).findHybridSplit().orElseThrow().outer())
                .hasToString("tp=1,dp=1");
    }

    @Test
    void aGivenTalkOrderWins() {
        MeshPlacement placement = MeshPlacement.of(
                MeshSpec.parse("tp=4,ep=4"), hosts(8, 8), List.of("ep", "tp"), PlacementFit.EXACT, CrossingRule.WARN);
        assertThat(placement.crossing("ep").hosts()).isZero();
        assertThat(placement.crossing("tp").hosts()).isEqualTo(4);
    }

    @Test
    void tooFewAndTooManyDevicesAreRefused() {
        assertThatExceptionOfType(MeshPlanException.class)
                .isThrownBy(() -> place("tp=4", hosts(2)))
                .withMessage("Mesh tp=4 requires 4 devices, got 2");
        assertThatExceptionOfType(MeshPlanException.class)
                .isThrownBy(() -> place("tp=4", hosts(5)))
                .withMessageContaining("allow that 1 are idle");
    }

    @RepeatedTest(100)
    void everyDeviceIsUsedOnceAndCrossingsAreTrue() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        int tp = 1 + random.nextInt(4);
        int dp = 1 + random.nextInt(4);
        int pp = 1 + random.nextInt(3);
        List<MeshDevice> devices = new ArrayList<>();
        for (int i = 0; i < tp * dp * pp + random.nextInt(3); i++) {
            devices.add(MeshDevice.of(i, "GPU", DeviceBackend.CUDA).on("node" + random.nextInt(3)));
        }
        MeshSpec spec = MeshSpec.parse("pp=" + pp + ",tp=" + tp + ",dp=" + dp);
        MeshPlacement placement = MeshPlacement.of(spec, devices, PlacementFit.SURPLUS_ALLOWED, CrossingRule.WARN);
        List<MeshDevice> used = new ArrayList<>(placement.devices());
        used.addAll(placement.idle());
        assertThat(used).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(devices);
        for (String name : spec.names()) {
            long crossing = spec.along(name).groups().stream()
                    .filter(group -> group.ranks().stream()
                                    .mapToObj(rank ->
                                            placement.devices().get(rank).host())
                                    .distinct()
                                    .count()
                            > 1)
                    .count();
            assertThat((long) placement.crossing(name).hosts())
                    .as("seed %d, %s", seed, name)
                    .isEqualTo(crossing);
        }
    }
}
