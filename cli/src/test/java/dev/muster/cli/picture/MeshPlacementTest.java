package dev.muster.cli.picture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.picture.Placement.Device;
import dev.muster.cli.picture.Placement.Group;
import dev.muster.cli.picture.Placement.Host;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class MeshPlacementTest {
    private static final Random RANDOM = new Random(17);
    private static final DeviceMemory MEMORY =
            new DeviceMemory(List.of(new DeviceMemory.Part(MemoryKind.WEIGHTS, 3e9)), 8e9);

    @Test
    void stagesOfACopyFollowEachOtherOnTheHosts() {
        Placement placement = mesh(2, 2, 4, 4, 0, 8, false).placement(List.of());
        assertThat(placement.hosts()).extracting(Host::title).containsExactly("host 0", "host 1");
        assertThat(placement.hosts().getFirst().groups())
                .extracting(Group::title)
                .containsExactly("replica 0, stage 0: part 0", "replica 0, stage 1: part 1");
        assertThat(placement.notes()).isEmpty();
    }

    @Test
    void copiesOfAStageFollowEachOtherWhereTheyAreNeighbours() {
        Placement placement = mesh(2, 2, 4, 4, 0, 8, true).placement(List.of());
        assertThat(placement.hosts().getFirst().groups())
                .extracting(Group::title)
                .containsExactly("replica 0, stage 0: part 0", "replica 1, stage 0: part 0");
    }

    @Test
    void idleDevicesAreDrawnEmpty() {
        Placement placement = mesh(1, 1, 4, 4, 4, 8, false).placement(List.of());
        assertThat(placement.hosts()).extracting(Host::title).containsExactly("host");
        Group idle = placement.hosts().getFirst().groups().getLast();
        assertThat(idle.title()).isEqualTo("idle");
        assertThat(idle.devices()).hasSize(4).allMatch(device -> device.memory().total() == 0);
    }

    @Test
    void ofManyDevicesOneCopyIsDrawn() {
        Placement placement = mesh(9, 2, 4, 4, 3, 8, false).placement(List.of("as it is"));
        assertThat(placement.devices()).hasSize(8);
        assertThat(placement.notes())
                .containsExactly(
                        "as it is",
                        "One replica is drawn, x 9 replicas: 72 devices in all.",
                        "3 devices more hold nothing.");
    }

    @Test
    void ofALargeCopyOneStageIsDrawn() {
        Placement placement = mesh(128, 16, 8, 8, 0, 8, true).placement(List.of());
        assertThat(placement.devices()).hasSize(8);
        assertThat(placement.notes())
                .containsExactly(
                        "One stage of one replica is drawn, x 16 stages, x 128 replicas: 16384 devices in all.");
    }

    @Test
    void ofALargeStageThoseThatShareMatricesAreDrawn() {
        Placement placement = mesh(32, 8, 64, 8, 0, 8, false).placement(List.of());
        assertThat(placement.devices()).hasSize(8);
        assertThat(placement.notes())
                .containsExactly("A group of 8 of the 64 devices of a stage is drawn, x 8 stages, x 32 replicas: "
                        + "16384 devices in all.");
    }

    @RepeatedTest(200)
    void everythingIsDrawnOnceOrTheRestIsNamed() {
        int replicas = RANDOM.nextInt(1, 12);
        int stages = RANDOM.nextInt(1, 12);
        int together = RANDOM.nextInt(1, 9);
        int sharers = together * RANDOM.nextInt(1, 9);
        int idle = RANDOM.nextInt(0, 12);
        int perHost = RANDOM.nextInt(1, 17);
        Placement placement = mesh(replicas, stages, sharers, together, idle, perHost, RANDOM.nextBoolean())
                .placement(List.of());
        List<Device> devices = placement.devices();
        int all = replicas * stages * sharers;

        assertThat(devices).hasSizeBetween(1, MeshPlacement.MOST_DRAWN);
        assertThat(devices).extracting(Device::name).doesNotHaveDuplicates();
        assertThat(devices.getFirst().memory()).isEqualTo(MEMORY);
        if (all + idle <= MeshPlacement.MOST_DRAWN) {
            assertThat(devices).hasSize(all + idle);
            assertThat(placement.notes()).isEmpty();
        } else {
            assertThat(placement.notes()).isNotEmpty();
        }
        for (Host host : placement.hosts()) {
            int held = host.groups().stream()
                    .mapToInt(group -> group.devices().size())
                    .sum();
            assertThat(held).isLessThanOrEqualTo(perHost);
        }
    }

    private static MeshPlacement mesh(
            int replicas, int stages, int sharers, int together, int idle, int perHost, boolean areCopiesNeighbours) {
        List<String> layers =
                IntStream.range(0, stages).mapToObj(stage -> "part " + stage).toList();
        return new MeshPlacement(replicas, layers, sharers, together, idle, perHost, areCopiesNeighbours, MEMORY);
    }
}
