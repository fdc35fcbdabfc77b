// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.muster.mesh.MeshPlacement.PlacementFit;
import dev.muster.mesh.MeshRouter.Strategy;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MeshRouterTest {
    private static DeviceMesh mesh(int devices, MeshTopology topology) {
        return DeviceMesh.withTopology(
                Collections.nCopies(devices, MeshDevice.of(0, "GPU", DeviceBackend.CUDA)),
                topology,
                PlacementFit.SURPLUS_ALLOWED);
    }

    private static Map<Integer, Long> spread(MeshRouter router, int requests) {
        Map<Integer, Long> counts = new TreeMap<>();
        IntStream.range(0, requests).forEach(_ -> counts.merge(router.route(), 1L, Long::sum));
        return counts;
    }

    // As in kapsl-hal's tests (44).
    @Test
    void withoutAMeshWorkersTakeTurns() {
        MeshRouter router = MeshRouter.of(4);
        assertThat(IntStream.range(0, 8).map(_ -> router.route())).containsExactly(0, 1, 2, 3, 0, 1, 2, 3);
        assertThat(router.findMesh()).isEmpty();
        assertThat(router.strategy()).isEqualTo(Strategy.ROUND_ROBIN);
    }

    // As in kapsl-hal's tests (45).
    @Test
    void aSessionAlwaysHasTheSameWorker() {
        MeshRouter router = MeshRouter.of(4);
        int worker = router.routeSession("session-1");
        assertThat(worker).isBetween(0, 3);
        router.route();
        assertThat(router.routeSession("session-1")).isEqualTo(worker);
        assertThat(MeshRouter.of(4).routeSession("session-1")).isEqualTo(worker);
        assertThat(IntStream.range(0, 100)
                        .map(i -> router.routeSession("s" + i))
                        .distinct()
                        .count())
                .isEqualTo(4);
    }

    // As in kapsl-hal's tests (46).
    @Test
    void aHintChoosesTheGroup() {
        MeshRouter router = MeshRouter.of(mesh(8, MeshTopology.tensorParallel(4)), 8);
        assertThat(router.strategy()).isEqualTo(Strategy.TENSOR_PARALLEL);
        assertThat(router.routeTo(0)).isEqualTo(0);
        assertThat(router.routeTo(1)).isEqualTo(4);
        assertThat(router.routeTo(3)).isEqualTo(4);
        assertThat(router.routeTo(-1)).isEqualTo(4);
    }

    // As in kapsl-hal's tests (47).
    @Test
    void aPipelineIsEnteredAtItsFirstStage() {
        MeshRouter router = MeshRouter.of(mesh(4, MeshTopology.pipelineParallel(4)), 4);
        assertThat(router.strategy()).isEqualTo(Strategy.PIPELINE_PARALLEL);
        assertThat(spread(router, 20)).isEqualTo(Map.of(0, 20L));
        // D34: kapsl-hal sends sessions to any stage.
        assertThat(router.routeSession("x")).isZero();
        assertThat(router.routeSession("y")).isZero();
    }

    // As in kapsl-hal's tests (48).
    @Test
    void theWorkersOfAGroupFollowEachOther() {
        MeshRouter router = MeshRouter.of(mesh(8, MeshTopology.tensorParallel(4)), 8);
        assertThat(router.tensorGroupWorkers(0)).containsExactly(0, 1, 2, 3);
        assertThat(router.tensorGroupWorkers(1)).containsExactly(4, 5, 6, 7);
        assertThat(router.tensorGroupWorkers(2)).isEmpty();
        assertThat(router.findTensorGroup(5)).hasValue(1);
        assertThat(router.findTensorGroup(8)).isEmpty();
        assertThat(MeshRouter.of(mesh(4, MeshTopology.dataParallel()), 4).findTensorGroup(0))
                .isEmpty();
    }

    // As in kapsl-hal's tests (49).
    @Test
    void aRouterIsDescribedInFigures() {
        DeviceMesh mesh = mesh(4, MeshTopology.dataParallel());
        MeshRouter router = MeshRouter.of(mesh, 4);
        assertThat(router.findMesh()).contains(mesh);
        assertThat(router.workers()).isEqualTo(4);
        assertThat(router.strategy()).isEqualTo(Strategy.ROUND_ROBIN);
    }

    // D34: under tensor parallelism a session meets a leader, never a member.
    @Test
    void sessionsLandOnGroupLeaders() {
        MeshRouter router = MeshRouter.of(mesh(8, MeshTopology.tensorParallel(4)), 8);
        List<Integer> workers = IntStream.range(0, 200)
                .map(i -> router.routeSession("session-" + i))
                .distinct()
                .sorted()
                .boxed()
                .toList();
        assertThat(workers).containsExactly(0, 4);
    }

    // D35: hints count for sessions too, and groups take turns request by request.
    @Test
    void hintsAreRespectedWithSessionsAndGroupsTakeTurns() {
        MeshRouter router = MeshRouter.of(mesh(8, MeshTopology.tensorParallel(4)), 8);
        assertThat(IntStream.range(0, 50).map(i -> router.routeSessionTo("s" + i, 1)))
                .containsOnly(4);
        MeshRouter fresh = MeshRouter.of(mesh(8, MeshTopology.tensorParallel(4)), 8);
        assertThat(IntStream.range(0, 4).map(_ -> fresh.route())).containsExactly(0, 4, 0, 4);
        assertThat(spread(fresh, 1000)).isEqualTo(Map.of(0, 500L, 4, 500L));
    }

    // D36: ranks may have several workers each.
    @Test
    void workersOfARankShareItsWork() {
        MeshRouter router = MeshRouter.of(mesh(8, MeshTopology.tensorParallel(4)), 16);
        assertThat(spread(router, 400)).isEqualTo(Map.of(0, 100L, 1, 100L, 8, 100L, 9, 100L));
        assertThat(router.tensorGroupWorkers(1)).containsExactly(8, 9, 10, 11, 12, 13, 14, 15);
        assertThat(router.findTensorGroup(7)).hasValue(0);
    }

    @Test
    void groupsWithoutAllTheirWorkersTakeNothing() {
        MeshRouter router = MeshRouter.of(mesh(8, MeshTopology.tensorParallel(4)), 6);
        assertThat(spread(router, 10)).isEqualTo(Map.of(0, 10L));
        assertThat(router.tensorGroupWorkers(1)).containsExactly(4, 5);
        // Fewer workers than a group needs: any is as good as another, as kapsl-hal has it.
        assertThat(spread(MeshRouter.of(mesh(8, MeshTopology.tensorParallel(4)), 2), 4))
                .isEqualTo(Map.of(0, 2L, 1, 2L));
    }

    // D37: a request enters the first stage of a replica at its leader, for every mesh.
    @Test
    void mixedMeshesAreEnteredAtTheFirstStageOfEachReplica() {
        MeshRouter router = MeshRouter.of(mesh(16, MeshTopology.mixed(2, 4, 2)), 16);
        assertThat(spread(router, 100)).isEqualTo(Map.of(0, 50L, 8, 50L));
        assertThat(IntStream.range(0, 100)
                        .map(i -> router.routeSession("s" + i))
                        .distinct()
                        .sorted())
                .containsExactly(0, 8);
        assertThat(router.routeSessionTo("s", 1)).isEqualTo(8);
        assertThat(router.findTensorGroup(11)).hasValue(5);
        MeshRouter other = MeshRouter.of(mesh(16, MeshTopology.of(MeshSpec.parse("tp=2,dp=2,pp=4"))), 16);
        assertThat(spread(other, 100)).isEqualTo(Map.of(0, 50L, 2, 50L));
    }

    @Test
    void idleRanksTakeNothing() {
        MeshRouter router = MeshRouter.of(mesh(6, MeshTopology.of(MeshSpec.parse("dp=4"))), 6);
        assertThat(spread(router, 8)).containsOnlyKeys(0, 1, 2, 3);
    }

    @Test
    void noWorkersAnswerZeroAndFewerAreRefused() {
        assertThat(MeshRouter.of(0).route()).isZero();
        assertThat(MeshRouter.of(mesh(4, MeshTopology.tensorParallel(2)), 0).routeSessionTo("s", 3))
                .isZero();
        assertThatExceptionOfType(MeshPlanException.class).isThrownBy(() -> MeshRouter.of(-1));
    }
}
