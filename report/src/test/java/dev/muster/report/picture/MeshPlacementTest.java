// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.picture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.report.picture.Frames.Group;
import dev.muster.report.picture.Frames.Host;
import dev.muster.report.picture.Placement.Device;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class MeshPlacementTest {
    private static final Random RANDOM = new Random(17);
    private static final DeviceMemory MEMORY =
            new DeviceMemory(List.of(new DeviceMemory.Part(DeviceMemory.Kind.WEIGHTS, 3e9)), 8e9);

    @Test
    void stagesOfAReplicaFollowEachOtherOnTheHosts() {
        Placement placement = mesh(2, 2, 4, 0, 8, false).placement(List.of());
        assertThat(placement.hosts()).extracting(Host::title).containsExactly("host 0", "host 1");
        assertThat(placement.hosts().getFirst().groups())
                .extracting(Group::title)
                .containsExactly("replica 0, stage 0: part 0", "replica 0, stage 1: part 1");
        assertThat(placement.notes()).isEmpty();
    }

    @Test
    void replicasOfAStageFollowEachOtherWhereTheyAreNeighbours() {
        Placement placement = mesh(2, 2, 4, 0, 8, true).placement(List.of());
        assertThat(placement.hosts().getFirst().groups())
                .extracting(Group::title)
                .containsExactly("replica 0, stage 0: part 0", "replica 1, stage 0: part 0");
    }

    @Test
    void idleDevicesAreDrawnEmpty() {
        Placement placement = mesh(1, 1, 4, 4, 8, false).placement(List.of());
        assertThat(placement.hosts()).extracting(Host::title).containsExactly("host");
        Group<Device> idle = placement.hosts().getFirst().groups().getLast();
        assertThat(idle.title()).isEqualTo("idle");
        assertThat(idle.members()).hasSize(4).allMatch(device -> device.memory().total() == 0);
    }

    @Test
    void ofManyDevicesOneReplicaIsDrawn() {
        Placement placement = mesh(9, 2, 4, 3, 8, false).placement(List.of("as it is"));
        assertThat(placement.devices()).hasSize(8);
        assertThat(placement.notes())
                .containsExactly(
                        "as it is", "One of 9 replicas is drawn: 72 devices in all.", "3 devices more hold nothing.");
    }

    @Test
    void everyStageOfALargeReplicaIsDrawn() {
        Placement placement = mesh(128, 16, 8, 0, 8, true).placement(List.of());
        assertThat(placement.hosts().getFirst().groups())
                .hasSize(16)
                .extracting(Group::title)
                .startsWith("stage 0: part 0")
                .endsWith("stage 15: part 15");
        assertThat(placement.devices()).extracting(Device::name).startsWith("devices 0 to 7", "devices 1024 to 1031");
        assertThat(placement.notes())
                .containsExactly("One of 128 replicas is drawn, each stage is one box: 16384 devices in all.");
    }

    @Test
    void ofVeryManyStagesTheFirstAndTheLastAreDrawn() {
        Placement placement = mesh(1, 126, 8, 0, 8, false).placement(List.of());
        assertThat(placement.hosts().getFirst().groups())
                .hasSize(MeshPlacement.MOST_DRAWN)
                .extracting(Group::title)
                .contains("stage 0: part 0", "stage 15: part 15", "stage 110: part 110", "stage 125: part 125");
        assertThat(placement.notes())
                .containsExactly("Each of the first and last stages is one box: 1008 devices in all.");
    }

    @RepeatedTest(200)
    void everythingIsDrawnOnceOrTheRestIsNamed() {
        int replicas = RANDOM.nextInt(1, 12);
        int stages = RANDOM.nextInt(1, 40);
        int members = RANDOM.nextInt(1, 64);
        int idle = RANDOM.nextInt(0, 12);
        int perHost = RANDOM.nextInt(1, 17);
        Placement placement = mesh(replicas, stages, members, idle, perHost, RANDOM.nextBoolean())
                .placement(List.of());
        List<Device> devices = placement.devices();
        int all = replicas * stages * members;

        assertThat(devices).hasSizeBetween(1, MeshPlacement.MOST_DRAWN);
        assertThat(devices).extracting(Device::name).doesNotHaveDuplicates();
        assertThat(devices.getFirst().memory()).isEqualTo(MEMORY);
        if (all + idle <= MeshPlacement.MOST_DRAWN) {
            assertThat(devices).hasSize(all + idle);
            assertThat(placement.notes()).isEmpty();
        } else {
            assertThat(placement.notes()).isNotEmpty();
        }
        if (stages * members > MeshPlacement.MOST_DRAWN) {
            // Folded: a box is a stage, and no frame is a host.
            assertThat(devices).hasSize(Math.min(stages, MeshPlacement.MOST_DRAWN));
            return;
        }
        for (Host<Device> host : placement.hosts()) {
            int held = host.groups().stream()
                    .mapToInt(group -> group.members().size())
                    .sum();
            assertThat(held).isLessThanOrEqualTo(perHost);
        }
    }

    private static MeshPlacement mesh(
            int replicas, int stages, int members, int idle, int perHost, boolean areReplicasNeighbours) {
        List<String> layers =
                IntStream.range(0, stages).mapToObj(stage -> "part " + stage).toList();
        return new MeshPlacement(replicas, layers, members, idle, perHost, areReplicasNeighbours, MEMORY, List.of());
    }
}
