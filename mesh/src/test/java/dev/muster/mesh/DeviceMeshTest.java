// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.muster.core.DeviceFact;
import dev.muster.core.unit.Bytes;
import dev.muster.mesh.MeshPlacement.PlacementFit;
import dev.muster.mesh.MeshPlanException.MeshPlanError;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class DeviceMeshTest {
    private static List<MeshDevice> gpus(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> MeshDevice.of(i, "GPU " + i, DeviceBackend.CUDA)
                        .with(DeviceFact.MEMORY, Bytes.ofMib(16_000))
                        .with(DeviceFact.COMPUTE_UNITS, 80L))
                .toList();
    }

    private static List<MeshDevice> mixedDevices() {
        return List.of(
                MeshDevice.of(0, "a", DeviceBackend.CUDA).with(DeviceFact.MEMORY, Bytes.ofMib(24_000)),
                MeshDevice.of(1, "b", DeviceBackend.CUDA).with(DeviceFact.MEMORY, Bytes.ofMib(24_000)),
                MeshDevice.of(0, "c", DeviceBackend.METAL).with(DeviceFact.MEMORY, Bytes.ofMib(16_000)),
                MeshDevice.of(0, "d", new DeviceBackend("x")));
    }

    private static void assertRefused(MeshPlanError code, String message, ThrowingCallable call) {
        assertThatExceptionOfType(MeshPlanException.class)
                .isThrownBy(call)
                .withMessageContaining(message)
                .extracting(MeshPlanException::code)
                .isEqualTo(code);
    }

    private static String ranks(DeviceMesh mesh, String group) {
        return mesh.requireGroup(group).ranks().toString();
    }

    // As in kapsl-hal's tests (17).
    @Test
    void aPlainMeshHasTheWorldAlone() {
        DeviceMesh mesh = DeviceMesh.of(gpus(4));
        assertThat(mesh.worldSize()).isEqualTo(4);
        assertThat(mesh.rank()).isZero();
        assertThat(mesh.groupNames()).containsExactly("world");
        assertThat(mesh.requireGroup("world")).hasToString("world [0,1,2,3]");
        assertThat(mesh.requireGroup("world").backend()).isEqualTo(GroupBackend.MOCK);
    }

    // As in kapsl-hal's tests (18). Deviation: replicas of a tensor-parallel group have groups too (D3).
    @Test
    void tensorParallelGroupsAreThoseOfKapslHalAndReplicasMore() {
        DeviceMesh mesh = DeviceMesh.withTopology(gpus(8), MeshTopology.tensorParallel(4));
        assertThat(mesh.groupNames()).containsExactly("world", "tp_0", "tp_1", "dp_0", "dp_1", "dp_2", "dp_3");
        assertThat(ranks(mesh, "tp_0")).isEqualTo("0,1,2,3");
        assertThat(ranks(mesh, "tp_1")).isEqualTo("4,5,6,7");
        assertThat(ranks(mesh, "dp_3")).isEqualTo("3,7");
        assertThat(mesh.requireGroup("tp_0").backend()).isEqualTo(GroupBackend.NCCL);
    }

    @Test
    void pipelineStagesAreThoseOfKapslHalAndTheChainIsOneMore() {
        DeviceMesh mesh = DeviceMesh.withTopology(gpus(3), MeshTopology.pipelineParallel(3));
        assertThat(mesh.groupNames()).containsExactly("world", "pp_stage_0", "pp_stage_1", "pp_stage_2", "pp_0");
        assertThat(ranks(mesh, "pp_stage_1")).isEqualTo("1");
        assertThat(mesh.requireGroup("pp_stage_1").backend()).isEqualTo(GroupBackend.GLOO);
        assertThat(ranks(mesh, "pp_0")).isEqualTo("0,1,2");
    }

    // D1: pipelines and replicas have groups beside kapsl-hal's tensor-parallel ones.
    @Test
    void mixedGroupsAreThoseOfKapslHalAndPipelinesAndReplicasMore() {
        DeviceMesh mesh = DeviceMesh.withTopology(gpus(8), MeshTopology.mixed(2, 2, 2));
        assertThat(mesh.groupNames())
                .containsExactly(
                        "world",
                        "tp_dp0_pp0",
                        "tp_dp0_pp1",
                        "tp_dp1_pp0",
                        "tp_dp1_pp1",
                        "tp_0",
                        "tp_1",
                        "tp_2",
                        "tp_3",
                        "pp_0",
                        "pp_1",
                        "pp_2",
                        "pp_3",
                        "dp_0",
                        "dp_1",
                        "dp_2",
                        "dp_3");
        assertThat(ranks(mesh, "tp_dp0_pp0")).isEqualTo("0,1");
        assertThat(ranks(mesh, "tp_dp0_pp1")).isEqualTo("2,3");
        assertThat(ranks(mesh, "tp_dp1_pp0")).isEqualTo("4,5");
        assertThat(ranks(mesh, "tp_dp1_pp1")).isEqualTo("6,7");
        assertThat(ranks(mesh, "pp_1")).isEqualTo("1,3");
        assertThat(ranks(mesh, "dp_2")).isEqualTo("2,6");
        assertThat(mesh.families())
                .filteredOn(family -> family.findAlias().isPresent())
                .extracting(GroupFamily::label)
                .containsExactly("tp");
        assertThat(List.of("tp_dp2_pp0", "tp_dp0_pp2", "tp_dp_pp0", "tp_dp0", "tp_4", "pp_stage_0"))
                .allMatch(name -> mesh.findGroup(name).isEmpty());
    }

    @Test
    void combinedGroupsComeOnRequest() {
        DeviceMesh mesh =
                DeviceMesh.withTopology(gpus(8), MeshTopology.mixed(2, 2, 2)).withGroupsAlong("pp", "tp");
        assertThat(ranks(mesh, "tp-pp_1")).isEqualTo("4,5,6,7");
        assertThat(mesh.groupNames()).endsWith("tp-pp_0", "tp-pp_1");
        assertThat(mesh.withGroupsAlong("tp", "pp").groupNames()).isEqualTo(mesh.groupNames());
        assertRefused(MeshPlanError.UNKNOWN_DIMENSION, "no dimension 'cp'", () -> mesh.withGroupsAlong("cp"));
    }

    // D5: the shape of a tensor-parallel group is checked and used.
    @Test
    void aTensorParallelGridHasRowsAndColumns() {
        DeviceMesh mesh = DeviceMesh.withTopology(gpus(8), MeshTopology.tensorParallel(4, 2, 2));
        assertThat(ranks(mesh, "tp_row_0")).isEqualTo("0,1");
        assertThat(ranks(mesh, "tp_row_3")).isEqualTo("6,7");
        assertThat(ranks(mesh, "tp_column_1")).isEqualTo("1,3");
        assertThat(ranks(mesh, "tp_1")).isEqualTo("4,5,6,7");
        assertThat(DeviceMesh.withTopology(gpus(8), MeshTopology.tensorParallel(4, 2, 4))
                        .groupCount())
                .isEqualTo(7);
        assertRefused(
                MeshPlanError.SHAPE_MISMATCH,
                "mesh shape 3 x 2",
                () -> DeviceMesh.withTopology(gpus(8), MeshTopology.tensorParallel(4, 3, 2)));
    }

    // As in kapsl-hal's tests (19 and 24).
    @Test
    void anAddedGroupKeepsItsRanks() {
        DeviceMesh mesh = DeviceMesh.of(gpus(4)).withGroup("even", List.of(0, 2), GroupBackend.GLOO);
        assertThat(mesh.requireGroup("even").ranks().asList()).containsExactly(0, 2);
        DeviceMesh odd = mesh.withGroup("odd", List.of(1, 3), GroupBackend.GLOO);
        assertThat(odd.withRank(3).isInGroup("odd")).isTrue();
        assertThat(odd.withRank(3).findGroupRank("odd")).hasValue(1);
        assertThat(odd.isInGroup("odd")).isFalse();
        assertThat(odd.findGroupRank("odd")).isEmpty();
        assertThat(odd.isInGroup("none")).isFalse();
        assertThat(odd.withRank(3).ownGroups()).extracting(MeshGroup::name).containsExactly("world", "odd");
        assertThat(mesh.findGroup("odd")).isEmpty();
    }

    // D9, D10: kapsl-hal accepts all of these.
    @Test
    void groupsThatMakeNoSenseAreRefused() {
        DeviceMesh mesh = DeviceMesh.of(gpus(4));
        assertRefused(
                MeshPlanError.RANK_OUT_OF_BOUNDS,
                "Rank 4 out of bounds",
                () -> mesh.withGroup("x", List.of(0, 4), GroupBackend.GLOO));
        assertRefused(
                MeshPlanError.DUPLICATE_RANK,
                "rank 1 is listed twice",
                () -> mesh.withGroup("x", List.of(1, 1), GroupBackend.TCP));
        assertRefused(
                MeshPlanError.EMPTY_GROUP, "at least one", () -> mesh.withGroup("x", List.of(), GroupBackend.TCP));
        assertRefused(
                MeshPlanError.BAD_NAME,
                "'world' already exists",
                () -> mesh.withGroup("world", List.of(0), GroupBackend.TCP));
        assertRefused(MeshPlanError.BAD_NAME, "not blank", () -> mesh.withGroup(" ", List.of(0), GroupBackend.TCP));
        assertRefused(
                MeshPlanError.RANK_OUT_OF_BOUNDS, "Rank 4 out of bounds for world size 4", () -> mesh.withRank(4));
        assertRefused(
                MeshPlanError.RANK_OUT_OF_BOUNDS, "Rank -1", () -> DeviceMesh.of(gpus(2), -1, GroupBackend.LOCAL));
        assertRefused(MeshPlanError.GROUP_NOT_FOUND, "Group 'y' not found", () -> mesh.devicesInGroup("y"));
        assertRefused(
                MeshPlanError.BAD_NAME,
                "'dp-tp_0' already exists",
                () -> DeviceMesh.planned(MeshSpec.parse("dp=2,tp=2"))
                        .withGroup("dp-tp_0", List.of(0), GroupBackend.TCP)
                        .withGroupsAlong("tp", "dp"));
        assertRefused(MeshPlanError.TOO_FEW_DEVICES, "at least 1: 0", () -> DeviceMesh.of(List.of()));
    }

    // As in kapsl-hal's tests (20).
    @Test
    void statisticsSumWhatIsKnown() {
        MeshStats stats = DeviceMesh.of(gpus(4)).stats();
        assertThat(stats.totalMemoryMib()).isEqualTo(64_000);
        assertThat(stats.totalComputeUnits()).isEqualTo(320);
        assertThat(stats.backendsByText()).isEqualTo(Map.of("cuda", 4));
        assertThat(stats.groupCount()).isEqualTo(1);
    }

    // As in kapsl-hal's tests (25 and 26). Deviation: backends of unknown names are told apart.
    @Test
    void devicesOfABackendAreThoseAlone() {
        DeviceMesh mesh = DeviceMesh.of(mixedDevices());
        assertThat(mesh.devicesByBackend(DeviceBackend.CUDA)).hasSize(2);
        assertThat(mesh.devicesByBackend(DeviceBackend.METAL)).hasSize(1);
        assertThat(mesh.devicesByBackend(new DeviceBackend("y"))).isEmpty();
        MeshStats stats = mesh.stats();
        assertThat(stats.totalMemoryMib()).isEqualTo(64_000);
        assertThat(stats.memoryUnknown()).isEqualTo(1);
        assertThat(stats.computeUnitsUnknown()).isEqualTo(4);
        assertThat(stats.groupCount()).isPositive();
        // Deviation: keys are the text form; the debug spelling is there for those who know it.
        assertThat(stats.backendsByText()).containsOnlyKeys("cuda", "metal", "x");
        assertThat(stats.backendsByDebugText()).containsOnlyKeys("Cuda", "Metal", "Custom(\"x\")");
    }

    // As in kapsl-hal's tests (22 and 23).
    @Test
    void tooFewDevicesAreRefused() {
        assertRefused(
                MeshPlanError.TOO_FEW_DEVICES,
                "Tensor parallel degree 4 requires at least 4 devices, got 2",
                () -> DeviceMesh.withTopology(gpus(2), MeshTopology.tensorParallel(4)));
        assertRefused(
                MeshPlanError.TOO_FEW_DEVICES,
                "Mixed parallelism (TP=2, PP=2, DP=2) requires 8 devices, got 7",
                () -> DeviceMesh.withTopology(gpus(7), MeshTopology.mixed(2, 2, 2)));
        assertRefused(
                MeshPlanError.TOO_FEW_DEVICES,
                "Mesh tp=2,cp=2 requires 4 devices, got 3",
                () -> DeviceMesh.withTopology(gpus(3), MeshTopology.of(MeshSpec.parse("tp=2,cp=2"))));
    }

    // D3, D7. Deviation: kapsl-hal leaves devices over without a word.
    @Test
    void devicesAreLeftOverOnlyWhereThatIsAllowed() {
        assertRefused(
                MeshPlanError.SURPLUS_DEVICES,
                "fills 8 of 10 devices",
                () -> DeviceMesh.withTopology(gpus(10), MeshTopology.tensorParallel(4)));
        DeviceMesh mesh =
                DeviceMesh.withTopology(gpus(10), MeshTopology.tensorParallel(4), PlacementFit.SURPLUS_ALLOWED);
        assertThat(mesh.worldSize()).isEqualTo(10);
        assertThat(mesh.findIdleRanks()).contains(RankSequence.range(8, 2));
        assertThat(ranks(mesh, "world")).isEqualTo("0,1,2,3,4,5,6,7,8,9");
        assertThat(mesh.findGroup("tp_2")).isEmpty();
        assertThat(mesh.withRank(9).isIdle()).isTrue();
        assertThat(mesh.withRank(9).ownGroups()).extracting(MeshGroup::name).containsExactly("world");
        DeviceMesh pipeline =
                DeviceMesh.withTopology(gpus(5), MeshTopology.pipelineParallel(3), PlacementFit.SURPLUS_ALLOWED);
        assertThat(pipeline.groupNames()).contains("pp_stage_2").doesNotContain("pp_stage_3");
        assertThat(DeviceMesh.of(gpus(3)).findIdleRanks()).isEmpty();
    }

    // D4: kapsl-hal keeps the groups of the old topology.
    @Test
    void anotherTopologyBringsItsOwnGroups() {
        DeviceMesh mesh = DeviceMesh.withTopology(gpus(8), MeshTopology.tensorParallel(4))
                .withRank(5)
                .withGroup("mine", List.of(1), GroupBackend.TCP);
        DeviceMesh reshaped = mesh.reshape(MeshTopology.pipelineParallel(8));
        assertThat(reshaped.findGroup("tp_0")).isEmpty();
        assertThat(reshaped.findGroup("mine")).isEmpty();
        assertThat(reshaped.findGroup("pp_stage_7")).isPresent();
        assertThat(reshaped.rank()).isEqualTo(5);
        assertThat(mesh.findGroup("tp_0")).isPresent();
        assertRefused(
                MeshPlanError.SURPLUS_DEVICES, "fills 4 of 8", () -> mesh.reshape(MeshTopology.pipelineParallel(4)));
        assertThat(mesh.reshape(MeshTopology.pipelineParallel(4), PlacementFit.SURPLUS_ALLOWED)
                        .findIdleRanks())
                .contains(RankSequence.range(4, 4));
        assertThat(mesh.reshape(MeshTopology.dataParallel()).groupNames()).containsExactly("world", "dp_0");
    }

    @Test
    void devicesFollowRanks() {
        DeviceMesh mesh =
                DeviceMesh.withTopology(gpus(4), MeshTopology.tensorParallel(2)).withRank(2);
        assertThat(mesh.findLocalDevice()).map(MeshDevice::name).contains("GPU 2");
        assertThat(mesh.findDevice(4)).isEmpty();
        assertThat(mesh.findDevice(-1)).isEmpty();
        assertThat(mesh.devicesInGroup("dp_1")).extracting(MeshDevice::name).containsExactly("GPU 1", "GPU 3");
        assertThat(DeviceMesh.planned(MeshSpec.parse("tp=2")).findLocalDevice()).isEmpty();
    }

    // D11: the order of groups is part of the plan, and of its hash.
    @Test
    void ranksWithOnePlanHaveOneHash() {
        DeviceMesh mesh = DeviceMesh.withTopology(gpus(8), MeshTopology.mixed(2, 2, 2));
        String hash = mesh.planHash();
        assertThat(mesh.withRank(7).planHash()).isEqualTo(hash);
        assertThat(List.of(
                        mesh.withGroup("x", List.of(0), GroupBackend.TCP),
                        mesh.withGroup("x", List.of(1), GroupBackend.TCP),
                        mesh.withGroupsAlong("tp", "pp"),
                        mesh.withBackend(GroupBackend.SHM),
                        mesh.withBackend("dp", GroupBackend.GLOO),
                        mesh.reshape(MeshTopology.of(MeshSpec.parse("tp=2,pp=2,dp=2"))),
                        mesh.reshape(MeshTopology.mixed(2, 1, 4))))
                .extracting(DeviceMesh::planHash)
                .doesNotHaveDuplicates()
                .doesNotContain(hash);
        assertThat(mesh.withBackend("dp", GroupBackend.GLOO)
                        .requireGroup("dp_0")
                        .backend())
                .isEqualTo(GroupBackend.GLOO);
        assertRefused(MeshPlanError.GROUP_NOT_FOUND, "'cp'", () -> mesh.withBackend("cp", GroupBackend.TCP));
    }

    @Test
    void ranksThatDisagreeAreNamed() {
        String a = DeviceMesh.planned(MeshSpec.parse("tp=2")).planHash();
        String b = DeviceMesh.planned(MeshSpec.parse("tp=4")).planHash();
        DeviceMesh.requireSamePlan(List.of(a, a, a));
        assertRefused(
                MeshPlanError.PLANS_DIFFER,
                "most have plan " + a + ", ranks 0,3 have " + b,
                () -> DeviceMesh.requireSamePlan(List.of(b, a, a, b, a)));
        assertRefused(
                MeshPlanError.PLANS_DIFFER,
                "most have plan " + b + ", rank 1 has " + a,
                () -> DeviceMesh.requireSamePlan(List.of(b, a)));
    }

    @Test
    void backendsAreReadInAnyCase() {
        for (GroupBackend backend : GroupBackend.values()) {
            assertThat(GroupBackend.parse(" " + backend.name() + " ")).isEqualTo(backend);
            assertThat(GroupBackend.parse(backend.text())).isEqualTo(backend);
        }
        assertRefused(MeshPlanError.BAD_NAME, "did you mean nccl?", () -> GroupBackend.parse("ncl"));
        assertRefused(
                MeshPlanError.BAD_NAME, "backends are nccl, gloo, mpi", () -> GroupBackend.parse("carrier pigeon"));
    }

    // A world of a million ranks takes no room: devices, groups and names are computed when they are asked for.
    @Test
    void aMillionRanksAreFew() {
        MeshSpec spec = MeshSpec.parse("tp=8,cp=5,pp=25,dp=1000");
        assertThat(spec.worldSize()).isEqualTo(1_000_000);
        DeviceMesh mesh = DeviceMesh.planned(spec).withGroupsAlong("tp", "pp").withRank(765_432);
        for (MeshGroup group : mesh.ownGroups()) {
            assertThat(group.contains(765_432)).isTrue();
            assertThat(mesh.requireGroup(group.name())).isEqualTo(group);
        }
        MeshGroup replicas = spec.along("dp").groupOf(765_432);
        assertThat(replicas.size()).isEqualTo(1000);
        assertThat(replicas.findPosition(765_432)).hasValue(765);
        assertThat(mesh.groupCount()).isEqualTo(1 + 125_000 + 200_000 + 40_000 + 1000 + 5000);
        assertThat(mesh.groupNames().getLast()).isEqualTo("tp-pp_4999");
    }
}
